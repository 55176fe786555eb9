package io.graphmeta.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which conditions indexes narrow down, and to what. */
class IndexClausesTest {
  private static final IndexDefinition NAME =
      new IndexDefinition(
          7, "file.name", ElementKind.VERTEX, 1, 2, Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
  private static final IndexDefinition SIZE =
      new IndexDefinition(8, "file.size", ElementKind.VERTEX, 1, 3, Set.of(IndexKind.RANGE));

  private static final Condition NAMED =
      new Condition.Property("name", new ValueTest.Text(TextRelation.CONTAINS, "odel"));
  private static final Condition LARGE =
      new Condition.Property("size", new ValueTest.Compare(Comparison.GREATER, 5));
  private static final Condition OTHER =
      new Condition.Property("owner", new ValueTest.Compare(Comparison.EQUAL, "a"));

  @Test
  void aConjunctionIsNarrowedDownByEachPartThatAnIndexServes() {
    assertThat(clause(new Condition.And(List.of(NAMED, OTHER, LARGE))))
        .isEqualTo(new IndexClause.And(List.of(test(NAME, NAMED), test(SIZE, LARGE))));
    assertThat(clause(new Condition.And(List.of(OTHER, LARGE)))).isEqualTo(test(SIZE, LARGE));
    assertThat(clause(new Condition.And(List.of(OTHER)))).isNull();
  }

  @Test
  void nothingBehindWhatMayBeAnErrorOfElementsThatNoIndexNamesNarrowsDown() {
    Condition unindexed =
        new Condition.Property("owner", new ValueTest.Text(TextRelation.CONTAINS, "odel"));
    Condition.And inner = new Condition.And(List.of(LARGE, unindexed));
    assertThat(clause(new Condition.And(List.of(inner, NAMED)))).isEqualTo(test(SIZE, LARGE));
    Condition.And served = new Condition.And(List.of(OTHER, NAMED));
    assertThat(clause(new Condition.And(List.of(served, LARGE))))
        .isEqualTo(new IndexClause.And(List.of(test(NAME, NAMED), test(SIZE, LARGE))));
  }

  @Test
  void aDisjunctionIsNarrowedDownOnlyIfAllPartsAre() {
    assertThat(clause(new Condition.Or(List.of(NAMED, LARGE))))
        .isEqualTo(new IndexClause.Or(List.of(test(NAME, NAMED), test(SIZE, LARGE))));
    assertThat(clause(new Condition.Or(List.of(NAMED, OTHER)))).isNull();
    assertThat(clause(new Condition.Or(List.of()))).isNull();
  }

  @Test
  void nothingIsNegated() {
    assertThat(clause(new Condition.Not(NAMED))).isNull();
    assertThat(clause(new Condition.HasKey("name"))).isNull();
    assertThat(clause(new Condition.Always())).isNull();
  }

  @Test
  void aTestOfAnotherKindIsNot() {
    assertThat(clause(new Condition.Property("size", new ValueTest.Compare(Comparison.EQUAL, "a"))))
        .isNull();
    assertThat(
            clause(new Condition.Property("name", new ValueTest.Text(TextRelation.CONTAINS, "od"))))
        .isNull();
  }

  private static @Nullable IndexClause clause(Condition condition) {
    Map<String, Integer> keys = Map.of("name", 2, "size", 3);
    return IndexClauses.of(condition, List.of(NAME, SIZE), key -> keys.getOrDefault(key, 0));
  }

  private static IndexClause test(IndexDefinition definition, Condition of) {
    return new IndexClause.Test(definition, ((Condition.Property) of).test());
  }
}
