package io.graphmeta.search.lucene;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.search.IndexClause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * One search of what is published: the vertices, or the edges, that a clause may be true or an
 * error of.
 *
 * <p>A document says something of one property, so clauses are joined by the keys of elements, or
 * by numbers that stand for these. A conjunction is led by the part that is expected to find the
 * fewest documents; of the other parts only those documents count whose element is among the keys
 * so far. A part with many documents for each key is not asked: to confirm the keys costs less.
 *
 * <p>A conjunction is asked in its order: it is an error of an element when one part is, and all
 * before it may be true. So with the elements of which all parts may be true, it finds those.
 */
final class ClauseSearch {
  /** Keys that the leading part of a conjunction may find, if more than may come out. */
  private static final int MAX_LEADING_KEYS = 1 << 20;

  /** Documents that are read in the time in which a candidate is confirmed. */
  private static final long DOCUMENTS_PER_CANDIDATE = 256;

  private static final int DOCUMENTS_PER_CHECK = 1 << 12;

  private final Published published;
  private final ViewSpan views;
  private final ElementNumbers numbers;
  private final boolean exact;
  private final BooleanSupplier closing;

  /**
   * A search.
   *
   * @param exact whether every part is asked, however much that costs
   * @param closing tells it to end
   */
  ClauseSearch(
      Published published,
      ViewSpan views,
      ElementNumbers numbers,
      boolean exact,
      BooleanSupplier closing) {
    this.published = published;
    this.views = views;
    this.numbers = numbers;
    this.exact = exact;
    this.closing = closing;
  }

  /** Numbers of elements, rising; null if there are more than {@code most}. */
  long @Nullable [] find(IndexClause clause, int most) throws IOException {
    long[] found;
    try {
      found = collect(part(clause), most);
    } catch (IndexSearcher.TooManyClauses e) {
      return null;
    }
    return found == null || found.length > most ? null : found;
  }

  // What is to be searched

  /** A part of a search, with the documents that it is expected to find. */
  private sealed interface Part {
    long cost();
  }

  /** Elements of documents. */
  private record Documents(List<Segment> segments, long cost) implements Part {}

  /** The documents that a query finds in a segment. */
  private record Segment(Weight weight, LeafReaderContext leaf) {}

  /** Elements that all parts find. */
  private record All(List<Part> of) implements Part {
    @Override
    public long cost() {
      return of.stream().mapToLong(Part::cost).min().orElse(Long.MAX_VALUE);
    }
  }

  /** Elements that one of the parts finds. */
  private record Any(List<Part> of) implements Part {
    @Override
    public long cost() {
      return of.stream().mapToLong(Part::cost).sum();
    }
  }

  private Part part(IndexClause clause) throws IOException {
    if (clause instanceof IndexClause.Test test) {
      return documents(new TestQueries(test.definition()).candidates(test.test()));
    }
    if (clause instanceof IndexClause.Or or) {
      return new Any(parts(or.of()));
    }
    List<IndexClause> clauses = ((IndexClause.And) clause).of();
    if (clauses.isEmpty()) {
      throw GraphMetaException.internal("A conjunction of nothing is true of all elements");
    }
    List<Part> parts = parts(clauses);
    List<Part> any = new ArrayList<>();
    any.add(new All(parts));
    // If the last part is an error, all parts find the element.
    addErrors(clauses.subList(0, clauses.size() - 1), parts, any);
    return any.size() == 1 ? any.get(0) : new Any(any);
  }

  private List<Part> parts(List<IndexClause> clauses) throws IOException {
    List<Part> parts = new ArrayList<>(clauses.size());
    for (IndexClause each : clauses) {
      parts.add(part(each));
    }
    return parts;
  }

  /** Adds, for each of some clauses that may be an error, what finds it and all parts before it. */
  private void addErrors(List<IndexClause> clauses, List<Part> parts, List<Part> to)
      throws IOException {
    for (int i = 0; i < clauses.size(); i++) {
      Part errors = errors(clauses.get(i));
      if (errors != null) {
        List<Part> all = new ArrayList<>(parts.subList(0, i));
        all.add(errors);
        to.add(new All(all));
      }
    }
  }

  /** Elements that a clause may be an error of; null if there are none. */
  private @Nullable Part errors(IndexClause clause) throws IOException {
    if (clause instanceof IndexClause.Test test) {
      Query query = new TestQueries(test.definition()).errors(test.test());
      Documents documents = query == null ? null : documents(query);
      return documents == null || documents.segments().isEmpty() ? null : documents;
    }
    List<Part> any = new ArrayList<>();
    if (clause instanceof IndexClause.And and) {
      addErrors(and.of(), parts(and.of()), any);
    } else {
      for (IndexClause each : ((IndexClause.Or) clause).of()) {
        Part errors = errors(each);
        if (errors != null) {
          any.add(errors);
        }
      }
    }
    return any.isEmpty() ? null : new Any(any);
  }

