package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/** The end of a connection that calls a node: it sends calls and takes answers. */
final class CalledConnection extends NodeConnection {
  private final NodeAddress address;
  private final Owner owner;

  /** Whom the connection belongs to. Called by the thread of the connection. */
  interface Owner {
    /** Calls can be sent. */
    void established(CalledConnection connection);

    /** An answer has come. */
    void answered(long id, byte[] message);

    /** The node stops: it answers what it has taken, and takes no more. */
    void left(CalledConnection connection);

    /** The connection is over, or has never been. */
    void ended(CalledConnection connection, GraphMetaException why);
  }

  CalledConnection(
      Channel channel,
      FrameDecoder decoder,
      Handshake handshake,
      NodeSettings settings,
      Traffic traffic,
      NodeAddress address,
      Owner owner) {
    super(channel, decoder, handshake, settings, traffic, EnvelopeReader.Side.TAKES_ANSWERS);
    this.address = address;
    this.owner = owner;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (channel.pipeline().get(SslHandler.class) == null) {
      send(handshake.greeting());
    }
    context.fireChannelActive();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent tls) {
      if (tls.isSuccess()) {
        send(handshake.greeting());
      } else {
        fail(unreachable("TLS failed (" + tls.cause().getMessage() + ")"));
      }
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  void met(Greeting greeting) {
    String node = greeting.sender().node();
    if (!node.equals(address.node())) {
      throw new GraphMetaException(
          ErrorCode.WRONG_CLUSTER,
          "Node " + node + " answers at " + address + "; look at the addresses of both");
    }
    ClockOffset clock = handshake.compareClock(greeting.clockMicros());
    send(handshake.ready(greeting));
    establish(greeting.sender(), clock);
    owner.established(this);
  }

  @Override
  void ready(byte[] frame) {
    throw Frames.corrupt("Node " + address + " sent what a caller sends");
  }

  @Override
  void message(long id, int shard, byte[] bytes) {
    traffic.messagesReceived.increment();
    owner.answered(id, bytes);
  }

  @Override
  void left() {
    owner.left(this);
  }

  @Override
  boolean expectsSigns() {
    return true;
  }

  @Override
  void ended(GraphMetaException why) {
    owner.ended(this, why);
  }
}
