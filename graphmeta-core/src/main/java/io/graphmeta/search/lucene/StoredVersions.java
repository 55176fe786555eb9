package io.graphmeta.search.lucene;

import io.graphmeta.search.AttributeIndex.StoredVersion;
import io.graphmeta.search.IndexedVersion;
import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;
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

  /** The versions of a definition. */
  static void forEach(DirectoryReader reader, long definition, Consumer<StoredVersion> action)
      throws IOException {
    BytesRef prefix = Identity.prefix(definition);
    for (LeafReaderContext context : reader.leaves()) {
      LeafReader leaf = context.reader();
      Terms terms = Terms.getTerms(leaf, Identity.FIELD);
      TermsEnum each = terms.iterator();
      PostingsEnum postings = null;
      TermsEnum.SeekStatus status = each.seekCeil(prefix);
      BytesRef term = status == TermsEnum.SeekStatus.END ? null : each.term();
      while (term != null && StringHelper.startsWith(term, prefix)) {
        postings = each.postings(postings, PostingsEnum.NONE);
        int doc = live(leaf, postings);
        if (doc != DocIdSetIterator.NO_MORE_DOCS) {
          Identity identity = Identity.of(term);
          action.accept(
              new StoredVersion(
                  identity.element(),
                  identity.valueId(),
                  identity.valid(),
                  identity.committed(),
                  stamp(leaf, VersionDocuments.END_VALID, doc),
                  stamp(leaf, VersionDocuments.END_COMMITTED, doc)));
        }
        term = each.next();
      }
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
