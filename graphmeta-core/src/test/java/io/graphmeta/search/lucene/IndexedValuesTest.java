package io.graphmeta.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexKinds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Values of all types, one for each vertex, and tests of them: the candidates hold each value that
 * {@code ValueTests} says is true or an error. {@code -Dgraphmeta.seed=N} runs one seed, {@code
 * -Dgraphmeta.sequences=N -Dgraphmeta.first-seed=N} others.
 */
final class IndexedValuesTest {
  private static final int SEQUENCES = Integer.getInteger("graphmeta.sequences", 30);
  private static final ReadView NOW = ReadView.at(1000);

  @TestFactory
  List<DynamicTest> candidatesHoldAllValuesThatMatch() {
    List<DynamicTest> tests = new ArrayList<>();
    long first = Long.getLong("graphmeta.seed", Long.getLong("graphmeta.first-seed", 1));
    int count = Long.getLong("graphmeta.seed") == null ? SEQUENCES : 1;
    for (long seed = first; seed < first + count; seed++) {
      long own = seed;
      tests.add(DynamicTest.dynamicTest("seed " + own, () -> run(own)));
    }
    return tests;
  }

  private static void run(long seed) {
    Random random = RandomValues.random(seed);
    RandomValues values = new RandomValues(random);
    Set<IndexKind> kinds =
        switch (random.nextInt(6)) {
          case 0 -> Set.of(IndexKind.EXACT);
          case 1 -> Set.of(IndexKind.RANGE);
          case 2 -> Set.of(IndexKind.FRAGMENT);
          case 3 -> Set.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT);
          case 4 -> Set.of(IndexKind.values()[3 + random.nextInt(3)]);
          default -> Set.of(IndexKind.values());
        };
    IndexDefinition definition = definition(kinds);
    Histories histories = new Histories();
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      boolean mixed = random.nextBoolean();
      for (int i = 0; i < 150; i++) {
        Histories.Slot slot = new Histories.Slot(definition, random.nextLong(), 0);
        Object value =
            mixed ? values.value() : random.nextBoolean() ? values.text() : values.number();
        histories.add(slot, new Histories.Statement(1 + i, 1 + i, value));
        histories.put(slot, index);
      }
      index.publish(1000);
      for (int i = 0; i < 150; i++) {
        ValueTest test = values.served(kinds, 2);
        IndexClause clause = Histories.clause(definition, test);
        TreeSet<Long> expected = histories.candidates(clause, NOW, 1000);
        assertThat(find(index, clause)).as("seed %d: %s", seed, test).containsAll(expected);
        requireTold(index, clause, histories, "seed " + seed);
      }
    }
  }

  private static List<Long> find(LuceneIndex index, IndexClause clause) {
    List<Long> found = new ArrayList<>();
    for (long vertex : index.find(clause, ViewSpan.of(NOW), 100_000).vertices()) {
      found.add(vertex);
    }
    return found;
  }

  /** What the index says that it can tell for certain is so; true if it says anything. */
  private static boolean requireTold(
      LuceneIndex index, IndexClause clause, Histories histories, String what) {
    Candidates exact = index.findExactly(clause, NOW, 100_000);
    if (exact == null) {
      return false;
    }
    List<Long> told = Arrays.stream(exact.vertices()).boxed().toList();
    List<Long> expected = List.copyOf(histories.matching(clause, NOW, 1000));
    if (!told.equals(expected)) {
      assertThat(told).as("%s: exactly %s", what, clause).isEqualTo(expected);
    }
    return true;
  }

  /** One value each, so that nothing but the value keeps the index from telling. */
  @Test
  void whatIsToldForCertainOfAValueIsSo() {
    IndexDefinition definition = definition(Set.of(IndexKind.EXACT, IndexKind.RANGE));
    List<Object> values = new ArrayList<>(nearlyEqualNumbers());
    values.addAll(List.of("", "a", "aa", "b", "\uD83D", "\uD83E", true, false, new Date(1)));
    for (int length : new int[] {170, 171, 340, 341, 342, 512, 1023, 1024, 1025, 2000}) {
      for (String last : List.of("", "a", "b", "\u0800")) {
        values.add("x".repeat(length) + last);
        values.add("\uFFFD".repeat(length) + last);
      }
    }
    long told = 0;
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      for (int i = 0; i < values.size(); i++) {
        Histories histories = new Histories();
        // Each has a definition of its own, since marks of what was removed stay for a while.
        IndexDefinition own =
            new IndexDefinition(i + 1, "v" + i, ElementKind.VERTEX, 1, 2, definition.kinds());
        Histories.Slot slot = new Histories.Slot(own, 5, 0);
        histories.add(slot, new Histories.Statement(1, 1, values.get(i)));
        histories.put(slot, index);
        index.publish(1);
        for (Object operand : values) {
          for (Comparison comparison : Comparison.values()) {
            ValueTest test = new ValueTest.Compare(comparison, operand);
            if (IndexKinds.serve(own.kinds(), test)) {
              String what = values.get(i).getClass() + " " + values.get(i);
              told += requireTold(index, Histories.clause(own, test), histories, what) ? 1 : 0;
            }
          }
          if (operand instanceof String text && !text.isEmpty()) {
            ValueTest test = new ValueTest.Text(TextRelation.STARTS_WITH, text);
            requireTold(index, Histories.clause(own, test), histories, "beginning");
          }
        }
      }
    }
    assertThat(told).as("answers that are certain").isGreaterThan(10_000);
  }

  private static IndexDefinition definition(Set<IndexKind> kinds) {
    return new IndexDefinition(7, "file.name", ElementKind.VERTEX, 1, 2, kinds);
  }

  @Test
  void valuesThatDifferAreNoCandidatesOfEachOther() {
    IndexDefinition definition = definition(Set.of(IndexKind.EXACT, IndexKind.RANGE));
    Histories histories = new Histories();
    List<Object> distinct =
        List.of(
            "a",
            "b",
            "\uD83D",
            "\uD83E",
            "",
            1,
            2L,
            (1L << 53) - 1,
            (1L << 53) - 2,
            0.5,
            0.25f,
            true,
            false,
            new Date(1),
            new java.util.UUID(0, 1),
            1e300,
            "x".repeat(5000) + "a",
            "x".repeat(5000) + "b",
            1 << 25,
            (1 << 25) + 1);
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      for (int i = 0; i < distinct.size(); i++) {
        Histories.Slot slot = new Histories.Slot(definition, i, 0);
        histories.add(slot, new Histories.Statement(1, 1, distinct.get(i)));
        histories.put(slot, index);
      }
      index.publish(1);
      for (int i = 0; i < distinct.size(); i++) {
        Object value = distinct.get(i);
        assertThat(find(index, compare(definition, Comparison.EQUAL, value)))
            .as("%s", value)
            .containsExactly((long) i);
      }
      // Numbers that are not less, though they lie at the bound.
      assertThat(find(index, compare(definition, Comparison.LESS, 0.25))).isEmpty();
      assertThat(find(index, compare(definition, Comparison.LESS, 1))).containsExactly(9L, 10L);
      assertThat(find(index, compare(definition, Comparison.GREATER, (1L << 53) - 2)))
          .containsExactly(7L, 15L);
    }
  }

  @Test
  void numbersOfAllTypesThatAreNearlyEqualAreCandidatesWhereTheyMatch() {
    IndexDefinition definition = definition(Set.of(IndexKind.EXACT, IndexKind.RANGE));
    List<Number> numbers = nearlyEqualNumbers();
    Histories histories = new Histories();
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      for (int i = 0; i < numbers.size(); i++) {
        Histories.Slot slot = new Histories.Slot(definition, i, 0);
        histories.add(slot, new Histories.Statement(1, 1, numbers.get(i)));
        histories.put(slot, index);
      }
      index.publish(1);
      for (Number operand : numbers) {
        for (Comparison comparison : Comparison.values()) {
          if (comparison != Comparison.NOT_EQUAL) {
            IndexClause clause = compare(definition, comparison, operand);
            assertThat(find(index, clause))
                .as("%s %s %s", comparison, operand.getClass(), operand)
                .containsAll(histories.candidates(clause, NOW, 1));
          }
        }
      }
    }
  }

  /** Whole numbers around which types begin to round, with all types and steps beside them. */
  private static List<Number> nearlyEqualNumbers() {
    List<Number> numbers = new ArrayList<>(List.of(0, 0L, (short) 0, BigInteger.ZERO, 0.0, -0.0));
    numbers.addAll(List.of(0.0f, -0.0f, 0.1f, 0.1, Float.MIN_VALUE, Double.MIN_VALUE));
    for (double infinite : new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      numbers.addAll(List.of(infinite, (float) infinite));
    }
    numbers.addAll(List.of(Double.NaN, Float.NaN, BigInteger.TEN.pow(400)));
    for (double around :
        new double[] {
          1,
          5,
          0x1p23,
          0x1p24,
          0x1p24 + 2,
          0x1p25 + 4,
          0x1p31,
          0x1p53,
          0x1p62,
          0x1p63,
          1.2345679E20f,
          Float.MAX_VALUE
        }) {
      for (int sign = -1; sign <= 1; sign += 2) {
        double at = sign * around;
        float small = (float) at;
        numbers.addAll(List.of(at, Math.nextUp(at), Math.nextDown(at), small));
        numbers.addAll(List.of(Math.nextUp(small), Math.nextDown(small)));
        BigInteger exact = new BigDecimal(at).toBigInteger();
        BigInteger asText = new BigDecimal(Float.toString(small)).toBigInteger();
        for (int step = -2; step <= 2; step++) {
          BigInteger big = exact.add(BigInteger.valueOf(step));
          numbers.add(big);
          numbers.add(asText.add(BigInteger.valueOf(step)));
          if (big.bitLength() < Long.SIZE) {
            numbers.add(big.longValue());
          }
          if (big.bitLength() < Integer.SIZE) {
            numbers.add(big.intValue());
          }
        }
      }
    }
    return numbers;
  }

  @Test
  void datesAtOneInstantAreCandidatesOfEachOther() {
    IndexDefinition definition = definition(Set.of(IndexKind.EXACT, IndexKind.RANGE));
    List<Object> dates = new ArrayList<>();
    for (int nanos : new int[] {0, 1, 999, 1000, 1001}) {
      Instant at = Instant.ofEpochSecond(-1, nanos);
      for (int hours = -1; hours <= 1; hours++) {
        dates.add(OffsetDateTime.ofInstant(at, ZoneOffset.ofHours(hours)));
      }
    }
    for (long millis : new long[] {Long.MIN_VALUE, -1000, -999, 0, Long.MAX_VALUE}) {
      dates.add(new Date(millis));
    }
    dates.addAll(List.of(OffsetDateTime.MIN, OffsetDateTime.MAX));
    Histories histories = new Histories();
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      for (int i = 0; i < dates.size(); i++) {
        Histories.Slot slot = new Histories.Slot(definition, i, 0);
        histories.add(slot, new Histories.Statement(1, 1, dates.get(i)));
        histories.put(slot, index);
      }
      index.publish(1);
      for (Object operand : dates) {
        for (Comparison comparison : Comparison.values()) {
          if (comparison != Comparison.NOT_EQUAL) {
            IndexClause clause = compare(definition, comparison, operand);
            assertThat(find(index, clause))
                .as("%s %s", comparison, operand)
                .containsAll(histories.candidates(clause, NOW, 1));
          }
        }
      }
    }
  }

  @Test
  void nothingIsNegatedWhereCandidatesAreMoreThanWhatMatches() {
    ValueTest other =
        new ValueTest.And(
            List.of(
                new ValueTest.Not(new ValueTest.Compare(Comparison.EQUAL, List.of(1))),
                new ValueTest.Within(List.of(List.of(2), "a"))));
    IndexDefinition definition = definition(Set.of(IndexKind.EXACT));
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      index.put(Histories.version(definition, 3, 1, List.of(2)));
      index.publish(1);
      assertThat(find(index, Histories.clause(definition, other))).containsExactly(3L);
    }
  }

  @Test
  void valuesOfJavaItselfAreFoundByWhatStandsForThem() {
    IndexDefinition definition =
        definition(Set.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT));
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      index.put(
          Histories.version(
              definition, 3, 1, Map.of("~java", "java.net.URI", "value", "http://a.b")));
      index.put(
          Histories.version(definition, 4, 1, Map.of("~java", "java.time.Year", "value", 2026)));
      index.publish(1);
      assertThat(find(index, compare(definition, Comparison.EQUAL, "http://a.b")))
          .containsExactly(3L);
      assertThat(find(index, compare(definition, Comparison.GREATER, 2025))).containsExactly(4L);
    }
  }

  @Test
  void aTextTestBesideAnotherTestHoldsValuesThatAreNoText() {
    IndexDefinition definition = definition(Set.of(IndexKind.EXACT));
    ValueTest test =
        new ValueTest.And(
            List.of(
                new ValueTest.Text(TextRelation.STARTS_WITH, "a"),
                new ValueTest.Compare(Comparison.EQUAL, "ab")));
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      index.put(Histories.version(definition, 3, 1, 7));
      index.put(Histories.version(definition, 4, 1, "ab"));
      index.put(Histories.version(definition, 5, 1, "ac"));
      index.publish(1);
      assertThat(find(index, Histories.clause(definition, test))).containsExactly(3L, 4L);
    }
  }

  private static IndexClause compare(IndexDefinition definition, Comparison how, Object operand) {
    return Histories.clause(definition, new ValueTest.Compare(how, operand));
  }
}
