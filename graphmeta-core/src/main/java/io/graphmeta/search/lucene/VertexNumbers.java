package io.graphmeta.search.lucene;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;

/**
 * The keys of vertices with their highest bit turned, so that their signed order is the unsigned
 * one of keys.
 */
final class VertexNumbers implements ElementNumbers {
  @Override
  public Column of(LeafReader leaf) throws IOException {
    NumericDocValues vertices = leaf.getNumericDocValues(VersionDocuments.VERTEX);
    return (doc, known) -> {
      if (vertices == null || !vertices.advanceExact(doc)) {
        throw new CorruptIndexException("Document " + doc + " has no vertex", leaf.toString());
      }
      return turned(vertices.longValue());
    };
  }

  /** The keys of sorted numbers, in unsigned order. */
  long[] keys(long[] numbers) {
    long[] keys = new long[numbers.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = turned(numbers[i]);
    }
    return keys;
  }

  /** The numbers of keys in unsigned order, rising. */
  long[] numbers(long[] keys) {
    return keys(keys); // the same bit turns either way
  }

  private static long turned(long key) {
    return key ^ Long.MIN_VALUE;
  }
}
