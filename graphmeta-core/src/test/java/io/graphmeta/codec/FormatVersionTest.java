package io.graphmeta.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.placement.VirtualNodeMap;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Pins the bytes of format version 1: whoever changes one of these makes databases unreadable. */
class FormatVersionTest {
  private static final EdgeKey EDGE =
      new EdgeKey(0x0010000000050007L, 3, 0x0020000000060009L, 0x01_0203_0405L);

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] stamped(byte[] slot, long valid, long committed) {
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    return Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, valid, committed));
  }

  @Test
  void numbersAreStoredOnes() {
    assertThat(FormatVersion.V1.number()).isEqualTo(1);
    assertThat(FormatVersion.V2.number()).isEqualTo(2);
    assertThat(FormatVersion.V3.number()).isEqualTo(3);
    assertThat(FormatVersion.CURRENT).isEqualTo(FormatVersion.V3);
    assertThatThrownBy(() -> FormatVersion.ofNumber(4, "here"))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEWER_FORMAT));
  }

  @Test
  void vertexKeys() {
    assertThat(VertexKeys.pack(1, 5, 7)).isEqualTo(0x0010000000050007L);
    assertThat(VertexKeys.pack(4095, VertexKeys.MAX_COUNTER, 0xffff)).isEqualTo(-1L);
    assertThat(VertexKeys.labelId(-1L)).isEqualTo(4095);
    assertThat(VertexKeys.counter(0x0010000000050007L)).isEqualTo(5);
    assertThat(VertexKeys.virtualNode(0x0010000000050007L)).isEqualTo(7);
  }

  @Test
  void rowKeys() {
    assertThat(hex(stamped(RowKeys.vertexBodySlot(0x0010000000050007L), 1, 1)))
        .isEqualTo("0010000000050007" + "0000" + "0000000000" + "fffffffffffffffe");
    assertThat(hex(stamped(RowKeys.attributeSlot(0x0010000000050007L, 2, 9), 1, 2)))
        .isEqualTo(
            "0010000000050007" + "0002" + "0000000009" + "fffffffffffffffe" + "fffffffffffffffd");
    assertThat(hex(stamped(RowKeys.outSlot(EDGE, 4), 1, 1)))
        .isEqualTo(
            "0010000000050007"
                + "0003"
                + "0020000000060009"
                + "0102030405"
                + "0004"
                + "fffffffffffffffe");
    assertThat(hex(stamped(RowKeys.inSlot(EDGE), 1, 1)))
        .isEqualTo(
            "0020000000060009"
                + "0003"
                + "0010000000050007"
                + "0102030405"
                + "0000"
                + "fffffffffffffffe");
    assertThat(hex(RowKeys.vertexIdKey("/a"))).isEqualTo("56" + "2f61");
    assertThat(hex(RowKeys.edgeIdKey("é"))).isEqualTo("45" + "c3a9");
    assertThat(RowKeys.edgeKey(RowKeys.edgeKeyBytes(EDGE), 0)).isEqualTo(EDGE);
  }

  @Test
  void values() {
    Map<Object, String> golden = new LinkedHashMap<>();
    golden.put(false, "01");
    golden.put(true, "02");
    golden.put((short) -2, "03fffe");
    golden.put(7, "0400000007");
    golden.put(-1L, "05ffffffffffffffff");
    golden.put(BigInteger.valueOf(256), "06020100");
    golden.put(1.5f, "073fc00000");
    golden.put(1.5d, "083ff8000000000000");
    golden.put("aé", "090361c3a9");
    golden.put(new UUID(1, 2), "0a00000000000000010000000000000002");
    golden.put(ByteBuffer.wrap(new byte[] {1, 2}), "0b020102");
    golden.put(new Date(5), "0c0000000000000005");
    golden.put(
        OffsetDateTime.parse("1970-01-01T01:00:01.000000002+01:00"),
        "0d00000000000000010000000200000e10");
    golden.put(List.of(1, "a"), "0e020400000001090161");
    golden.put(new LinkedHashSet<>(List.of(true)), "0f0102");
    golden.put(Map.of("k", 1), "100109016b0400000001");
    golden.forEach(
        (value, bytes) -> {
          ByteWriter out = new ByteWriter(16);
          ValueCodec.write(out, value);
          assertThat(hex(out.toArray())).as(value.toString()).isEqualTo(bytes);
          ByteReader in = new ByteReader(out.array(), 0, out.size());
          assertThat(ValueCodec.read(in)).isEqualTo(value);
          assertThat(in.remaining()).isZero();
        });
  }

  @Test
  void propertyRows() {
    ByteWriter out = new ByteWriter(16);
    RowValues.writeProperty(out, "id", 7, Map.of(3, true), false);
    assertThat(hex(out.toArray())).isEqualTo("06" + "026964" + "0400000007" + "01" + "03" + "02");
    assertThat(hex(RowValues.tombstone())).isEqualTo("01");
    ByteWriter body = new ByteWriter(16);
    RowValues.writeBodyHeader(body, "id");
    assertThat(hex(body.toArray())).isEqualTo("02" + "026964");
    assertThat(RowValues.bodyHeaderLength(body.array(), body.size())).isEqualTo(4);
  }

  @Test
  void theHashThatPlacesIds() {
    VirtualNodeMap map = VirtualNodeMap.roundRobin(1, 1024, 4);
    assertThat(VirtualNodeMap.hash("")).isEqualTo(-1166397803181037274L);
    assertThat(VirtualNodeMap.hash("/proj/hx01/config/model.cfg")).isEqualTo(-6278784420728121664L);
    int[] counts = new int[1024];
    for (int i = 0; i < 102_400; i++) {
      counts[map.virtualNode("/scratch/chen/tiles/tile_" + i)]++;
    }
    assertThat(Arrays.stream(counts).max().orElse(0))
        .isLessThan(160); // 100 on average; 6 deviations
  }

  @Test
  void laterVersionsComeFirst() {
    Random random = new Random(7);
    byte[] slot = RowKeys.attributeSlot(1, 2, 3);
    for (int i = 0; i < 1000; i++) {
      long earlier = random.nextLong() >>> 2;
      long later = earlier + 1 + (random.nextInt() & 0xffff);
      assertThat(
              Arrays.compareUnsigned(stamped(slot, later, later), stamped(slot, earlier, earlier)))
          .isNegative();
      assertThat(ElementLayout.VERTEX.valid(stamped(slot, earlier, later))).isEqualTo(earlier);
      byte[] backfilled = stamped(slot, earlier, later);
      assertThat(ElementLayout.VERTEX.committed(backfilled, backfilled.length)).isEqualTo(later);
      byte[] live = stamped(slot, later, later);
      assertThat(ElementLayout.VERTEX.committed(live, live.length)).isEqualTo(later);
    }
  }

  @Test
  void damagedValuesAreCorruptionAndNothingElse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ByteWriter out = new ByteWriter(64);
    ValueCodec.write(
        out, List.of(Map.of("k", List.of(1, 2L, "text")), new UUID(3, 4), BigInteger.TEN));
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = out.toArray();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      int length = random.nextInt(damaged.length + 1);
      try {
        ValueCodec.read(new ByteReader(damaged, 0, length));
      } catch (GraphMetaException e) {
        assertThat(e.code()).as("seed " + seed).isEqualTo(ErrorCode.CORRUPTION);
      }
    }
  }
}