  private Documents documents(Query query) throws IOException {
    List<Segment> segments = new ArrayList<>();
    long cost = 0;
    for (Side side : published.sides()) {
      Query visible = side.visible(query, views);
      if (visible == null) {
        continue;
      }
      IndexSearcher searcher = side.searcher();
      Weight weight =
          searcher.createWeight(searcher.rewrite(visible), ScoreMode.COMPLETE_NO_SCORES, 1);
      for (LeafReaderContext leaf : side.reader().leaves()) {
        ScorerSupplier found = weight.scorerSupplier(leaf);
        if (found != null) {
          segments.add(new Segment(weight, leaf));
          cost += found.cost();
        }
      }
    }
    return new Documents(segments, cost);
  }

  // Searching

  /** All keys that a part finds, sorted; null if there are more than {@code most}. */
  private long @Nullable [] collect(Part part, int most) throws IOException {
    if (part instanceof Documents documents) {
      KeyBuffer keys = new KeyBuffer(most);
      return read(documents, false, keys::add) ? keys.sorted() : null;
    }
    if (part instanceof All all) {
      return collectAll(all, Math.max(most, MAX_LEADING_KEYS));
    }
    KeyBuffer union = new KeyBuffer(most);
    for (Part each : ((Any) part).of()) {
      long[] keys = collect(each, most);
      if (keys == null) {
        return null;
      }
      for (long key : keys) {
        if (!union.add(key)) {
          return null;
        }
      }
    }
    return union.sorted();
  }

  private long @Nullable [] collectAll(All all, int most) throws IOException {
    List<Part> others = new ArrayList<>(all.of());
    others.sort(Comparator.comparingLong(Part::cost));
    for (Part leading : List.copyOf(others)) {
      long[] keys = collect(leading, most);
      if (keys != null) {
        others.remove(leading);
        return narrow(others, keys);
      }
    }
    return null;
  }

  private long[] narrow(List<Part> all, long[] keys) throws IOException {
    long[] narrowed = keys;
    for (Part each : all) {
      if (exact || each.cost() / DOCUMENTS_PER_CANDIDATE <= narrowed.length) {
        narrowed = narrow(each, narrowed);
      }
    }
    return narrowed;
  }

  /** Those of some keys that a part finds too. */
  private long[] narrow(Part part, long[] keys) throws IOException {
    if (keys.length == 0) {
      return keys;
    }
    if (part instanceof All all) {
      return narrow(all.of(), keys);
    }
    boolean[] found = new boolean[keys.length];
    if (part instanceof Documents documents) {
      read(
          documents,
          true,
          key -> {
            int index = Arrays.binarySearch(keys, key);
            if (index >= 0) {
              found[index] = true;
            }
            return true;
          });
    } else {
      for (Part each : ((Any) part).of()) {
        for (long key : narrow(each, keys)) {
          found[Arrays.binarySearch(keys, key)] = true;
        }
      }
    }
    int size = 0;
    long[] narrowed = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      if (found[i]) {
        narrowed[size++] = keys[i];
      }
    }
    return Arrays.copyOf(narrowed, size);
  }

  /** Takes keys until it has enough. */
  private interface KeySink {
    /** Takes a key; false to be given no more. */
    boolean take(long key);
  }

  /** Reads the elements of documents; false if the sink had enough before they ended. */
  private boolean read(Documents documents, boolean known, KeySink sink) throws IOException {
    for (Segment segment : documents.segments()) {
      ScorerSupplier found = segment.weight().scorerSupplier(segment.leaf());
      if (found != null
          && !read(segment.leaf(), found.get(Long.MAX_VALUE).iterator(), known, sink)) {
        return false;
      }
    }
    return true;
  }

  private boolean read(LeafReaderContext leaf, DocIdSetIterator found, boolean known, KeySink sink)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    ElementNumbers.Column elements = numbers.of(leaf.reader());
    int untilCheck = 0;
    for (int doc = found.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = found.nextDoc()) {
      if (untilCheck-- == 0) {
        if (closing.getAsBoolean()) {
          throw new AlreadyClosedException("The index was closed during a search");
        }
        untilCheck = DOCUMENTS_PER_CHECK;
      }
      boolean counts = live == null || live.get(doc);
      if (counts && !sink.take(elements.of(doc, known))) {
        return false;
      }
    }
    return true;
  }
}
