package io.graphmeta.plan;

import io.graphmeta.model.Direction;
import java.util.List;
import java.util.Set;

/** A condition that a plan puts on an element. */
public sealed interface Condition {
  /** True of all. */
  record Always() implements Condition {}

  /** The label is one of these. */
  record LabelIn(Set<String> labels) implements Condition {
    /** Copies the labels. */
    public LabelIn {
      labels = Set.copyOf(labels);
    }
  }

  /** The element is one of these: vertex keys. Ids are looked up before a plan is made. */
  record VertexIn(Set<Long> keys) implements Condition {
    /** Copies the keys. */
    public VertexIn {
      keys = Set.copyOf(keys);
    }
  }

  /**
   * The text of the id of a vertex, which a number or UUID has too, passes a test. Ids that are
   * given as a whole are looked up before a plan is made, and are {@link VertexIn}.
   */
  record Id(ValueTest test) implements Condition {}

  /** A value of the property passes a test. */
  record Property(String key, ValueTest test) implements Condition {}

  /** The property has a value. */
  record HasKey(String key) implements Condition {}

  /** The vertex has an edge of this direction and one of the labels; of any label if none. */
  record HasEdge(Direction direction, List<String> labels) implements Condition {
    /** Copies the labels. */
    public HasEdge {
      labels = List.copyOf(labels);
    }
  }

  /** All are true; they are asked in order. */
  record And(List<Condition> of) implements Condition {
    /** Copies the list. */
    public And {
      of = List.copyOf(of);
    }
  }

  /** One is true; they are asked in order. */
  record Or(List<Condition> of) implements Condition {
    /** Copies the list. */
    public Or {
      of = List.copyOf(of);
    }
  }

  /** It is not true. */
  record Not(Condition of) implements Condition {}
}
