package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks a database that {@link IndexedWrites} change, with the help of its indexes and without, at
 * random views; waits for indexes, and compares these with what is stored. Belongs to one thread.
 */
final class IndexedAnswers {
  private static final long WAIT_SECONDS = 60;

  private final GraphDatabase database;
  private final Random random;
  private final long firstStamp;
  private long found;

  /**
   * @param firstStamp the first at which there is something to be found
   */
  IndexedAnswers(GraphDatabase database, Random random, long firstStamp) {
    this.database = database;
    this.random = random;
    this.firstStamp = firstStamp;
  }

  /** How many elements were found. */
  long found() {
    return found;
  }

  /** Some questions, each in a transaction of its own. */
  void ask(int questions, String story) {
    for (int i = 0; i < questions; i++) {
      try (GraphTransaction tx = database.begin()) {
        ReadView view = view(tx);
        if (random.nextInt(3) > 0) {
          askForFiles(tx, view, story);
        } else {
          askForEdges(tx, view, story);
        }
      }
    }
  }

  private ReadView view(GraphTransaction tx) {
    ReadView now = tx.snapshot();
    long past = firstStamp + (long) (random.nextDouble() * (now.knownAt() - firstStamp));
    return switch (random.nextInt(6)) {
      case 0 -> new ReadView(past, now.knownAt(), now.snapshot());
      case 1 -> new ReadView(past, past, now.snapshot());
      default -> now;
    };
  }

  private void askForFiles(GraphTransaction tx, ReadView view, String story) {
    Condition where = files(0);
    Set<String> files = Set.of("file");
    List<String> all =
        outcome(() -> tx.scanVertices(files, null, view), where, VertexRecord::value);
    assertThat(outcome(() -> tx.scanVertices(files, where, view), where, VertexRecord::value))
        .as("%s: %s at %s", story, where, view)
        .isEqualTo(all);
    assertCounts(tx, ElementKind.VERTEX, "file", where, view, all, story);
  }

  private void askForEdges(GraphTransaction tx, ReadView view, String story) {
    String label = random.nextInt(4) > 0 ? "wrote" : "read";
    Condition where = edges(0, label.equals("wrote") ? 3 : 4);
    List<String> all =
        outcome(() -> tx.scanEdges(Set.of(label), null, view), where, EdgeRecord::value);
    List<String> some =
        outcome(() -> tx.scanEdges(Set.of(label), where, view), where, EdgeRecord::value);
    if (all != null && some != null) {
      assertThat(some).as("%s: %s of %s at %s", story, where, label, view).isEqualTo(all);
      assertCounts(tx, ElementKind.EDGE, label, where, view, all, story);
    }
  }

  private interface Scan<E> {
    ElementCursor<E> begin();
  }

