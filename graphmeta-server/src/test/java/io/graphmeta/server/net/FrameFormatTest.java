package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The bytes of frames, which builds of other versions exchange with this one: never changed. */
@ExtendWith(NoLeaks.class)
final class FrameFormatTest {
  private static final Greeting GREETING =
      new Greeting(1, 2, new NodeIdentity(new UUID(3, 4), "n1", 5), 6, 7);
  private static final String HELLO =
      "01474d6e70"
          + "0102"
          + "00000000000000030000000000000004"
          + "0000000000000005"
          + "0000000000000006"
          + "0000000000000007"
          + "026e31";

  private static String hex(ByteWriter bytes) {
    return HexFormat.of().formatHex(bytes.array(), 0, bytes.size());
  }

  @Test
  void helloHasTheseBytes() {
    assertThat(hex(GREETING.toBytes())).isEqualTo(HELLO);
    byte[] rest = HexFormat.of().parseHex(HELLO.substring(2) + "ff00");
    assertThat(Greeting.of(rest)).as("with more behind its end").isEqualTo(GREETING);
    for (int length = 0; length < rest.length - 2; length++) {
      byte[] cut = Arrays.copyOf(rest, length);
      assertThatThrownBy(() -> Greeting.of(cut)).isInstanceOf(GraphMetaException.class);
    }
  }

  @Test
  void aFrameBeginsWithTheLengthOfTheRest() {
    ByteBuf frame =
        Frames.frame(UnpooledByteBufAllocator.DEFAULT, new ByteWriter(8).putByte(5).putLong(9));
    assertThat(ByteBufUtil.hexDump(frame)).isEqualTo("00000009" + "05" + "0000000000000009");
    frame.release();
    GraphMetaException error = new GraphMetaException(ErrorCode.CLOSED, "no");
    assertThat(hex(Handshake.refusal(error))).isEqualTo("03" + "06434c4f534544" + "026e6f");
  }

  @Test
  void packedEnvelopesHaveTheseBytes() {
    // 3 bytes as they are, 14 that repeat the last one, and 5 at the end of the block.
    String block = "3a" + "010203" + "0100" + "50" + "0303030304";
    ByteBuf frame =
        Unpooled.wrappedBuffer(HexFormat.of().parseHex("00000007" + "00000016" + block));
    ByteBuf envelope = PackedEnvelopes.unpack(frame, 4096, UnpooledByteBufAllocator.DEFAULT);
    assertThat(ByteBufUtil.hexDump(envelope))
        .isEqualTo("00000007" + "0102" + "03".repeat(19) + "04");
    envelope.release();
  }

  private record Message(long id, int shard, byte[] content) implements OutgoingMessage {
    @Override
    public ByteWriter bytes() {
      return new ByteWriter(content.length).putBytes(content, 0, content.length);
    }

    @Override
    public boolean isWanted() {
      return true;
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

  @Test
  void envelopesHaveTheseBytes() {
    EmbeddedChannel channel = new EmbeddedChannel();
    EnvelopeWriter writer = new EnvelopeWriter(channel, 4096);
    writer.add(new Message(300, 2, new byte[] {10, 11}));
    writer.add(new Message(4, -1, new byte[] {12}));
    writer.flush();
    writer.add(new Message(5, 1, new byte[5000]));
    writer.flush();
    ByteBuf first = channel.readOutbound();
    assertThat(ByteBufUtil.hexDump(first))
        .isEqualTo("00000010" + "0400000000" + "01ac0202020a0b" + "0304010c");
    first.release();
    ByteBuf begun = channel.readOutbound();
    assertThat(begun.readableBytes()).isEqualTo(4 + 4096);
    assertThat(ByteBufUtil.hexDump(begun, 0, 14))
        .isEqualTo("00001000" + "0400000001" + "0205018827");
    begun.release();
    ByteBuf more = channel.readOutbound();
    assertThat(ByteBufUtil.hexDump(more, 0, 10)).isEqualTo("00000398" + "0400000002" + "05");
    more.release();
    channel.finishAndReleaseAll();
  }
}
