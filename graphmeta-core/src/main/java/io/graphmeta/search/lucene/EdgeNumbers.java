package io.graphmeta.search.lucene;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;

/** Edges by the order in which a search has met them. Belongs to one search. */
final class EdgeNumbers implements ElementNumbers {
  private final BytesRefHash met = new BytesRefHash();

  @Override
  public Column of(LeafReader leaf) throws IOException {
    BinaryDocValues edges = leaf.getBinaryDocValues(VersionDocuments.EDGE);
    return (doc, known) -> {
      if (edges == null || !edges.advanceExact(doc)) {
        throw new CorruptIndexException("Document " + doc + " has no edge", leaf.toString());
      }
      BytesRef key = edges.binaryValue();
      if (known) {
        return met.find(key);
      }
      int number = met.add(key);
      return number < 0 ? -number - 1 : number; // it was met before
    };
  }

  /** The keys of edges, in unsigned order. */
  byte[][] keys(long[] numbers) {
    BytesRef met = new BytesRef();
    byte[][] keys = new byte[numbers.length][];
    for (int i = 0; i < keys.length; i++) {
      this.met.get((int) numbers[i], met);
      keys[i] = Arrays.copyOfRange(met.bytes, met.offset, met.offset + met.length);
    }
    Arrays.sort(keys, Arrays::compareUnsigned);
    return keys;
  }
}
