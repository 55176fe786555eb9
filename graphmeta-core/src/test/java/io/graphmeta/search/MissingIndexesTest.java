package io.graphmeta.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.MissingIndexes.Missing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What is missing is enough to narrow a condition down, and nothing is missing where nothing is.
 */
class MissingIndexesTest {
  private static final List<String> KEYS = List.of(SearchConditions.ID, "a", "b", "c");
  private static final int CONDITIONS = 20_000;

  private final Random random = new Random(Long.getLong("graphmeta.seed", 1));

  @Test
  void namesTheLeastKinds() {
    assertThat(missing(text(TextRelation.CONTAINS, "odel")))
        .containsExactly(new Missing("a", Set.of(IndexKind.FRAGMENT)));
    assertThat(missing(text(TextRelation.STARTS_WITH, "model")))
        .containsExactly(new Missing("a", Set.of(IndexKind.EXACT)));
    assertThat(missing(new ValueTest.Compare(Comparison.LESS, 7)))
        .containsExactly(new Missing("a", Set.of(IndexKind.RANGE)));
    assertThat(
            missing(
                new ValueTest.Or(
                    List.of(
                        new ValueTest.Compare(Comparison.LESS, 7),
                        new ValueTest.Compare(Comparison.EQUAL, 9)))))
        .containsExactly(new Missing("a", Set.of(IndexKind.EXACT, IndexKind.RANGE)));
    assertThat(missing(text(TextRelation.MATCHES, "m.*"))).isEmpty();
  }

  @Test
  void whatIsMissingNarrowsDownAndNothingIsMissingWhereNothingCould() {
    int some = 0;
    for (int i = 0; i < CONDITIONS; i++) {
      Condition condition = condition(0);
      List<Missing> missing = MissingIndexes.of(condition);
      List<IndexDefinition> defined = missing.stream().map(this::definition).toList();
      assertThat(IndexClauses.of(condition, defined, KEYS::indexOf) != null)
          .as("condition %d: %s; missing %s", i, condition, missing)
          .isEqualTo(!missing.isEmpty());
      if (missing.isEmpty()) {
        List<IndexDefinition> all =
            KEYS.stream()
                .map(key -> definition(new Missing(key, EnumSet.allOf(IndexKind.class))))
                .toList();
        assertThat(IndexClauses.of(condition, all, KEYS::indexOf))
            .as("condition %d: %s", i, condition)
            .isNull();
      } else {
        some++;
      }
    }
    assertThat(some).isBetween(CONDITIONS / 5, CONDITIONS * 4 / 5);
  }

  private static List<Missing> missing(ValueTest test) {
    return MissingIndexes.of(new Condition.Property("a", test));
  }

  private static ValueTest text(TextRelation relation, String operand) {
    return new ValueTest.Text(relation, operand);
  }

  private IndexDefinition definition(Missing missing) {
    int key = KEYS.indexOf(missing.key());
    return new IndexDefinition(
        key + 1, "file." + missing.key(), ElementKind.VERTEX, 1, key, missing.kinds());
  }

  private Condition condition(int depth) {
    return switch (random.nextInt(depth > 2 ? 4 : 7)) {
      case 0 -> new Condition.HasKey("a");
      case 1 -> new Condition.Id(test(0));
      case 2, 3 -> new Condition.Property(KEYS.get(1 + random.nextInt(3)), test(0));
      case 4 -> new Condition.And(some(() -> condition(depth + 1)));
      case 5 -> new Condition.Or(some(() -> condition(depth + 1)));
      default -> new Condition.Not(condition(depth + 1));
    };
  }

  private ValueTest test(int depth) {
    return switch (random.nextInt(depth > 2 ? 4 : 7)) {
      case 0 ->
          new ValueTest.Compare(
              Comparison.values()[random.nextInt(6)], random.nextBoolean() ? 7 : "x");
      case 1 -> new ValueTest.Within(List.of("x", 8));
      case 2, 3 ->
          new ValueTest.Text(
              TextRelation.values()[random.nextInt(4)], "model".substring(random.nextInt(5)));
      case 4 -> new ValueTest.And(some(() -> test(depth + 1)));
      case 5 -> new ValueTest.Or(some(() -> test(depth + 1)));
      default -> new ValueTest.Not(test(depth + 1));
    };
  }

  private <T> List<T> some(Supplier<T> one) {
    List<T> some = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      some.add(one.get());
    }
    return some;
  }
}
