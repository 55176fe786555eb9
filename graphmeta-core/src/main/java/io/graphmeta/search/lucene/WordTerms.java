package io.graphmeta.search.lucene;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * Words as terms: their code units. One stream is used for text after text, by one thread. Where
 * words stand in a text is not indexed: to confirm a candidate tells.
 */
final class WordTerms extends TokenStream {
  /** Lucene makes an automaton of a prefix, a state a byte, and takes up to 1,000. */
  private static final int MAX_PREFIX_CHARS = 128;

  private final BytesTermAttribute attribute = addAttribute(BytesTermAttribute.class);
  private Iterator<String> next = List.<String>of().iterator();

  /** The stream, at the beginning of some words. */
  WordTerms of(Collection<String> words) {
    next = words.iterator();
    return this;
  }

  @Override
  public boolean incrementToken() {
    if (!next.hasNext()) {
      return false;
    }
    clearAttributes();
    attribute.setBytesRef(term(next.next()));
    return true;
  }

  /** The term of a word. */
  static BytesRef term(String word) {
    BytesRef term = new BytesRef(CodeUnits.maxBytes(word.length()));
    term.length = CodeUnits.encode(word, 0, word.length(), term.bytes, 0);
    return term;
  }

  /** What the terms of all words with a beginning begin with; of a long one, a part. */
  static BytesRef prefix(String beginning) {
    return term(beginning.substring(0, Math.min(beginning.length(), MAX_PREFIX_CHARS)));
  }
}
