package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.MessageCodec;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The side of a node that other nodes call. Safe for use by many threads. */
public final class NodeListener implements AutoCloseable {
  /** The lowest version of the protocol between nodes that this build speaks. */
  public static final int LOWEST_PROTOCOL = Frames.LOWEST_PROTOCOL;

  private static final int BACKLOG = 1024;

  private final NodeIdentity self;
  private final NodeSettings settings;
  private final NetThreads threads;
  private final InstantSource clock;
  private final @Nullable NodeTls tls;
  private final MessageCodec codec;
  private final ShardQueues shards;
  private final Traffic traffic = new Traffic();
  private final Callers callers;
  private final Channel listening;

  private NodeListener(
      NodeIdentity self,
      ShardQueues shards,
      NodeSettings settings,
      NetThreads threads,
      InstantSource clock) {
    this.self = self;
    this.settings = settings;
    this.threads = threads;
    this.clock = clock;
    this.tls = NodeTls.of(settings);
    String host = settings.get(NodeSetting.HOST);
    NodeTls.require(tls, host);
    this.codec = new MessageCodec(settings.integer(NodeSetting.MAX_MESSAGE_BYTES));
    this.callers = new Callers(settings);
    this.shards = shards;
    int port = settings.integer(NodeSetting.PORT);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(threads.loops())
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    addHandlers(channel);
                  }
                })
            .bind(host, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      this.shards.close();
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Cannot listen on "
              + host
              + ":"
              + port
              + " ("
              + bound.cause().getMessage()
              + "); choose another "
              + NodeSetting.HOST.key()
              + " or "
              + NodeSetting.PORT.key(),
          bound.cause());
    }
    this.listening = bound.channel();
  }

  /**
   * Listens for other nodes and serves shards.
   *
   * @param shards those that this node hosts; closed with the listener
   * @param threads outlive the listener
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if the address cannot be taken, or can
   *     be reached from other machines and there are no certificates, or these cannot be taken
   */
  public static NodeListener open(
      NodeIdentity self,
      ShardQueues shards,
      NodeSettings settings,
      NetThreads threads,
      InstantSource clock) {
    return new NodeListener(self, shards, settings, threads, clock);
  }

  private void addHandlers(Channel channel) {
    if (!callers.admit(channel)) {
      channel.close();
      return;
    }
    FrameDecoder decoder = new FrameDecoder();
    AcceptedConnection accepted =
        new AcceptedConnection(
            channel,
            decoder,
            new Handshake(self, clock, settings),
            settings,
            traffic,
            shards,
            codec,
            threads.work(),
            callers);
    if (tls != null) {
      channel.pipeline().addLast(tls.called(channel.alloc()));
    }
    channel.pipeline().addLast(decoder, accepted);
    accepted.limitHandshake();
  }

  /** Where it listens; the port is the real one also if any was asked for. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Connections that are open, those included whose handshake is not over. */
  public int connections() {
    return callers.connections();
  }

  /** What has passed the connections of all callers. */
  public Traffic traffic() {
    return traffic;
  }

  /**
   * Listens no more, tells callers so, and begins what was taken. Outcomes of transactions are not
   * taken any more either: whoever waits for one here is to be told. Safe to call again.
   */
  public void leave() {
    listening.close().awaitUninterruptibly();
    callers.leave();
    shards.close();
  }

  /**
   * {@linkplain #leave Leaves}, answers what was taken as far as callers take that, and closes all
   * connections. Safe to call again.
   */
  @Override
  public void close() {
    leave();
    callers.close();
  }
}