  /** What a condition is true of; null if vertices were split behind the view. */
  private static <E> @Nullable List<String> outcome(
      Scan<E> scan, Condition where, BiFunction<E, String, @Nullable Object> value) {
    List<String> outcome = new ArrayList<>();
    try (ElementCursor<E> cursor = scan.begin()) {
      for (E element = cursor.next(); element != null; element = cursor.next()) {
        E asked = element;
        if (isTrue(where, key -> value.apply(asked, key))) {
          outcome.add(element.toString());
        }
      }
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
        throw e;
      }
      return null;
    }
    return outcome;
  }

  private void assertCounts(
      GraphTransaction tx,
      ElementKind element,
      String label,
      Condition where,
      ReadView view,
      List<String> expected,
      String story) {
    found += expected.size();
    Plan plan =
        new Plan(
            new PlanSource.Scan(element, List.of(label)),
            List.of(new PlanStep.Filter(where)),
            ResultRange.ALL,
            new PlanResult.Count());
    try (PlanCursor cursor = tx.run(plan, Seeds.NONE, view, Engine.PREFETCH)) {
      assertThat(cursor.next() ? cursor.bulk() : 0)
          .as("%s: how many %s at %s", story, where, view)
          .isEqualTo(expected.size());
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
        throw e;
      }
    }
  }

  private interface Values {
    @Nullable Object of(String key);
  }

  private static boolean isTrue(Condition where, Values values) {
    if (where instanceof Condition.Property property) {
      Object value = values.of(property.key());
      return value != null && ValueTests.passes(property.test(), value);
    } else if (where instanceof Condition.And and) {
      return and.of().stream().allMatch(each -> isTrue(each, values));
    }
    return ((Condition.Or) where).of().stream().anyMatch(each -> isTrue(each, values));
  }

  private Condition files(int depth) {
    return switch (random.nextInt(depth < 2 ? 6 : 4)) {
      case 0 -> text("name", TextRelation.STARTS_WITH, "f" + random.nextInt(300));
      case 1 -> text("name", TextRelation.CONTAINS, random.nextInt(30) + " " + random.nextInt(10));
      case 2 -> compare("name", Comparison.EQUAL, "f" + random.nextInt(IndexedWrites.FILES));
      case 3 -> compare("size", Comparison.GREATER, random.nextInt(IndexedWrites.FILES));
      case 4 -> new Condition.And(List.of(files(depth + 1), files(depth + 1)));
      default -> new Condition.Or(List.of(files(depth + 1), files(depth + 1)));
    };
  }

  private Condition edges(int depth, int simple) {
    return switch (random.nextInt(depth < 2 ? simple + 2 : simple)) {
      case 0 -> compare("bytes", Comparison.EQUAL, random.nextInt(100));
      case 1 -> compare("bytes", Comparison.GREATER, random.nextInt(100));
      case 2 -> compare("bytes", Comparison.LESS_OR_EQUAL, random.nextInt(100));
      case 3 -> compare("mode", Comparison.EQUAL, "m" + random.nextInt(5));
      case 4 -> new Condition.And(List.of(edges(depth + 1, simple), edges(depth + 1, simple)));
      default -> new Condition.Or(List.of(edges(depth + 1, simple), edges(depth + 1, simple)));
    };
  }

  private static Condition text(String key, TextRelation relation, String operand) {
    return new Condition.Property(key, new ValueTest.Text(relation, operand));
  }

  private static Condition compare(String key, Comparison comparison, Object operand) {
    return new Condition.Property(key, new ValueTest.Compare(comparison, operand));
  }

  /** Waits until all indexes are built, and hold what was committed before. */
  void awaitCaughtUp(String story) throws InterruptedException {
    long begun = System.nanoTime();
    while (true) {
      long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      List<IndexStatus> indexes = database.indexes().list();
      if (indexes.stream()
          .allMatch(
              index ->
                  index.isBuilt()
                      && index.shards().stream()
                          .allMatch(shard -> shard.behindMillis() < passedMillis))) {
        return;
      }
      assertThat(passedMillis / 1000).as("%s: %s", story, indexes).isLessThan(WAIT_SECONDS);
      Thread.sleep(10);
    }
  }

  /** That indexes that have caught up hold what is stored; returns how many versions. */
  long assertClean(String story) {
    long versions = 0;
    List<IndexCheck> checks = database.indexes().check(null, compared -> {});
    assertThat(checks).extracting(IndexCheck::name).containsAll(IndexedWrites.KEPT);
    for (IndexCheck check : checks) {
      assertThat(check.isClean()).as("%s: %s", story, check).isTrue();
      versions += check.shards().stream().mapToLong(IndexCheck.OnShard::versions).sum();
    }
    return versions;
  }

  /**
   * That the indexes that stay are asked as soon as their shards have come to tell of them, without
   * any element having been read again.
   */
  void assertKept(String story) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    for (String name : IndexedWrites.KEPT) {
      IndexStatus kept = status(name);
      while (!kept.isBuilt() && System.nanoTime() < deadline) {
        Thread.sleep(10);
        kept = status(name);
      }
      assertThat(kept.isBuilt()).as("%s: %s", story, kept).isTrue();
      assertThat(kept.shards())
          .as("%s: elements that were read again for %s", story, name)
          .allMatch(shard -> shard.elements() == 0 && shard.fault().isEmpty());
    }
  }

  private IndexStatus status(String name) {
    return database.indexes().list().stream()
        .filter(index -> index.definition().name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
