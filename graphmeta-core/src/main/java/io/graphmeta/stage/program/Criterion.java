package io.graphmeta.stage.program;

import io.graphmeta.model.Direction;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A condition of a plan on elements, with ids in the place of names. Immutable. */
public sealed interface Criterion {
  /** True of all, or of none. */
  record Constant(boolean value) implements Criterion {}

  /** The label has one of some ids. */
  record Labelled(BitSet labelIds) implements Criterion {}

  /** The vertex has one of some keys. */
  record OneOf(Set<Long> keys) implements Criterion {}

  /** A value of a property passes a test. */
  record Value(int propertyKeyId, Predicate<Object> test) implements Criterion {}

  /** The text of the id of a vertex passes a test. */
  record IdText(Predicate<Object> test) implements Criterion {}

  /** A property has a value. */
  record Present(int propertyKeyId) implements Criterion {}

  /** The vertex has an edge; of any label if there are no label ids. */
  record Connected(Direction direction, int[] labelIds) implements Criterion {}

  /** All are true. */
  record All(List<Criterion> of) implements Criterion {}

  /** One is true. */
  record Any(List<Criterion> of) implements Criterion {}

  /** It is not true. */
  record Negation(Criterion of) implements Criterion {}

  /** Adds the criteria for edges of a vertex that are part of this one. */
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
      return all.of().stream().anyMatch(Criterion::needsRows);
    } else if (this instanceof Any any) {
      return any.of().stream().anyMatch(Criterion::needsRows);
    } else if (this instanceof Negation negation) {
      return negation.of().needsRows();
    }
    return this instanceof Value || this instanceof Present || this instanceof IdText;
  }
}
