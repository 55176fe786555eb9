package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ValueOrder;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.util.GremlinValueComparator;
import org.junit.jupiter.api.Test;

/** Tests of values in plans against TinkerPop's own predicates and comparator. */
class ValueTestsTest {
  private static final int VALUES = 200_000;

  /** A predicate of TinkerPop and the test that should mean the same. */
  private record Pair(P<Object> predicate, ValueTest test) {}

  @Test
  void testsMeanWhatThePredicatesOfGremlinMean() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    RandomValues values = new RandomValues(random);
    int passed = 0;
    for (int i = 0; i < VALUES; i++) {
      Pair pair = pair(random, values, 2);
      Object value = values.value();
      boolean expected;
      try {
        expected = pair.predicate.test(value);
      } catch (ClassCastException e) {
        assertThatThrownBy(() -> ValueTests.passes(pair.test, value))
            .as("seed %d: %s of %s", seed, pair.predicate, value)
            .isInstanceOf(GraphMetaException.class)
            .hasMessageContaining("expected text");
        continue;
      }
      passed += expected ? 1 : 0;
      assertThat(ValueTests.passes(pair.test, value))
          .as("seed %d: %s of %s", seed, pair.predicate, value)
          .isEqualTo(expected);
    }
    assertThat(passed).isBetween(VALUES / 10, VALUES - VALUES / 10);
  }

  @Test
  void valuesAreOrderedAsGremlinOrdersThem() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    RandomValues values = new RandomValues(new Random(seed));
    for (int i = 0; i < VALUES; i++) {
      Object a = values.value();
      Object b = values.value();
      assertThat(Integer.signum(ValueOrder.INSTANCE.compare(a, b)))
          .as("seed %d: %s with %s", seed, a, b)
          .isEqualTo(Integer.signum(GremlinValueComparator.ORDERABILITY.compare(a, b)));
    }
  }

  @Test
  void storedFormsOfJavaValuesAreTestedAsTheyAreShown() {
    Map<String, Object> stored = Map.of("~java", "int[]", "value", List.of(1, 2));
    ValueTest isList = new ValueTest.Compare(ValueTest.Comparison.EQUAL, List.of(1, 2));
    assertThat(ValueTests.passes(isList, stored)).isTrue();
  }

  @Test
  void anExpressionThatIsNoneIsRefused() {
    assertThatThrownBy(
            () -> ValueTests.compiled(new ValueTest.Text(ValueTest.TextRelation.MATCHES, "(")))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("'('");
  }

  private static Pair pair(Random random, RandomValues values, int depth) {
    switch (random.nextInt(depth > 0 ? 8 : 4)) {
      case 0, 1 -> {
        return comparison(random, values.value());
      }
      case 2 -> {
        List<Object> operands = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          operands.add(values.value());
        }
        return random.nextBoolean()
            ? new Pair(P.within(operands), new ValueTest.Within(operands))
            : new Pair(P.without(operands), new ValueTest.Not(new ValueTest.Within(operands)));
      }
      case 3 -> {
        return text(random, values.text());
      }
      case 4, 5 -> {
        Pair negated = pair(random, values, depth - 1);
        return new Pair(new NotP<>(negated.predicate), new ValueTest.Not(negated.test));
      }
      default -> {
        Pair first = pair(random, values, depth - 1);
        Pair second = pair(random, values, depth - 1);
        List<P<Object>> predicates = List.of(first.predicate, second.predicate);
        List<ValueTest> tests = List.of(first.test, second.test);
        return random.nextBoolean()
            ? new Pair(new AndP<>(predicates), new ValueTest.And(tests))
            : new Pair(new OrP<>(predicates), new ValueTest.Or(tests));
      }
    }
  }

  private static Pair comparison(Random random, Object operand) {
    ValueTest.Comparison comparison =
        ValueTest.Comparison.values()[random.nextInt(ValueTest.Comparison.values().length)];
    P<Object> predicate =
        switch (comparison) {
          case EQUAL -> P.eq(operand);
          case NOT_EQUAL -> P.neq(operand);
          case LESS -> P.lt(operand);
          case LESS_OR_EQUAL -> P.lte(operand);
          case GREATER -> P.gt(operand);
          case GREATER_OR_EQUAL -> P.gte(operand);
        };
    return new Pair(predicate, new ValueTest.Compare(comparison, operand));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Pair text(Random random, String operand) {
    ValueTest.TextRelation relation =
        ValueTest.TextRelation.values()[random.nextInt(ValueTest.TextRelation.values().length)];
    boolean positive = random.nextBoolean();
    P predicate =
        switch (relation) {
          case STARTS_WITH ->
              positive ? TextP.startingWith(operand) : TextP.notStartingWith(operand);
          case ENDS_WITH -> positive ? TextP.endingWith(operand) : TextP.notEndingWith(operand);
          case CONTAINS -> positive ? TextP.containing(operand) : TextP.notContaining(operand);
          case MATCHES -> positive ? TextP.regex(operand) : TextP.notRegex(operand);
        };
    ValueTest test = new ValueTest.Text(relation, operand);
    return new Pair(predicate, positive ? test : new ValueTest.Not(test));
  }
}
