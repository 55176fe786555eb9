package io.graphmeta.gremlin.plan;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.IndexCheck;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.Indexes;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Indexes over some of the properties of a {@link RandomGraph}, the same on several databases. */
final class RandomIndexes {
  private static final List<IndexKind> KINDS =
      List.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT);

  /** The ids too. */
  private static final List<String> KEYS =
      Stream.concat(Stream.of("id"), Stream.of(RandomConditions.KEYS)).toList();

  private static final long BUILD_SECONDS = 60;
  private static final long PAUSE_NANOS = 1_000_000;

  private final Random random;
  private final List<GraphDatabase> databases;
  private final TickingClock clock;

  RandomIndexes(long seed, List<GraphDatabase> databases, TickingClock clock) {
    this.clock = clock;
    this.random = new Random(seed);
    this.databases = databases;
  }

  /** Creates some. */
  void create() {
    for (String label : RandomGraph.VERTEX_LABELS) {
      for (String key : KEYS) {
        if (random.nextBoolean()) {
          create(new Name(ElementKind.VERTEX, label + "." + key));
        }
      }
    }
    boolean allEdges = random.nextInt(3) == 0;
    for (String label : RandomGraph.EDGE_LABELS) {
      if (allEdges || random.nextBoolean()) {
        create(new Name(ElementKind.EDGE, label + ".weight"));
      }
    }
  }

  private record Name(ElementKind element, String text) {}

  private void create(Name name) {
    Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
    while (kinds.isEmpty()) {
      KINDS.stream().filter(kind -> random.nextBoolean()).forEach(kinds::add);
    }
    databases.forEach(database -> database.indexes().create(name.text(), name.element(), kinds));
  }

  /** Creates, drops or rebuilds one. */
  void change() {
    Name name = random.nextInt(4) == 0 ? ofEdges() : ofVertices();
    boolean drop = random.nextBoolean();
    if (databases.get(0).indexes().list().stream()
        .noneMatch(each -> each.definition().name().equals(name.text()))) {
      create(name);
      return;
    }
    for (GraphDatabase database : databases) {
      Indexes indexes = database.indexes();
      if (drop) {
        indexes.drop(name.text());
      } else {
        indexes.rebuild(name.text());
      }
    }
  }

  private Name ofVertices() {
    String label = RandomGraph.VERTEX_LABELS[random.nextInt(RandomGraph.VERTEX_LABELS.length)];
    return new Name(ElementKind.VERTEX, label + "." + KEYS.get(random.nextInt(KEYS.size())));
  }

  private Name ofEdges() {
    String label = RandomGraph.EDGE_LABELS[random.nextInt(RandomGraph.EDGE_LABELS.length)];
    return new Name(ElementKind.EDGE, label + ".weight");
  }

  /** Waits until all shards have built all of them, which takes that the clock goes on. */
  void awaitBuilt() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BUILD_SECONDS);
    for (GraphDatabase database : databases) {
      while (!database.indexes().list().stream().allMatch(IndexStatus::isBuilt)) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("Not built in time: " + database.indexes().list());
        }
        clock.tick();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** All of them hold what is stored. */
  void check() {
    for (GraphDatabase database : databases) {
      for (IndexCheck check : database.indexes().check(null, versions -> {})) {
        if (!check.isClean()) {
          throw new AssertionError(check.toString());
        }
      }
    }
  }
}
