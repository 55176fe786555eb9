package io.graphmeta.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.lucene.Histories.Slot;
import io.graphmeta.search.lucene.Histories.Statement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that ask, and are interrupted at random moments, while the index is changed, published
 * and committed on a disk; and while it is closed.
 */
final class LuceneIndexThreadsTest {
  private static final int ASKING = 3;
  private static final int VERTICES = 40;
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 60);
  private static final IndexDefinition STATE =
      new IndexDefinition(
          9,
          "job.state",
          ElementKind.VERTEX,
          1,
          1,
          Set.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT));

  /** All vertices have a value that passes, whichever of their versions is the present one. */
  private static final List<IndexClause> TRUE_OF_ALL =
      List.of(
          new IndexClause.Test(STATE, new ValueTest.Text(TextRelation.CONTAINS, "state")),
          new IndexClause.Test(STATE, new ValueTest.Text(TextRelation.STARTS_WITH, "st")),
          new IndexClause.Or(
              List.of(
                  new IndexClause.Test(
                      STATE, new ValueTest.Compare(Comparison.EQUAL, "state even")),
                  new IndexClause.Test(
                      STATE, new ValueTest.Compare(Comparison.EQUAL, "state odd")))));

  @TempDir private Path directory;

  @Test
  void interruptedSearchesDoNoHarmAndMissNothing() throws InterruptedException {
    long seed = Long.getLong("graphmeta.seed", 1);
    Random random = RandomValues.random(seed);
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong searches = new AtomicLong();
    Histories histories = new Histories();
    try (LuceneIndex index = LuceneIndex.open(directory)) {
      long stamp = change(index, histories, 1, 0);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < ASKING; i++) {
        long own = seed * ASKING + i;
        threads.add(
            new Thread(
                () -> ask(index, RandomValues.random(own), done, searches, failures),
                "asking " + i));
      }
      threads.forEach(Thread::start);
      for (int round = 1; round <= ROUNDS || searches.get() < ROUNDS; round++) {
        stamp = change(index, histories, stamp, round);
        if (random.nextInt(8) == 0) {
          index.commit(List.of());
        }
        for (int i = random.nextInt(4); i > 0; i--) {
          threads.get(random.nextInt(ASKING)).interrupt();
        }
        if (!failures.isEmpty()) {
          break;
        }
      }
      done.set(true);
      for (Thread each : threads) {
        each.join();
      }
      assertThat(failures).as("seed %d", seed).isEmpty();
      index.commit(List.of());
      assertThat(Histories.versions(index, STATE)).isEqualTo(histories.versions(STATE));
    }
    try (LuceneIndex index = LuceneIndex.open(directory)) {
      assertThat(Histories.versions(index, STATE)).isEqualTo(histories.versions(STATE));
    }
  }

  /** Gives each vertex a new state, which ends the one before, and publishes. */
  private static long change(LuceneIndex index, Histories histories, long from, int round) {
    long stamp = from;
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      if (round == 0 || vertex % 8 == round % 8) {
        Slot slot = new Slot(STATE, vertex, 0);
        stamp++;
        histories.add(
            slot, new Statement(stamp, stamp, round % 2 == 0 ? "state even" : "state odd"));
        histories.put(slot, index);
      }
    }
    index.publish(stamp);
    return stamp;
  }

  private static void ask(
      LuceneIndex index,
      Random random,
      AtomicBoolean done,
      AtomicLong searches,
      Queue<Throwable> failures) {
    try {
      long published = index.publishedStamp();
      while (!done.get()) {
        IndexClause clause = TRUE_OF_ALL.get(random.nextInt(TRUE_OF_ALL.size()));
        if (random.nextInt(4) == 0) {
          published = index.publishedStamp();
        }
        // What was published meanwhile has ended versions that are seen from before.
        ReadView view = ReadView.at(random.nextBoolean() ? published : Long.MAX_VALUE);
        if (random.nextInt(16) == 0) {
          Thread.currentThread().interrupt();
        }
        long[] found = index.find(clause, ViewSpan.of(view), VERTICES).vertices();
        if (found.length != VERTICES) {
          throw new AssertionError(found.length + " of " + VERTICES + " for " + clause);
        }
        searches.incrementAndGet();
        Thread.interrupted();
      }
    } catch (RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  @Test
  void closingEndsSearches() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      LuceneIndex index = LuceneIndex.open(directory.resolve("round" + round));
      change(index, new Histories(), 1, 0);
      CountDownLatch asking = new CountDownLatch(1);
      Queue<Throwable> ends = new ConcurrentLinkedQueue<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  while (true) {
                    index.find(
                        TRUE_OF_ALL.get(0), ViewSpan.of(ReadView.at(Long.MAX_VALUE)), VERTICES);
                    asking.countDown();
                  }
                } catch (RuntimeException e) {
                  ends.add(e);
                  asking.countDown();
                }
              });
      thread.start();
      asking.await();
      index.close();
      thread.join();
      assertThat(ends).hasSize(1);
      assertThat(ends.element())
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
  }

  @Test
  void edgesAreRefused() {
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      assertThatThrownBy(
              () ->
                  index.put(
                      new io.graphmeta.search.IndexedVersion(
                          STATE, new byte[24], 0, 1, 1, "a", Long.MAX_VALUE, Long.MAX_VALUE)))
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("job.state")
          .hasMessageContaining("24 bytes");
      index.publish(1);
    }
  }

  @Test
  void questionsOfManyPartsAreAnsweredOrLeftToAScan() {
    try (LuceneIndex index = LuceneIndex.inMemory()) {
      change(index, new Histories(), 1, 0);
      List<Object> operands = new ArrayList<>();
      List<ValueTest> parts = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        operands.add("state " + i);
        parts.add(new ValueTest.Compare(Comparison.EQUAL, "state " + i));
      }
      operands.add("state even");
      ReadView now = ReadView.at(Long.MAX_VALUE);
      assertThat(
              index
                  .find(
                      new IndexClause.Test(STATE, new ValueTest.Within(operands)),
                      ViewSpan.of(now),
                      VERTICES)
                  .vertices())
          .hasSize(VERTICES);
      assertThat(
              index.find(
                  new IndexClause.Test(STATE, new ValueTest.Or(parts)), ViewSpan.of(now), VERTICES))
          .isNull();
      String longer = "state even".repeat(20_000);
      assertThat(
              index
                  .find(
                      new IndexClause.Test(
                          STATE, new ValueTest.Text(TextRelation.CONTAINS, longer)),
                      ViewSpan.of(now),
                      VERTICES)
                  .vertices())
          .isEmpty();
    }
  }
}
