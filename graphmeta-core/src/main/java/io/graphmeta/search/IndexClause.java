package io.graphmeta.search;

import io.graphmeta.plan.ValueTest;
import java.util.List;

/** What an index is asked. */
public sealed interface IndexClause {
  /**
   * A value of the property passes a test. The kinds of the definition {@linkplain IndexKinds#serve
   * serve} the test.
   */
  record Test(IndexDefinition definition, ValueTest test) implements IndexClause {}

  /** All are true of an element, each perhaps of another value. */
  record And(List<IndexClause> of) implements IndexClause {
    /** Copies the list. */
    public And {
      of = List.copyOf(of);
    }
  }

  /** One is true of an element. */
  record Or(List<IndexClause> of) implements IndexClause {
    /** Copies the list. */
    public Or {
      of = List.copyOf(of);
    }
  }
}
