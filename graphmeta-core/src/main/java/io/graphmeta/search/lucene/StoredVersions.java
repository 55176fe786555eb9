package io.graphmeta.search.lucene;

import io.graphmeta.search.AttributeIndex.StoredVersion;
import io.graphmeta.search.AttributeIndex.VersionPage;
import io.graphmeta.search.IndexedVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/** Versions read back from the terms of their identities. */
final class StoredVersions {
  private StoredVersions() {}

  /**
   * Versions of a definition, of the elements from a key on; see {@link
   * io.graphmeta.search.AttributeIndex#versions}. Terms of versions that were deleted, and are not
   * merged away yet, count as versions do.
   */
  static VersionPage page(
      List<LeafReaderContext> leaves, long definition, byte[] from, int most, long stamp)
      throws IOException {
    PriorityQueue<LeafTerms> terms = new PriorityQueue<>();
    for (LeafReaderContext context : leaves) {
      LeafTerms each = new LeafTerms(context.reader(), definition);
      if (each.seek(Identity.from(definition, from))) {
        terms.add(each);
      }
    }
    List<StoredVersion> versions = new ArrayList<>();
    byte[] element = {};
    for (int passed = 0; !terms.isEmpty(); passed++) {
      LeafTerms first = terms.remove();
      Identity identity = first.identity();
      if (passed >= most && passed > 0 && !Arrays.equals(identity.element(), element)) {
        return new VersionPage(versions, identity.element(), stamp);
      }
      element = identity.element();
      first.addVersion(identity, versions);
      if (first.next()) {
        terms.add(first);
      }
    }
    return new VersionPage(versions, null, stamp);
  }

  /** The terms of a definition in one segment, by their order. */
  private static final class LeafTerms implements Comparable<LeafTerms> {
    private final LeafReader leaf;
    private final BytesRef prefix;
    private final TermsEnum terms;
    private @Nullable PostingsEnum postings;
    private BytesRef term = new BytesRef();

    LeafTerms(LeafReader leaf, long definition) throws IOException {
      this.leaf = leaf;
      prefix = Identity.prefix(definition);
      terms = Terms.getTerms(leaf, Identity.FIELD).iterator();
    }

    boolean seek(BytesRef target) throws IOException {
      return terms.seekCeil(target) != TermsEnum.SeekStatus.END && take(terms.term());
    }

    boolean next() throws IOException {
      return take(terms.next());
    }

    /** The bytes stay the same until the next is asked for. */
    private boolean take(@Nullable BytesRef found) {
      if (found == null || !StringHelper.startsWith(found, prefix)) {
        return false;
      }
      term = found;
      return true;
    }

    Identity identity() {
      return Identity.of(term);
    }

    void addVersion(Identity identity, List<StoredVersion> into) throws IOException {
      postings = terms.postings(postings, PostingsEnum.NONE);
      int doc = live(leaf, postings);
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        into.add(
            new StoredVersion(
                identity.element(),
                identity.valueId(),
                identity.valid(),
                identity.committed(),
                stamp(leaf, VersionDocuments.END_VALID, doc),
                stamp(leaf, VersionDocuments.END_COMMITTED, doc)));
      }
    }

    @Override
    public int compareTo(LeafTerms other) {
      return term.compareTo(other.term);
    }
  }

  /** Adds the definitions that have versions. */
  static void addDefinitions(DirectoryReader reader, Set<Long> definitions) throws IOException {
    for (LeafReaderContext context : reader.leaves()) {
      TermsEnum each = Terms.getTerms(context.reader(), Identity.FIELD).iterator();
      PostingsEnum postings = null;
      BytesRef term = each.next();
      while (term != null) {
        long definition = Identity.definition(term);
        postings = each.postings(postings, PostingsEnum.NONE);
        if (definitions.contains(definition)
            || live(context.reader(), postings) != DocIdSetIterator.NO_MORE_DOCS) {
          definitions.add(definition);
          term = next(each, definition);
        } else {
          term = each.next();
        }
      }
    }
  }

  /** The first term of the definitions behind one. */
  private static @Nullable BytesRef next(TermsEnum terms, long definition) throws IOException {
    TermsEnum.SeekStatus status = terms.seekCeil(Identity.prefix(definition + 1));
    return status == TermsEnum.SeekStatus.END ? null : terms.term();
  }

  private static int live(LeafReader leaf, PostingsEnum postings) throws IOException {
    Bits live = leaf.getLiveDocs();
    int doc = postings.nextDoc();
    while (doc != DocIdSetIterator.NO_MORE_DOCS && live != null && !live.get(doc)) {
      doc = postings.nextDoc();
    }
    return doc;
  }

  private static long stamp(LeafReader leaf, String field, int doc) throws IOException {
    SortedNumericDocValues stamps = DocValues.getSortedNumeric(leaf, field);
    return stamps.advanceExact(doc) ? stamps.nextValue() : IndexedVersion.OPEN;
  }
}
