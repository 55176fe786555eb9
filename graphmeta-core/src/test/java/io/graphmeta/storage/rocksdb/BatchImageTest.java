package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.WriteBatch;

class BatchImageTest {
  @TempDir private Path directory;

  /**
   * Lengths on both sides of the borders of varints, and what RocksDB itself makes of the same
   * rows.
   */
  @Test
  void hasTheBytesThatRocksDbMakes() throws Exception {
    int[] lengths = {0, 1, 127, 128, 129, 16_383, 16_384, 70_000};
    Random random = new Random(11);
    try (NativeStore store = NativeStore.open(directory, RocksDbSettings.defaults(), null, true);
        WriteBatch expected = new WriteBatch()) {
      RowBatch batch = new RowBatch(0);
      byte[] claim = new LogClaim(1L << 40, 17).encode();
      expected.putLogData(claim);
      for (int keyLength : lengths) {
        for (int valueLength : lengths) {
          Family family = Family.values()[random.nextInt(Family.values().length)];
          byte[] key = new byte[keyLength];
          byte[] value = new byte[valueLength];
          random.nextBytes(key);
          random.nextBytes(value);
          batch.put(family, key, value);
          expected.put(store.handle(family), key, value);
          batch.delete(family, key);
          expected.delete(store.handle(family), key);
        }
      }
      assertThat(BatchImage.of(batch, store.familyIds(), claim)).isEqualTo(expected.data());
    }
  }

  @Test
  void anEmptyBatchIsAHeaderAndAClaim() {
    byte[] claim = new LogClaim(7, 3).encode();
    byte[] image = BatchImage.of(new RowBatch(0), new int[Family.values().length], claim);
    assertThat(image).startsWith(new byte[12]).hasSize(12 + 2 + LogClaim.BYTES);
    assertThat(LogClaim.of(ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN)))
        .isEqualTo(new LogClaim(7, 3));
  }
}
