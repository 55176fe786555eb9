package io.graphmeta.gtravel;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import java.util.List;

/** The types of attribute filters (GraphMeta, section 4.2). */
public enum AttributeTest {
  /** Equal to the operand. */
  EQ,
  /** Equal to one of the operands. */
  IN,
  /** From the first operand to the second, both included. */
  RANGE;

  ValueTest of(String key, Object... operands) {
    int wanted = this == EQ ? 1 : this == RANGE ? 2 : operands.length;
    if (operands.length != wanted || wanted == 0) {
      throw GraphMetaException.invalid(
          "Filter "
              + this
              + " on '"
              + key
              + "' has "
              + operands.length
              + " operands; expected "
              + (this == EQ
                  ? "one"
                  : this == RANGE ? "the least and the greatest" : "one or more"));
    }
    return switch (this) {
      case EQ -> new ValueTest.Compare(Comparison.EQUAL, operands[0]);
      case IN -> new ValueTest.Within(List.of(operands));
      case RANGE ->
          new ValueTest.And(
              List.of(
                  new ValueTest.Compare(Comparison.GREATER_OR_EQUAL, operands[0]),
                  new ValueTest.Compare(Comparison.LESS_OR_EQUAL, operands[1])));
    };
  }
}
