package io.graphmeta.search.lucene;

import io.graphmeta.search.IndexDefinition;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Counts the vertices that have each text of a definition, term by term, where each vertex has one
 * value and its term tells it. Belongs to one search.
 */
final class ValueCounting {
  private static final int DOCUMENTS_PER_CHECK = 1 << 12;

  private final VertexNumbers numbers;
  private final long @Nullable [] of;
  private final long[] without;
  private final int most;
  private final BooleanSupplier closing;
  private final Map<String, Long> counts = new HashMap<>();
  private int untilCheck;

  /**
   * A counting.
   *
   * @param of the numbers of those that are counted, rising; null for all
   * @param without the numbers of those that are not, rising
   * @param most values that are counted
   */
  ValueCounting(
      VertexNumbers numbers,
      long @Nullable [] of,
      long[] without,
      int most,
      BooleanSupplier closing) {
    this.numbers = numbers;
    this.of = of;
    this.without = without;
    this.most = most;
    this.closing = closing;
  }

  /** The counts by text; null if there are too many, or a value is no text that its term tells. */
  @Nullable Map<String, Long> count(IndexDefinition definition, Side side) throws IOException {
    for (LeafReaderContext context : side.reader().leaves()) {
      LeafReader leaf = context.reader();
      Terms terms = leaf.terms(VersionDocuments.exact(definition));
      if (terms == null) {
        continue;
      }
      TermsEnum all = terms.iterator();
      PostingsEnum found = null;
      for (BytesRef term = all.next(); term != null; term = all.next()) {
        check();
        long count;
        if (of == null && without.length == 0 && !leaf.hasDeletions()) {
          count = all.docFreq();
        } else {
          found = all.postings(found, PostingsEnum.NONE);
          count = count(leaf, found);
        }
        if (count > 0) {
          String text = ExactTerms.textOf(term);
          if (text == null) {
            return null;
          }
          counts.merge(text, count, Long::sum);
          if (counts.size() > most) {
            return null;
          }
        }
      }
    }
    return counts;
  }

  private long count(LeafReader leaf, DocIdSetIterator found) throws IOException {
    Bits live = leaf.getLiveDocs();
    boolean all = of == null && without.length == 0;
    ElementNumbers.Column vertices = all ? null : numbers.of(leaf);
    long count = 0;
    for (int doc = found.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = found.nextDoc()) {
      check();
      if (live == null || live.get(doc)) {
        count += vertices == null || isCounted(vertices.of(doc, false)) ? 1 : 0;
      }
    }
    return count;
  }

  private boolean isCounted(long vertex) {
    return Arrays.binarySearch(without, vertex) < 0
        && (of == null || Arrays.binarySearch(of, vertex) >= 0);
  }

  private void check() {
    if (untilCheck-- == 0) {
      if (closing.getAsBoolean()) {
        throw new AlreadyClosedException("The index was closed during a search");
      }
      untilCheck = DOCUMENTS_PER_CHECK;
    }
  }
}
