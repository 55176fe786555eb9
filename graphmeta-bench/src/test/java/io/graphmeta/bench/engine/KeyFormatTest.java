package io.graphmeta.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bench.workload.PathIds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyFormatTest {
  @ParameterizedTest
  @EnumSource(KeyFormat.class)
  void keysAreDistinctAndOfTheLengthTold(KeyFormat format) {
    Set<ByteBuffer> keys = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      byte[] key = format.vertexKey(i, KeyFormat.idBytes(PathIds.of(i)));
      assertThat(keys.add(ByteBuffer.wrap(key))).isTrue();
      if (format.fixedBytes() > 0) {
        assertThat(key).hasSize(format.fixedBytes());
      }
    }
  }

  @Test
  void onlyTheCounterInFrontKeepsTheOrderOfCreation() {
    assertThat(risesWithCreation(KeyFormat.NODE_LAST)).isTrue();
    assertThat(risesWithCreation(KeyFormat.NODE_FIRST)).isFalse();
    assertThat(risesWithCreation(KeyFormat.HASH)).isFalse();
  }

  private static boolean risesWithCreation(KeyFormat format) {
    byte[] last = new byte[0];
    for (int i = 0; i < 100; i++) {
      byte[] key = format.vertexKey(i, KeyFormat.idBytes(PathIds.of(i)));
      if (Arrays.compareUnsigned(last, key) >= 0) {
        return false;
      }
      last = key;
    }
    return true;
  }
}
