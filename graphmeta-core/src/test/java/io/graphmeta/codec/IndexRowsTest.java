package io.graphmeta.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexRowsTest {
  private static final long STAMP = 0x0102_0304_0506_0708L;

  private static byte[] key(String name) {
    byte[] slot = IndexRows.slot(name);
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    return Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, STAMP, STAMP));
  }

  @Test
  void aDefinitionIsReadAsItWasBuilt() {
    for (ElementKind element : ElementKind.values()) {
      for (Set<IndexKind> kinds :
          Set.of(EnumSet.allOf(IndexKind.class), EnumSet.of(IndexKind.PATH))) {
        byte[] key = key("Datei.größe");
        byte[] value = IndexRows.value(element, 4095, 0xffff, kinds);
        assertThat(IndexRows.isDefinition(key, 0, key.length)).isTrue();
        assertThat(IndexRows.read(key, key.length, value, value.length))
            .isEqualTo(new IndexDefinition(STAMP, "Datei.größe", element, 4095, 0xffff, kinds));
      }
    }
  }

  @Test
  void theBytesStay() {
    byte[] value =
        IndexRows.value(ElementKind.VERTEX, 2, 258, EnumSet.of(IndexKind.EXACT, IndexKind.PATH));
    assertThat(HexFormat.of().formatHex(value)).isEqualTo("0000" + "0002" + "0102" + "09");
    assertThat(new String(IndexRows.slot("a.b"), StandardCharsets.US_ASCII))
        .isEqualTo("definition a.b");
  }

  @Test
  void aTombstoneDefinesNothing() {
    byte[] key = key("file.name");
    byte[] value = IndexRows.tombstone();
    assertThat(IndexRows.read(key, key.length, value, value.length)).isNull();
    assertThat(IndexRows.name(key, key.length)).isEqualTo("file.name");
    assertThat(IndexRows.stamp(key, key.length)).isEqualTo(STAMP);
  }

  @Test
  void whatIsNoDefinitionIsRefused() {
    byte[] other = "stamp-bound".getBytes(StandardCharsets.US_ASCII);
    assertThat(IndexRows.isDefinition(other, 0, other.length)).isFalse();
    byte[] key = key("file.name");
    byte[] value = {0, 0, 0, 1, 0, 1, 0x7f};
    assertThatThrownBy(() -> IndexRows.read(key, key.length, value, value.length))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("file.name");
    assertThatThrownBy(() -> IndexRows.slot("")).hasMessageContaining("expected 1 to 512");
    assertThatThrownBy(() -> IndexRows.slot("x".repeat(513))).hasMessageContaining("513 bytes");
  }
}
