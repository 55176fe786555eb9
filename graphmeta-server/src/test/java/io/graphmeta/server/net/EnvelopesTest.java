package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages in envelopes and out of them, as they are and damaged. */
@ExtendWith(NoLeaks.class)
final class EnvelopesTest {
  private static final int MAX_MESSAGE_BYTES = 1 << 20;

  /** A byte of a block of LZ4 stands for so many at most. */
  private static final long MOST_UNPACKED = 256;

  private record Message(long id, int shard, byte[] content, boolean isWanted)
      implements OutgoingMessage {
    @Override
    public ByteWriter bytes() {
      return new ByteWriter(content.length).putBytes(content, 0, content.length);
    }

    @Override
    public void notWritten() {
      written();
    }

    @Override
    public void written() {
      // Counted by nobody here.
    }
  }

  private static long seed() {
    Long given = Long.getLong("graphmeta.seed");
    return given == null ? System.nanoTime() : given;
  }

  /** Random messages, of which some are longer than several frames, and some are easily packed. */
  private static List<Message> messages(Random random, int count, int maxFrame) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int bound = random.nextInt(10) == 0 ? 5 * maxFrame : 200;
      byte[] content = new byte[1 + random.nextInt(bound)];
      if (random.nextBoolean()) {
        random.nextBytes(content);
      }
      long id = random.nextBoolean() ? i : random.nextLong() >>> 1 | i;
      messages.add(new Message(id, random.nextInt(1000), content, random.nextInt(20) > 0));
    }
    return messages;
  }

  /** The frames that messages make, added a few at a time. */
  private static List<byte[]> frames(Random random, List<Message> messages, int maxFrame) {
    EmbeddedChannel channel = new EmbeddedChannel();
    EnvelopeWriter writer = new EnvelopeWriter(channel, maxFrame);
    if (random.nextBoolean()) {
      writer.pack();
    }
    for (Message each : messages) {
      writer.add(each);
      if (random.nextInt(5) == 0) {
        writer.flush();
      }
    }
    writer.flush();
    assertThat(writer.isEmpty()).isTrue();
    assertThat(writer.waitingBytes()).isZero();
    List<byte[]> frames = new ArrayList<>();
    for (ByteBuf frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
      byte[] bytes = new byte[frame.readableBytes()];
      frame.readBytes(bytes);
      frame.release();
      frames.add(bytes);
    }
    channel.finishAndReleaseAll();
    return frames;
  }

  private static byte[] together(List<byte[]> frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    frames.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Reads frames as they come, in pieces of any length. */
  private static void read(Random random, byte[] bytes, int maxFrame, EnvelopeReader.Sink sink) {
    FrameDecoder decoder = new FrameDecoder();
    decoder.admit(maxFrame);
    EnvelopeReader reader =
        new EnvelopeReader(EnvelopeReader.Side.TAKES_CALLS, MAX_MESSAGE_BYTES, sink);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    try {
      int at = 0;
      while (at < bytes.length) {
        int piece = Math.min(bytes.length - at, 1 + random.nextInt(2 * maxFrame));
        channel.writeInbound(Unpooled.copiedBuffer(bytes, at, piece));
        at += piece;
        for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
          try {
            readEnvelope(reader, frame, maxFrame);
          } finally {
            frame.release();
          }
        }
      }
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  private static void readEnvelope(EnvelopeReader reader, ByteBuf frame, int maxFrame) {
    int kind = frame.readByte();
    if (kind == Frames.PACKED) {
      ByteBuf envelope = PackedEnvelopes.unpack(frame, maxFrame, UnpooledByteBufAllocator.DEFAULT);
      try {
        reader.read(envelope);
      } finally {
        envelope.release();
      }
    } else if (kind == Frames.ENVELOPE) {
      reader.read(frame);
    } else {
      throw Frames.corrupt("kind " + kind);
    }
  }

  @Test
  void messagesComeAsTheyWereSent() {
    long seed = seed();
    for (int round = 0; round < 200; round++) {
      Random random = new Random(seed + round);
      int maxFrame = 4096 << random.nextInt(4);
      List<Message> sent = messages(random, 1 + random.nextInt(300), maxFrame);
      List<byte[]> frames = frames(random, sent, maxFrame);
      assertThat(frames).allMatch(frame -> frame.length <= maxFrame + Frames.LENGTH_BYTES);
      Map<Long, Message> expected = new HashMap<>();
      sent.stream().filter(Message::isWanted).forEach(each -> expected.put(each.id(), each));
      read(
          random,
          together(frames),
          maxFrame,
          (id, shard, bytes) -> {
            Message message = expected.remove(id);
            assertThat(message).as("replay with -Dgraphmeta.seed=%d", seed).isNotNull();
            assertThat(shard).isEqualTo(message.shard());
            assertThat(bytes).isEqualTo(message.content());
          });
      assertThat(expected).as("replay with -Dgraphmeta.seed=%d", seed).isEmpty();
    }
  }

  @Test
  void whatRepeatsIsPackedAndWhatDoesNotGoesAsItIs() {
    byte[] random = new byte[3000];
    new Random(1).nextBytes(random);
    assertThat(frameOf(new byte[3000])).startsWith(Frames.PACKED).hasSizeLessThan(100);
    assertThat(frameOf(random)).startsWith(Frames.ENVELOPE);
    assertThat(frameOf(new byte[300])).as("short").startsWith(Frames.ENVELOPE);
  }

  /** The frame of one message of a writer that packs, its length left out. */
  private static byte[] frameOf(byte[] content) {
    EmbeddedChannel channel = new EmbeddedChannel();
    EnvelopeWriter writer = new EnvelopeWriter(channel, 1 << 16);
    writer.pack();
    writer.add(new Message(1, 0, content, true));
    assertThat(writer.flush()).isOne();
    ByteBuf frame = channel.readOutbound();
    byte[] bytes = new byte[frame.readableBytes() - Frames.LENGTH_BYTES];
    frame.skipBytes(Frames.LENGTH_BYTES).readBytes(bytes);
    frame.release();
    channel.finishAndReleaseAll();
    return bytes;
  }

  @Test
  void aPackedEnvelopeIsNoLongerThanAFrame() {
    byte[] packed = frameOf(new byte[8000]);
    ByteBuf frame = Unpooled.wrappedBuffer(packed).skipBytes(1);
    assertThatThrownBy(() -> PackedEnvelopes.unpack(frame, 4096, UnpooledByteBufAllocator.DEFAULT))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("expected 0 to 4091");
    for (int claimed : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 7999, 9000}) {
      ByteBuf changed = Unpooled.copiedBuffer(packed).setInt(5, claimed).skipBytes(1);
      assertThatThrownBy(
              () -> PackedEnvelopes.unpack(changed, 1 << 16, UnpooledByteBufAllocator.DEFAULT))
          .as("%d claimed", claimed)
          .isInstanceOf(GraphMetaException.class);
    }
  }

  @Test
  void messagesOfOneMomentAreOneFrame() {
    List<Message> calls = new ArrayList<>();
    for (int shard = 0; shard < 64; shard++) {
      calls.add(new Message(shard, shard, new byte[20], true));
    }
    EmbeddedChannel channel = new EmbeddedChannel();
    EnvelopeWriter writer = new EnvelopeWriter(channel, 4096);
    calls.forEach(writer::add);
    assertThat(writer.flush()).isOne();
    channel.finishAndReleaseAll();
  }

  @Test
  void shortMessagesPassALongOne() {
    EmbeddedChannel channel = new EmbeddedChannel();
    EnvelopeWriter writer = new EnvelopeWriter(channel, 4096);
    writer.add(new Message(1, 0, new byte[100_000], true));
    writer.add(new Message(2, 0, new byte[10], true));
    writer.flush();
    List<Long> order = new ArrayList<>();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuf frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
      byte[] bytes = new byte[frame.readableBytes()];
      frame.readBytes(bytes);
      frame.release();
      all.writeBytes(bytes);
    }
    channel.finishAndReleaseAll();
    read(new Random(1), all.toByteArray(), 4096, (id, shard, bytes) -> order.add(id));
    assertThat(order).containsExactly(2L, 1L);
  }

  @Test
  void damagedFramesAreRefusedAndTakeNoMemory() {
    long seed = seed();
    int refused = 0;
    for (int round = 0; round < 2000; round++) {
      Random random = new Random(seed + round);
      int maxFrame = 4096;
      List<byte[]> frames = frames(random, messages(random, 20, maxFrame), maxFrame);
      byte[] damaged = damaged(random, frames);
      long[] given = new long[1];
      try {
        read(random, damaged, maxFrame, (id, shard, bytes) -> given[0] += bytes.length);
      } catch (GraphMetaException e) {
        refused++;
        assertThat(e.code())
            .as("replay with -Dgraphmeta.seed=%d", seed + round)
            .isIn(ErrorCode.CORRUPTION, ErrorCode.LIMIT_EXCEEDED);
      } catch (DecoderException e) {
        refused++;
        assertThat(e.getCause())
            .as("replay with -Dgraphmeta.seed=%d", seed + round)
            .isInstanceOf(GraphMetaException.class);
      }
      assertThat(given[0])
          .as("replay with -Dgraphmeta.seed=%d", seed + round)
          .isLessThanOrEqualTo(MOST_UNPACKED * damaged.length);
    }
    assertThat(refused).as("seed %d", seed).isGreaterThan(500);
  }

  private static byte[] damaged(Random random, List<byte[]> frames) {
    List<byte[]> changed = new ArrayList<>(frames);
    int at = random.nextInt(changed.size());
    switch (random.nextInt(4)) {
      case 0 -> changed.add(at, changed.get(at)); // comes twice
      case 1 -> changed.remove(at);
      case 2 -> changed.set(at, changed.get(random.nextInt(changed.size())));
      default -> {
        // Bits are turned below.
      }
    }
    byte[] bytes = together(changed);
    for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  @Test
  void aClaimedLengthTakesNoMemory() {
    ByteWriter claim =
        new ByteWriter(64)
            .putInt(0)
            .putByte(EnvelopeWriter.BEGUN_CALL)
            .putVarLong(1)
            .putVarLong(0)
            .putVarLong(1 << 30)
            .putByte(7);
    ByteBuf frame = Unpooled.wrappedBuffer(claim.toArray());
    EnvelopeReader reader =
        new EnvelopeReader(EnvelopeReader.Side.TAKES_CALLS, Integer.MAX_VALUE, (i, s, b) -> {});
    reader.read(frame);
    assertThat(reader.heldBytes()).isLessThanOrEqualTo(1 << 16);

    EnvelopeReader limited =
        new EnvelopeReader(EnvelopeReader.Side.TAKES_CALLS, 1 << 20, (i, s, b) -> {});
    assertThatThrownBy(() -> limited.read(Unpooled.wrappedBuffer(claim.toArray())))
        .hasMessageContaining("1073741824 bytes");
  }
}
