package io.graphmeta.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.AttributeIndex.EdgeCandidates;
import io.graphmeta.search.AttributeIndex.IndexProgress;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.lucene.Histories.Slot;
import io.graphmeta.search.lucene.Histories.Statement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
  private static final int SEQUENCES = Integer.getInteger("graphmeta.sequences", 200);
  private static final int STEPS = 150;
  private static final int VERTICES = 12;
  private static final Set<IndexKind> ALL =
      Set.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT);

  @TestFactory
  List<DynamicTest> candidatesHoldAllThatMatch() {
    List<DynamicTest> tests = new ArrayList<>();
    boolean one = Long.getLong("graphmeta.seed") != null;
    long first = Long.getLong("graphmeta.seed", Long.getLong("graphmeta.first-seed", 1));
    for (long seed = first; seed < first + (one ? 1 : SEQUENCES); seed++) {
      long own = seed;
      tests.add(DynamicTest.dynamicTest("seed " + own, () -> new Run(own).run()));
    }
    return tests;
  }

  private static final class Run {
    private final long seed;
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

    Run(long seed) {
      this.seed = seed;
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
      Object value = random.nextInt(5) == 0 ? null : live ? plainValue() : values.value();
      histories.add(slot, new Statement(valid, clock, value));
      histories.put(slot, index);
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
