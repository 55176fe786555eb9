package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a connection do: introduce themselves, give signs of life and expect them,
 * compare clocks, and read envelopes once they know each other. Used by the thread of the
 * connection alone.
 */
abstract class NodeConnection extends ChannelInboundHandlerAdapter {
  final Channel channel;
  final Handshake handshake;
  final EnvelopeWriter writer;
  final Traffic traffic;
  private final NodeSettings settings;
  private final FrameDecoder decoder;
  private final EnvelopeReader reader;
  private final long silenceNanos;
  private boolean established;
  private volatile @Nullable NodeIdentity peer;
  private volatile @Nullable ClockOffset offset;
  private @Nullable GraphMetaException failure;
  private @Nullable ScheduledFuture<?> ticks;
  private long lastReadNanos = System.nanoTime();
  private long lastTakenNanos = System.nanoTime();

  NodeConnection(
      Channel channel,
      FrameDecoder decoder,
      Handshake handshake,
      NodeSettings settings,
      Traffic traffic,
      EnvelopeReader.Side side) {
    this.channel = channel;
    this.decoder = decoder;
    this.handshake = handshake;
    this.settings = settings;
    this.traffic = traffic;
    this.writer = new EnvelopeWriter(channel, settings.integer(NodeSetting.MAX_FRAME_BYTES));
    this.silenceNanos =
        TimeUnit.MILLISECONDS.toNanos(settings.number(NodeSetting.SILENCE_TIMEOUT_MILLIS));
    this.reader =
        new EnvelopeReader(side, settings.integer(NodeSetting.MAX_MESSAGE_BYTES), this::message);
  }

  /** The other end has introduced itself. */
  abstract void met(Greeting greeting);

  /** The other end is content with what this one told. */
  abstract void ready(byte[] frame);

  /** A call or an answer has come. */
  abstract void message(long id, int shard, byte[] bytes);

  /** All messages of an envelope have been given. */
  void envelopeRead() {
    // Most ends have done with each message what is to be done.
  }

  /** The other end stops, and takes no more calls. */
  abstract void left();

  /** The connection is closed, once. */
  abstract void ended(GraphMetaException why);

  /** Whether the other end must give signs of life, since they would be read. */
  abstract boolean expectsSigns();

  final @Nullable NodeIdentity peer() {
    return peer;
  }

  final @Nullable ClockOffset offset() {
    return offset;
  }

  /** Gives up the connection unless the two know each other in time. */
  final void limitHandshake() {
    long millis = settings.number(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS);
    channel
        .eventLoop()
        .schedule(
            () -> {
              if (!established && channel.isOpen()) {
                fail(unreachable("the handshake was not over after " + millis + " ms"));
              }
            },
            millis,
            TimeUnit.MILLISECONDS);
  }

