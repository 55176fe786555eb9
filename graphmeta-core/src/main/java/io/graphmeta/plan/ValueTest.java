package io.graphmeta.plan;

import io.graphmeta.error.GraphMetaException;
import java.util.List;

/** A test of the value of a property, with the meaning of Gremlin's predicates. */
public sealed interface ValueTest {
  /** How a value compares with another. */
  record Compare(Comparison comparison, Object operand) implements ValueTest {}

  /** Equal to one of these. */
  record Within(List<Object> operands) implements ValueTest {
    /** Copies the operands. */
    public Within {
      operands = List.copyOf(operands);
    }
  }

  /** What a text is like. */
  record Text(TextRelation relation, String operand) implements ValueTest {}

  /**
   * Words stand next to each other in a text. No other value passes.
   *
   * @param analysis how the text is taken apart
   * @param words what {@link TextAnalysis#asked} makes of a text; at least one
   * @param lastIsBeginning whether of the last word only the beginning is asked
   */
  record Words(TextAnalysis analysis, List<String> words, boolean lastIsBeginning)
      implements ValueTest {
    /**
     * Copies the words.
     *
     * @throws GraphMetaException {@code INVALID_ARGUMENT} if there is none
     */
    public Words {
      words = List.copyOf(words);
      if (words.isEmpty()) {
        throw GraphMetaException.invalid("A test for words has none; expected one or more");
      }
    }
  }

  /** All are true. */
  record And(List<ValueTest> of) implements ValueTest {
    /** Copies the list. */
    public And {
      of = List.copyOf(of);
    }
  }

  /** One is true. */
  record Or(List<ValueTest> of) implements ValueTest {
    /** Copies the list. */
    public Or {
      of = List.copyOf(of);
    }
  }

  /** It is not true. */
  record Not(ValueTest of) implements ValueTest {}

  /** The relations of two values. The ordinal is sent: append only. */
  enum Comparison {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
  }

  /** The relations of two texts. The ordinal is sent: append only. */
  enum TextRelation {
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    /** A part of the text matches the regular expression. */
    MATCHES
  }
}
