package io.graphmeta.search.lucene;

import io.graphmeta.search.AttributeIndex.OrderedPart;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.index.TermsEnum.SeekStatus;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * Looks up where the next so many texts of a definition end, in their order, which is that of their
 * terms. Terms are kept to be walked forward only: of an order that falls, the last byte of a
 * prefix that has terms is looked for, until what stands behind it is as much as is wanted. What it
 * answers is where to look for candidates, and counts what was removed too.
 */
final class OrderedTerms {
  private static final int BYTES = 256;

  private final OrderedPart part;
  private final TermsEnum terms;

  private OrderedTerms(OrderedPart part, TermsEnum terms) {
    this.part = part;
    this.terms = terms;
  }

  /** The text of the last of the next so many; null if there are not so many. */
  static @Nullable String last(OrderedPart part, List<Side> sides) throws IOException {
    IndexReader[] readers = sides.stream().map(Side::reader).toArray(IndexReader[]::new);
    boolean closeReaders = false;
    Terms terms =
        MultiTerms.getTerms(
            new MultiReader(readers, closeReaders), VersionDocuments.exact(part.definition()));
    if (terms == null) {
      return null;
    }
    OrderedTerms walk = new OrderedTerms(part, terms.iterator());
    BytesRef behind = part.behind() instanceof String text ? ExactTerms.ofValue(text).get(0) : null;
    BytesRef last = part.falling() ? walk.falling(behind) : walk.rising(behind);
    return last == null ? null : ExactTerms.textOf(last);
  }

  private @Nullable BytesRef rising(@Nullable BytesRef behind) throws IOException {
    BytesRef term;
    if (behind == null) {
      term = terms.next();
    } else {
      SeekStatus found = terms.seekCeil(behind);
      term =
          found == SeekStatus.END ? null : found == SeekStatus.FOUND ? terms.next() : terms.term();
    }
    for (long count = 0; term != null; term = terms.next()) {
      count += terms.docFreq();
      if (count >= part.about()) {
        return term;
      }
    }
    return null;
  }

  private @Nullable BytesRef falling(@Nullable BytesRef behind) throws IOException {
    BytesRef end = behind == null ? ExactTerms.endOfTexts() : behind;
    BytesRefBuilder prefix = new BytesRefBuilder();
    while (true) {
      BytesRef from = null;
      long count = 0;
      BytesRef before = end;
      int next;
      for (next = lastByte(prefix, BYTES, before); next >= 0; ) {
        BytesRef child = child(prefix, next);
        long more = count(child, before, part.about() - count);
        if (count + more > part.about()) {
          break;
        }
        count += more;
        from = child;
        before = child;
        next = lastByte(prefix, next, before);
      }
      if (from != null && next >= 0 || next < 0 && prefix.length() > 0) {
        BytesRef first = from == null || next < 0 ? prefix.get() : from;
        return terms.seekCeil(first) == SeekStatus.END ? null : terms.term();
      }
      if (next < 0) {
        return null; // the terms were not so many
      }
      prefix.append((byte) next);
    }
  }

  /** The greatest byte below another that follows a prefix in a term before another; -1 if none. */
  private int lastByte(BytesRefBuilder prefix, int below, BytesRef before) throws IOException {
    int low = -1; // the greatest byte that is known to be followed by a term
    int high = below;
    while (low + 1 < high) {
      int middle = (low + high) >>> 1;
      BytesRef child = child(prefix, middle);
      boolean isFollowed =
          terms.seekCeil(child) != SeekStatus.END
              && terms.term().compareTo(before) < 0
              && startsWith(terms.term(), prefix.get());
      if (isFollowed) {
        low = Byte.toUnsignedInt(terms.term().bytes[terms.term().offset + prefix.length()]);
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** How many documents terms from one on and before another have; more than most is enough. */
  private long count(BytesRef from, BytesRef before, long most) throws IOException {
    long count = 0;
    BytesRef term = terms.seekCeil(from) == SeekStatus.END ? null : terms.term();
    for (; term != null && term.compareTo(before) < 0 && count <= most; term = terms.next()) {
      count += terms.docFreq();
    }
    return count;
  }

  private static BytesRef child(BytesRefBuilder prefix, int next) {
    BytesRefBuilder child = new BytesRefBuilder();
    child.append(prefix);
    child.append((byte) next);
    return child.toBytesRef();
  }

  private static boolean startsWith(BytesRef term, BytesRef prefix) {
    return StringHelper.startsWith(term, prefix);
  }
}
