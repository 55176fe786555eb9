package io.graphmeta.search.lucene;

import io.graphmeta.search.IndexKinds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * The pieces of a text of {@value IndexKinds#FRAGMENT_CHARS} UTF-16 units, each once, in no order
 * that says anything. One stream is used for text after text, by one thread.
 */
final class Trigrams extends TokenStream {
  /** Above it, a text is not cut into pieces. */
  static final int MAX_CHARS = 1 << 16;

  /** A conjunction of more terms hardly finds fewer texts. */
  private static final int MAX_ASKED = 64;

  private static final int UNIT_BITS = Character.SIZE;

  private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
  private final BytesRef bytes = new BytesRef(CodeUnits.maxBytes(IndexKinds.FRAGMENT_CHARS));
  private long[] pieces = {};
  private int next;

  /** The stream, at the beginning of a text. */
  Trigrams of(String text) {
    pieces = pieces(text);
    next = 0;
    return this;
  }

  @Override
  public boolean incrementToken() {
    if (next == pieces.length) {
      return false;
    }
    clearAttributes();
    bytes.length = encode(pieces[next++], bytes.bytes);
    term.setBytesRef(bytes);
    return true;
  }

  /** Pieces that every text with this part has; of a long part some of them. */
  static List<BytesRef> asked(String part) {
    long[] all = pieces(part.length() <= MAX_CHARS ? part : part.substring(0, MAX_CHARS));
    int count = Math.min(all.length, MAX_ASKED);
    List<BytesRef> terms = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[CodeUnits.maxBytes(IndexKinds.FRAGMENT_CHARS)];
      int length = encode(all[(int) ((long) i * all.length / count)], bytes);
      terms.add(new BytesRef(bytes, 0, length));
    }
    return terms;
  }

  private static long[] pieces(String text) {
    int count = Math.max(0, text.length() - IndexKinds.FRAGMENT_CHARS + 1);
    long[] all = new long[count];
    for (int i = 0; i < count; i++) {
      long piece = 0;
      for (int j = 0; j < IndexKinds.FRAGMENT_CHARS; j++) {
        piece = piece << UNIT_BITS | text.charAt(i + j);
      }
      all[i] = piece;
    }
    Arrays.sort(all);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[distinct++] = all[i];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  private static int encode(long piece, byte[] bytes) {
    int end = 0;
    for (int shift = (IndexKinds.FRAGMENT_CHARS - 1) * UNIT_BITS; shift >= 0; shift -= UNIT_BITS) {
      end = CodeUnits.encode((char) (piece >>> shift), bytes, end);
    }
    return end;
  }
}
