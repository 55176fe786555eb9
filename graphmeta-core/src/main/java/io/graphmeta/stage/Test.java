package io.graphmeta.stage;

import io.graphmeta.model.Direction;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A condition of a plan with ids in the place of names. */
sealed interface Test {
  /** True of all, or of none. */
  record Constant(boolean value) implements Test {}

  /** The label is one of these. */
  record Labelled(BitSet labelIds) implements Test {}

  /** The vertex is one of these. */
  record OneOf(Set<Long> keys) implements Test {}

  /** A value of a property passes a test. */
  record Value(int propertyKeyId, Predicate<Object> test) implements Test {}

  /** A property has a value. */
  record Present(int propertyKeyId) implements Test {}

  /** The vertex has an edge; of any label if there are no label ids. */
  record Connected(Direction direction, int[] labelIds) implements Test {}

  /** All are true. */
  record All(List<Test> of) implements Test {}

  /** One is true. */
  record Any(List<Test> of) implements Test {}

  /** It is not true. */
  record Negation(Test of) implements Test {}

  /** Adds the tests for edges that are part of this one. */
  default void addConnected(List<Connected> to) {
    if (this instanceof Connected connected) {
      to.add(connected);
    } else if (this instanceof All all) {
      all.of().forEach(of -> of.addConnected(to));
    } else if (this instanceof Any any) {
      any.of().forEach(of -> of.addConnected(to));
    } else if (this instanceof Negation negation) {
      negation.of().addConnected(to);
    }
  }

  /** Whether rows must be read to know. */
  default boolean needsRows() {
    if (this instanceof All all) {
      return all.of().stream().anyMatch(Test::needsRows);
    } else if (this instanceof Any any) {
      return any.of().stream().anyMatch(Test::needsRows);
    } else if (this instanceof Negation negation) {
      return negation.of().needsRows();
    }
    return this instanceof Value || this instanceof Present;
  }
}
