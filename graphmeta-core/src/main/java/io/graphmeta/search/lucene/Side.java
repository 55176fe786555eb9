package io.graphmeta.search.lucene;

import static org.apache.lucene.search.BooleanClause.Occur.FILTER;
import static org.apache.lucene.search.BooleanClause.Occur.SHOULD;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import java.io.IOException;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * One of the two Lucene indexes as it was published: the versions that are open, or those that have
 * ended. It knows the greatest stamps that it holds, so that views from behind them, which most
 * are, compare no stamps.
 */
final class Side {
  private final DirectoryReader reader;
  private final IndexSearcher searcher;
  private final boolean ended;
  private final long lastValid;
  private final long lastCommitted;
  private final long lastEndValid;
  private final long lastEndCommitted;

  /** A reader is closed by who opened it. */
  Side(DirectoryReader reader, boolean ended) throws IOException {
    this.reader = reader;
    this.ended = ended;
    searcher = new IndexSearcher(reader);
    // What it would keep is not counted by anybody.
    searcher.setQueryCache(null);
    lastValid = last(reader, VersionDocuments.VALID);
    lastCommitted = last(reader, VersionDocuments.COMMITTED);
    lastEndValid = last(reader, VersionDocuments.END_VALID);
    lastEndCommitted = last(reader, VersionDocuments.END_COMMITTED);
  }

  private static long last(DirectoryReader reader, String field) throws IOException {
    byte[] last = PointValues.getMaxPackedValue(reader, field);
    return last == null ? Long.MIN_VALUE : NumericUtils.sortableBytesToLong(last, 0);
  }

  DirectoryReader reader() {
    return reader;
  }

  IndexSearcher searcher() {
    return searcher;
  }

  /**
   * What a query finds that may be seen in one of some views: of versions that began by the last of
   * them, those that had not ended by the first or were not known to have.
   *
   * @return null if it is nothing
   */
  @Nullable Query visible(Query query, ViewSpan views) {
    ReadView view = views.last();
    if (!isSeen(views)) {
      return null;
    }
    BooleanQuery.Builder visible = new BooleanQuery.Builder().add(query, FILTER);
    if (view.validAt() < lastValid) {
      visible.add(upTo(VersionDocuments.VALID, view.validAt()), FILTER);
    }
    if (view.knownAt() < lastCommitted) {
      visible.add(upTo(VersionDocuments.COMMITTED, view.knownAt()), FILTER);
    }
    if (ended) {
      BooleanQuery.Builder notEnded = new BooleanQuery.Builder();
      if (views.validFrom() < lastEndValid) {
        notEnded.add(after(VersionDocuments.END_VALID, views.validFrom()), SHOULD);
      }
      if (view.knownAt() < lastEndCommitted) {
        notEnded.add(after(VersionDocuments.END_COMMITTED, view.knownAt()), SHOULD);
      }
      visible.add(notEnded.build(), FILTER);
    }
    return visible.build();
  }

  /** Whether a view sees everything here that it could, and nothing that has ended. */
  boolean isSeenAsItIs(ReadView view) {
    if (ended) {
      return view.validAt() >= lastEndValid && view.knownAt() >= lastEndCommitted;
    }
    return view.validAt() >= lastValid && view.knownAt() >= lastCommitted;
  }

  /** Whether one of some views may see something here. */
  boolean isSeen(ViewSpan views) {
    return !ended || views.validFrom() < lastEndValid || views.last().knownAt() < lastEndCommitted;
  }

  private static Query upTo(String field, long stamp) {
    return LongField.newRangeQuery(field, Long.MIN_VALUE, stamp);
  }

  private static Query after(String field, long stamp) {
    return LongField.newRangeQuery(field, stamp + 1, Long.MAX_VALUE);
  }
}