  /** The two know each other. */
  final void establish(NodeIdentity node, ClockOffset clock) {
    established = true;
    peer = node;
    offset = clock;
    decoder.admit(settings.integer(NodeSetting.MAX_FRAME_BYTES));
    if (packedIsUnderstood() && settings.get(NodeSetting.COMPRESSION).equals("lz4")) {
      writer.pack();
    }
    long millis = settings.number(NodeSetting.HEARTBEAT_MILLIS);
    lastReadNanos = System.nanoTime();
    lastTakenNanos = lastReadNanos;
    ticks =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::tick, millis, millis, TimeUnit.MILLISECONDS);
  }

  private boolean packedIsUnderstood() {
    return handshake.protocol() >= Frames.PACKED_PROTOCOL;
  }

  private void tick() {
    long now = System.nanoTime();
    if (!expectsSigns()) {
      lastReadNanos = now;
    }
    if (channel.isWritable()) {
      lastTakenNanos = now;
      send(new ByteWriter(16).putByte(Frames.PING).putLong(handshake.nowMicros()));
    }
    if (now - lastReadNanos > silenceNanos) {
      fail(unreachable("nothing was heard of it for " + silenceNanos / 1_000_000 + " ms"));
    } else if (now - lastTakenNanos > silenceNanos) {
      fail(unreachable("it has taken nothing for " + silenceNanos / 1_000_000 + " ms"));
    }
  }

  final GraphMetaException unreachable(String why) {
    return new GraphMetaException(
        ErrorCode.UNREACHABLE, "The connection with " + name() + " ended: " + why + "; try again");
  }

  private String name() {
    NodeIdentity known = peer;
    return (known == null ? "a node" : "node " + known.node()) + " at " + channel.remoteAddress();
  }

  /** Sends a frame that is no envelope. */
  final void send(ByteWriter frame) {
    channel.writeAndFlush(Frames.frame(channel.alloc(), frame), channel.voidPromise());
  }

  /** Writes envelopes as far as the connection takes them. */
  final void flush() {
    traffic.envelopesSent.add(writer.flush());
    flushed();
  }

  /** Envelopes may have been written. */
  void flushed() {}

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      lastTakenNanos = System.nanoTime();
      flush();
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public final void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf frame = (ByteBuf) message;
    try {
      if (failure == null) {
        lastReadNanos = System.nanoTime();
        traffic.bytesReceived.add(Frames.LENGTH_BYTES + frame.readableBytes());
        read(frame);
      }
    } catch (GraphMetaException e) {
      refuse(e);
    } finally {
      frame.release();
    }
  }

  private void read(ByteBuf frame) {
    int kind = frame.readByte();
    if (kind == Frames.REFUSAL) {
      fail(Handshake.refusal(Frames.rest(frame)));
    } else if (!established && kind == Frames.HELLO && peer == null) {
      Greeting greeting = handshake.meet(Frames.rest(frame));
      peer = greeting.sender();
      met(greeting);
    } else if (!established && kind == Frames.READY && peer != null) {
      ready(Frames.rest(frame));
    } else if (established && kind == Frames.ENVELOPE) {
      traffic.envelopesReceived.increment();
      reader.read(frame);
      envelopeRead();
    } else if (established && kind == Frames.PACKED && packedIsUnderstood()) {
      traffic.envelopesReceived.increment();
      readPacked(frame);
      envelopeRead();
    } else if (established && kind == Frames.LEAVING) {
      left();
    } else if (established && (kind == Frames.PING || kind == Frames.PONG)) {
      sign(kind, Frames.rest(frame));
    } else {
      throw Frames.corrupt(
          "A frame of kind "
              + kind
              + " came "
              + (established ? "within" : "before")
              + " the conversation, where none is expected");
    }
  }

  private void readPacked(ByteBuf frame) {
    ByteBuf envelope =
        PackedEnvelopes.unpack(
            frame, settings.integer(NodeSetting.MAX_FRAME_BYTES), channel.alloc());
    try {
      reader.read(envelope);
    } finally {
      envelope.release();
    }
  }

  private void sign(int kind, byte[] frame) {
    ByteReader in = new ByteReader(frame, 0, frame.length);
    long asked = in.getLong();
    if (kind == Frames.PONG) {
      offset = handshake.compareClock(asked, in.getLong());
    } else if (channel.isWritable()) {
      send(new ByteWriter(24).putByte(Frames.PONG).putLong(asked).putLong(handshake.nowMicros()));
    }
  }

  /** Ends the connection and tells the other end why. */
  final void refuse(GraphMetaException why) {
    if (failure == null) {
      failure = why;
      traffic.refused.increment();
      channel
          .writeAndFlush(Frames.frame(channel.alloc(), Handshake.refusal(why)))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Ends the connection. */
  final void fail(GraphMetaException why) {
    if (failure == null) {
      failure = why;
    }
    channel.close();
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    if (ticks != null) {
      ticks.cancel(false);
    }
    ended(failure == null ? unreachable("it was closed") : failure);
    context.fireChannelInactive();
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
    Throwable cause =
        thrown instanceof DecoderException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause instanceof GraphMetaException known) {
      refuse(known);
    } else {
      fail(unreachable(cause.toString()));
    }
  }
}
