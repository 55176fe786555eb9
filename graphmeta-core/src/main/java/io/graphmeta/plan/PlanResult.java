package io.graphmeta.plan;

import io.graphmeta.error.GraphMetaException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a plan answers about the elements at which it ends. */
public sealed interface PlanResult {
  /**
   * The elements, each with the number of ways to it.
   *
   * @param withProperties whether vertices come with their properties; edges come without, since
   *     what is asked of an edge is often asked of its ends too, which are elsewhere
   */
  record Elements(boolean withProperties) implements PlanResult {
    /** The elements without their properties. */
    public Elements() {
      this(false);
    }
  }

  /** The paths to the elements, all elements on the way included. */
  record Paths() implements PlanResult {}

  /** The number of elements, each as often as there are ways to it. */
  record Count() implements PlanResult {}

  /**
   * What is projected from the elements, equal tuples counted together.
   *
   * @param columns at least one
   */
  record Values(List<Projection> columns) implements PlanResult {
    /** Copies the columns. */
    public Values {
      columns = List.copyOf(columns);
      if (columns.isEmpty()) {
        throw GraphMetaException.invalid("A plan projects nothing; expected a column at least");
      }
    }

    /** The property of which values are wanted and nothing else; null if it is not so. */
    public @Nullable String onlyKey() {
      Projection column = columns.get(0);
      if (columns.size() > 1) {
        return null;
      } else if (column instanceof Projection.FirstValue first) {
        return first.key();
      }
      return column instanceof Projection.EachValue each ? each.key() : null;
    }
  }

  /**
   * Of the values of a property as few as have the same sum, mean, least or greatest value as all
   * of them: what comes to it with the numbers of the values comes to it for all.
   *
   * @param key the property; elements without it are passed over
   */
  record Reduced(String key, Reduction reduction) implements PlanResult {}

  /** What values are wanted for. */
  enum Reduction {
    /** Their sum. */
    SUM,
    /** Their arithmetic mean. */
    MEAN,
    /** The least of them. */
    MIN,
    /** The greatest of them. */
    MAX
  }

  /**
   * The first elements in the order of properties; elements without one of the properties are
   * passed over.
   *
   * @param by the first decides first
   * @param limit how many, bulks counted
   */
  record Top(List<Ordering> by, long limit) implements PlanResult {
    /** Copies the orderings. */
    public Top {
      by = List.copyOf(by);
      if (by.isEmpty() || limit < 0) {
        throw GraphMetaException.invalid(
            "The first " + limit + " by " + by.size() + " properties; expected one at least");
      }
    }
  }

  /** An order by the first value of a property. */
  record Ordering(String key, boolean descending) {}
}
