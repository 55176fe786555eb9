package io.graphmeta.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueOrder;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.AttributeIndex.EdgeCandidates;
import io.graphmeta.search.AttributeIndex.InOrder;
import io.graphmeta.search.AttributeIndex.IndexProgress;
import io.graphmeta.search.AttributeIndex.OrderedPart;
import io.graphmeta.search.AttributeIndex.ValueCounts;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.lucene.Histories.Slot;
import io.graphmeta.search.lucene.Histories.Statement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random histories, live and backfilled, followed as a shard follows its store, against an oracle
 * that looks at each statement: at every view, the candidates hold all vertices, or all edges, that
 * match. The index is published, committed, closed and opened; its process ends at any operation on
 * files, with its power or without, and it is followed again from the stamp that it says.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs it alone, {@code
 * -Dgraphmeta.sequences=N -Dgraphmeta.first-seed=N} runs others.
 */
final class LuceneIndexModelTest {
  private static final int SEQUENCES = Integer.getInteger("graphmeta.sequences", 40);
  private static final int STEPS = 150;
  private static final int VERTICES = 12;
  private static final Set<IndexKind> ALL =
      Set.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT);

  @TestFactory
  List<DynamicTest> candidatesHoldAllThatMatch() {
    List<DynamicTest> tests = new ArrayList<>();
    boolean one = Long.getLong("graphmeta.seed") != null;
    long first = Long.getLong("graphmeta.seed", Long.getLong("graphmeta.first-seed", 1));
    Told told = new Told();
    for (long seed = first; seed < first + (one ? 1 : SEQUENCES); seed++) {
      long own = seed;
      tests.add(DynamicTest.dynamicTest("seed " + own, () -> new Run(own, told).run()));
    }
    if (!one) {
      tests.add(DynamicTest.dynamicTest("what was told", () -> told.requireEnough(SEQUENCES)));
    }
    return tests;
  }

  /** How often the index told more than candidates. */
  private static final class Told {
    int orders;
    int parts;
    int exact;
    int counts;

    void requireEnough(int sequences) {
      assertThat(orders).as("orders").isGreaterThan(sequences);
      assertThat(parts).as("parts of orders").isGreaterThan(3 * sequences);
      assertThat(exact).as("exact answers").isGreaterThan(sequences);
      assertThat(counts).as("counts of values").isGreaterThan(sequences / 2);
    }
  }

  private static final class Run {
    private final long seed;
    private final Told told;
    private final Random random;
    private final RandomValues values;

    /** Statements are true from when they are learned of, and values are plain. */
    private final boolean live;

    private final ElementKind kind;
    private final Histories histories = new Histories();
    private final List<IndexDefinition> definitions = new ArrayList<>();
    private final Map<Long, List<IndexProgress>> commits = new HashMap<>();
    private FailingDirectory.Faults faults = new FailingDirectory.Faults();
    private FailingDirectory current = new FailingDirectory(new ByteBuffersDirectory(), faults);
    private FailingDirectory history = new FailingDirectory(new ByteBuffersDirectory(), faults);
    private LuceneIndex index;
    private long clock = 1000;
    private long published;
    private long found;
    private long matched;

    Run(long seed, Told told) {
      this.seed = seed;
      this.told = told;
      random = RandomValues.random(seed);
      values = new RandomValues(random);
      live = random.nextBoolean();
      kind = random.nextInt(3) > 0 ? ElementKind.VERTEX : ElementKind.EDGE;
      commits.put(0L, List.of());
      index = open();
      for (int i = 0; i < 3; i++) {
        define();
      }
    }

    void run() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        int what = random.nextInt(100);
        if (what < 62) {
          state();
        } else if (what < 74) {
          publish();
        } else if (what < 82) {
          commit();
        } else if (what < 92) {
          ask(Long.MAX_VALUE);
        } else if (what < 95) {
          index.close();
          reopen(new FailingDirectory.Faults(), false);
        } else if (what < 97) {
          crash();
        } else if (what < 98) {
          remove();
        } else {
          drop();
        }
      }
      publish();
      for (int i = 0; i < 10; i++) {
        ask(Long.MAX_VALUE);
      }
      checkVersions();
      index.close();
      if (live) {
        assertThat((double) found)
            .as("seed %d: candidates of %d matches of exact and range", seed, matched)
            .isLessThanOrEqualTo(1.05 * matched);
      }
    }

    private LuceneIndex open() {
      return LuceneIndex.open("The index of the test", current, history, SerialMergeScheduler::new);
    }

    private void define() {
      Set<IndexKind> kinds =
          switch (random.nextInt(5)) {
            case 0 -> Set.of(IndexKind.EXACT);
            case 1 -> Set.of(IndexKind.RANGE, IndexKind.EXACT);
            case 2 -> Set.of(IndexKind.FRAGMENT);
            default -> ALL;
          };
      long number = ++clock;
      definitions.add(new IndexDefinition(number, "d" + number, kind, 1, 1, kinds));
    }

    private IndexDefinition definition() {
      return definitions.get(random.nextInt(definitions.size()));
    }

    private void state() {
      Slot slot =
          new Slot(
              definition(),
              element(),
              kind == ElementKind.EDGE ? 0 : Math.max(0, random.nextInt(6) - 3));
      clock += 1 + random.nextInt(3);
      long valid =
          live || random.nextInt(3) == 0 ? clock : 1000 + random.nextInt((int) clock - 999);
      Object value = random.nextInt(5) == 0 ? null : value(slot.definition());
      histories.add(slot, new Statement(valid, clock, value));
      if (random.nextInt(3) > 0) {
        histories.putAbove(clock - 1, slot, index);
      } else {
        histories.put(slot, index);
      }
    }

    /** A value of one of the types that the definition has, which are few of some definitions. */
    private Object value(IndexDefinition definition) {
      switch ((int) (definition.number() % 4)) {
        case 0 -> {
          return live ? random.nextInt(12) / 2.0 : values.number();
        }
        case 1 -> {
          return live ? "/data/" + random.nextInt(12) : values.text();
        }
        case 2 -> {
          return live || random.nextInt(8) > 0 ? random.nextInt(12) : values.number();
        }
        default -> {
          return live ? plainValue() : values.value();
        }
      }
    }

    private long element() {
      // Keys on both sides of the sign.
      return (random.nextInt(VERTICES) - VERTICES / 2) * 0x1000_0001L;
    }

    private Object plainValue() {
      return switch (random.nextInt(5)) {
        case 0 -> random.nextInt(12);
        case 1 -> (long) random.nextInt(12);
        case 2 -> random.nextInt(12) / 2.0;
        default -> "/data/" + random.nextInt(12);
      };
    }

    private void publish() {
      index.publish(clock);
      published = clock;
      ask(Long.MAX_VALUE);
    }

    private void commit() {
      if (random.nextBoolean()) {
        publish();
      }
      List<IndexProgress> progress = new ArrayList<>();
      for (IndexDefinition each : definitions) {
        byte[] next = new byte[random.nextInt(3)];
        random.nextBytes(next);
        progress.add(new IndexProgress(each.number(), random.nextBoolean(), next));
      }
      commits.put(published, progress);
      index.commit(progress);
      assertThat(index.committedStamp()).isEqualTo(published);
    }

    private void drop() {
      IndexDefinition dropped = definitions.remove(random.nextInt(definitions.size()));
      histories.remove(dropped);
      index.drop(dropped.number());
      define();
      publish();
      assertThat(index.sizes().definitions()).doesNotContain(dropped.number());
    }

    private void remove() {
      IndexDefinition definition = definition();
      long element = element();
      histories.remove(definition, element);
      index.remove(definition.number(), Histories.key(definition, element));
      publish();
      commit();
    }

    /** Goes on until an operation on a file fails, or for some steps, and ends the process. */
    private void crash() throws IOException {
      faults.failAfter(random.nextInt(random.nextBoolean() ? 40 : 400), "The process has ended");
      try {
        for (int i = random.nextInt(8); i >= 0; i--) {
          state();
          if (random.nextInt(3) == 0) {
            index.publish(clock);
            published = clock;
          }
          if (random.nextInt(3) == 0) {
            commit();
          }
        }
      } catch (GraphMetaException e) {
        assertThat(e.code()).as("seed %d: %s", seed, e).isEqualTo(ErrorCode.STORAGE_FAILURE);
        assertThat(faults.hasFailed()).as("seed %d: %s", seed, e).isTrue();
      }
      // What a process leaves behind stays as it was when it ended.
      faults.failAfter(0, "The process has ended");
      boolean powerLost = random.nextBoolean();
      reopen(new FailingDirectory.Faults(), powerLost);
    }

    private void reopen(FailingDirectory.Faults next, boolean powerLost) throws IOException {
      long committed = index.committedStamp();
      LuceneIndex before = index;
      FailingDirectory oldCurrent = current;
      FailingDirectory oldHistory = history;
      faults = next;
      current = new FailingDirectory(oldCurrent.leftOver(random, powerLost), faults);
      history = new FailingDirectory(oldHistory.leftOver(random, powerLost), faults);
      index = open();
      before.close();
      long stamp = index.committedStamp();
      assertThat(stamp).as("seed %d: stamp committed", seed).isGreaterThanOrEqualTo(committed);
      assertThat(commits).as("seed %d", seed).containsKey(stamp);
      assertThat(text(index.committedProgress())).isNotNull();
      published = stamp;
      dropForgotten();
      ask(stamp);
      for (Slot each : histories.changedAfter(stamp)) {
        histories.put(each, index);
      }
      publish();
    }

    /** Definitions that were dropped after the commit are dropped again. */
    private void dropForgotten() {
      Set<Long> known = new TreeSet<>();
      definitions.forEach(each -> known.add(each.number()));
      for (long each : index.sizes().definitions()) {
        if (!known.contains(each)) {
          index.drop(each);
        }
      }
    }

    private static String text(List<IndexProgress> progress) {
      StringBuilder text = new StringBuilder();
      for (IndexProgress each : progress) {
        text.append(each.definition()).append(each.built()).append(each.next().length);
      }
      return text.toString();
    }

    /** Asks a few things at a few views, of what was known by then. */
    private void ask(long lastKnownAt) {
      for (int i = 0; i < 3; i++) {
        long known = random.nextInt(3) == 0 ? clock : 1000 + random.nextInt((int) clock - 999);
        long valid = random.nextInt(3) == 0 ? clock : 1000 + random.nextInt((int) clock - 999);
        ReadView view =
            random.nextInt(3) == 0 && lastKnownAt == Long.MAX_VALUE
                ? ReadView.at(Long.MAX_VALUE)
                : new ReadView(valid, Math.min(known, lastKnownAt));
        checkOrder(view);
        checkExact(random.nextInt(3) > 0 ? ReadView.at(Long.MAX_VALUE - 1) : view);
        boolean precise = live && random.nextBoolean();
        IndexClause clause = precise ? preciseClause() : clause(2);
        if (clause != null) {
          boolean alone =
              kind == ElementKind.EDGE
                  || precise
                  || view.validAt() == Long.MAX_VALUE
                  || random.nextInt(3) > 0;
          long validFrom = alone ? view.validAt() : view.validAt() - random.nextInt(60);
          check(clause, new ViewSpan(validFrom, view), precise);
        }
      }
    }

    /** Asks for all that has a property, part by part. */
    private void checkOrder(ReadView view) {
      IndexDefinition definition = definition();
      if (definition.kinds().equals(Set.of(IndexKind.FRAGMENT))) {
        return;
      }
      TreeSet<Long> named = new TreeSet<>(Long::compareUnsigned);
      IndexClause clause = random.nextBoolean() ? null : clause(1);
      boolean falling = random.nextBoolean();
      Object behind = null;
      int about = 1 + random.nextInt(3);
      do {
        OrderedPart part = new OrderedPart(definition, falling, behind, about, false);
        InOrder<long[]> found = findInOrder(clause, part, view);
        if (found == null) {
          assertThat(behind).as("seed %d: an order that ends at once", seed).isNull();
          return;
        }
        told.parts++;
        List<IndexClause> asked = new ArrayList<>();
        if (clause != null) {
          asked.add(clause);
        }
        if (behind != null || found.last() != null || clause == null) {
          asked.add(new IndexClause.Test(definition, part.test(found.last())));
        }
        Set<Long> actual = new TreeSet<>();
        Arrays.stream(found.candidates()).forEach(actual::add);
        named.addAll(actual);
        Set<Long> expected = histories.candidates(new IndexClause.And(asked), view, published);
        assertThat(actual.containsAll(expected))
            .as("seed %d: %s and %s at %s: %s hold %s", seed, clause, part, view, actual, expected)
            .isTrue();
        if (behind != null && found.last() != null) {
          int order = ValueOrder.INSTANCE.compare(found.last(), behind);
          assertThat(falling ? -order : order).as("seed %d: parts in order", seed).isPositive();
        }
        behind = found.last();
        about *= 2;
      } while (behind != null);
      told.orders++;
      histories
          .values(definition, clause, view, published)
          .forEach(
              (element, of) ->
                  assertThat(of.isEmpty() || named.contains(element))
                      .as("seed %d: %d with %s is in no part of %s", seed, element, of, definition)
                      .isTrue());
    }

    private @Nullable InOrder<long[]> findInOrder(
        @Nullable IndexClause clause, OrderedPart part, ReadView view) {
      if (kind == ElementKind.VERTEX) {
        InOrder<Candidates> found = index.findInOrder(clause, part, ViewSpan.of(view), 100_000);
        return found == null ? null : new InOrder<>(found.candidates().vertices(), found.last());
      }
      InOrder<EdgeCandidates> found = index.findEdgesInOrder(clause, part, view, 100_000);
      return found == null
          ? null
          : new InOrder<>(
              Arrays.stream(found.candidates().edges())
                  .mapToLong(each -> ByteBuffer.wrap(each).getLong())
                  .toArray(),
              found.last());
    }

    /** What the index says that it can tell for certain is so. */
    private void checkExact(ReadView view) {
      if (kind == ElementKind.EDGE) {
        return;
      }
      IndexClause clause = clause(2);
      Candidates exact = index.findExactly(clause, view, 100_000);
      if (exact != null) {
        told.exact++;
        Set<Long> changed = changed();
        TreeSet<Long> found = new TreeSet<>();
        Arrays.stream(exact.vertices()).forEach(found::add);
        found.removeAll(changed);
        Set<Long> expected = new TreeSet<>(histories.matching(clause, view, published));
        expected.removeAll(changed);
        assertThat(found).as("seed %d: exactly %s at %s", seed, clause, view).isEqualTo(expected);
      }
      IndexDefinition counted = definition();
      Set<Long> changed = changed();
      changed.add(element());
      long[] without = changed.stream().mapToLong(each -> each).toArray();
      IndexClause of = random.nextBoolean() ? null : clause;
      ValueCounts counts =
          counted.kinds().contains(IndexKind.EXACT)
              ? index.countValues(counted, of, view, stamp -> without, 100_000)
              : null;
      if (counts != null) {
        told.counts++;
        assertThat(counts.without()).isEqualTo(without);
        Map<Object, Long> expected = new HashMap<>();
        histories
            .values(counted, of, view, published)
            .forEach(
                (vertex, values) -> {
                  if (!changed.contains(vertex)) {
                    values.forEach(value -> expected.merge(value, 1L, Long::sum));
                  }
                });
        assertThat(counts.counts())
            .as("seed %d: values of %s of %s at %s", seed, counted, of, view)
            .isEqualTo(expected);
      }
    }

    /** The vertices of which something was said since the last publication. */
    private TreeSet<Long> changed() {
      TreeSet<Long> changed = new TreeSet<>(Long::compareUnsigned);
      histories.changedAfter(published).forEach(slot -> changed.add(slot.vertex()));
      return changed;
    }

    private void check(IndexClause clause, ViewSpan views, boolean precise) {
      TreeSet<Long> expected = histories.candidates(clause, views.last(), published);
      for (long valid = views.validFrom(); valid < views.last().validAt(); valid++) {
        ReadView view = new ReadView(valid, views.last().knownAt());
        expected.addAll(histories.candidates(clause, view, published));
      }
      Candidates candidates = find(clause, views, 100_000);
      if (candidates == null) {
        fail("seed " + seed + ": no candidates");
        return;
      }
      assertThat(candidates.publishedStamp()).isEqualTo(published);
      TreeSet<Long> actual = new TreeSet<>(Long::compareUnsigned);
      Long before = null;
      for (long vertex : candidates.vertices()) {
        assertThat(before == null || Long.compareUnsigned(before, vertex) < 0)
            .as("seed %d: rising keys", seed)
            .isTrue();
        actual.add(vertex);
        before = vertex;
      }
      assertThat(actual.containsAll(expected))
          .as("seed %d: %s at %s: %s hold %s", seed, clause, views, actual, expected)
          .isTrue();
      if (precise) {
        found += actual.size();
        matched += expected.size();
      }
      if (!actual.isEmpty()) {
        assertThat(find(clause, views, actual.size() - 1)).isNull();
      }
    }

    private @Nullable Candidates find(IndexClause clause, ViewSpan views, int most) {
      if (kind == ElementKind.VERTEX) {
        return index.find(clause, views, most);
      }
      EdgeCandidates found = index.findEdges(clause, views.last(), most);
      if (found == null) {
        return null;
      }
      long[] numbers = new long[found.edges().length];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = ByteBuffer.wrap(found.edges()[i]).getLong();
        assertThat(found.edges()[i]).isEqualTo(Histories.key(definitions.get(0), numbers[i]));
      }
      return new Candidates(numbers, found.publishedStamp());
    }

    private IndexClause clause(int depth) {
      int what = depth == 0 ? 0 : random.nextInt(4);
      if (what < 2) {
        IndexDefinition definition = definition();
        return Histories.clause(
            definition, live ? plainTest(definition) : values.served(definition.kinds(), 2));
      }
      List<IndexClause> parts = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        parts.add(clause(depth - 1));
      }
      return what == 2 ? new IndexClause.And(parts) : new IndexClause.Or(parts);
    }

    /** A test of which the candidates are to be nearly what matches; null if none is served. */
    private @Nullable IndexClause preciseClause() {
      IndexDefinition definition = definition();
      if (!definition.kinds().contains(IndexKind.EXACT)) {
        return null;
      }
      if (!definition.kinds().contains(IndexKind.RANGE) || random.nextBoolean()) {
        return Histories.clause(
            definition,
            random.nextBoolean()
                ? new ValueTest.Compare(Comparison.EQUAL, plainValue())
                : new ValueTest.Within(List.of(plainValue(), plainValue())));
      }
      return Histories.clause(definition, new ValueTest.Compare(order(), random.nextInt(12)));
    }

    private Comparison order() {
      return Comparison.values()[Comparison.LESS.ordinal() + random.nextInt(4)];
    }

    private ValueTest plainTest(IndexDefinition definition) {
      if (definition.kinds().contains(IndexKind.FRAGMENT)) {
        return new ValueTest.Text(
            TextRelation.values()[random.nextInt(TextRelation.MATCHES.ordinal())],
            "/data/1".substring(random.nextInt(4)));
      }
      return new ValueTest.Compare(Comparison.EQUAL, plainValue());
    }

    private void checkVersions() {
      for (IndexDefinition each : definitions) {
        assertThat(Histories.versions(index, each))
            .as("seed %d: versions held", seed)
            .isEqualTo(histories.versions(each));
      }
      assertThat(index.sizes().current() + index.sizes().history())
          .isEqualTo(definitions.stream().mapToLong(each -> histories.versions(each).size()).sum());
    }
  }
}
