package io.graphmeta.bench.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The least that a question over a socket costs with Netty: frames of a length are sent back by the
 * event loop, and the event loop at the other end wakes who asked.
 */
final class Echo implements AutoCloseable {
  private final NioEventLoopGroup loops = new NioEventLoopGroup(2);
  private final Queue<CompletableFuture<Boolean>> asked = new ConcurrentLinkedQueue<>();
  private final Channel listening;
  private final Channel channel;

  Echo() {
    listening =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Frames(new SendsBack()))
            .bind("localhost", 0)
            .syncUninterruptibly()
            .channel();
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    channel =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(new Frames(new Wakes()))
            .connect("localhost", port)
            .syncUninterruptibly()
            .channel();
  }

  private static final class Frames extends ChannelInitializer<Channel> {
    private final ChannelInboundHandlerAdapter last;

    Frames(ChannelInboundHandlerAdapter last) {
      this.last = last;
    }

    @Override
    protected void initChannel(Channel opened) {
      opened.pipeline().addLast(new LengthFieldBasedFrameDecoder(1 << 20, 0, 4), last);
    }
  }

  private static final class SendsBack extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      context.write(frame, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  private final class Wakes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      ((ByteBuf) frame).release();
      Objects.requireNonNull(asked.poll()).complete(true);
    }
  }

  /** Sends so many bytes, the length included, and has a future of their return. */
  synchronized CompletableFuture<Boolean> ask(int bytes) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    asked.add(answer);
    ByteBuf frame = channel.alloc().directBuffer(bytes).writeInt(bytes - 4).writeZero(bytes - 4);
    channel.writeAndFlush(frame, channel.voidPromise());
    return answer;
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
    listening.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
