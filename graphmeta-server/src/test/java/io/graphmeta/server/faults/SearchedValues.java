package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.IndexCheck;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.Indexes;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.search.IndexKind;
import io.graphmeta.server.faults.Deadlines.Step;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Adds, changes and removes vertices with properties that have indexes, and edges to them from a
 * vertex that is split meanwhile, and asks for those that have a value: by equality, by order and
 * by counts, now and as of moments that have passed. Each answer is what a read of all vertices, or
 * of all edges of that vertex, in the same snapshot says, which asks no index. Indexes are built
 * anew now and then while they are asked.
 */
final class SearchedValues implements Work {
  private static final int VERTICES = 40;
  private static final int KINDS = 5;
  private static final int SIZES = 1_000;
  private static final int LIMIT = 5;
  private static final int COMPARISONS = 300;
  private static final long COMPARE_MILLIS = 100;
  private static final long REBUILD_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String HOLDER = "holder";
  private static final String LABEL = "searched";
  private static final String HOLDS = "holds";
  private static final String KIND = "kind";
  private static final String SIZE = "size";

  private static final Map<String, Set<IndexKind>> INDEXES =
      Map.of(
          LABEL + "." + KIND,
          EnumSet.of(IndexKind.EXACT),
          LABEL + "." + SIZE,
          EnumSet.of(IndexKind.RANGE),
          HOLDS + "." + SIZE,
          EnumSet.of(IndexKind.RANGE));

  private static final List<String> IDS =
      IntStream.range(0, VERTICES).mapToObj(vertex -> LABEL + vertex).toList();

  /** What a vertex is found by. */
  private record Found(String kind, long size) {}

  private final Deadlines deadlines;
  private final AtomicLong changed = new AtomicLong();
  private final AtomicLong searched = new AtomicLong();
  private final AtomicLong rebuilt = new AtomicLong();
  private final AtomicLong nextRebuildNanos = new AtomicLong(System.nanoTime() + REBUILD_NANOS);

  SearchedValues(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  @Override
  public void begin(Client client) {
    INDEXES.forEach((name, kinds) -> create(client.database.indexes(), name, kinds));
    client.graph.tx().rollback();
    GraphTraversalSource g = client.graph.traversal();
    if (!g.V(HOLDER).hasNext()) {
      g.addV(HOLDER).property(T.id, HOLDER).iterate();
      client.graph.tx().commit();
    }
    client.graph.tx().rollback();
  }

  /** One that is there was made before, by an attempt that was not told so. */
  private static void create(Indexes indexes, String name, Set<IndexKind> kinds) {
    try {
      indexes.create(name, kinds);
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  @Override
  public boolean run(Client client, Random random) {
    long due = nextRebuildNanos.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextRebuildNanos.compareAndSet(due, now + REBUILD_NANOS)) {
      List<String> names = INDEXES.keySet().stream().sorted().toList();
      client.database.indexes().rebuild(names.get(random.nextInt(names.size())));
      rebuilt.incrementAndGet();
      return true;
    }
    client.graph.tx().rollback();
    try {
      if (random.nextInt(3) == 0) {
        search(client, random);
      } else {
        change(client, random);
      }
      return true;
    } finally {
      client.graph.tx().rollback();
    }
  }

  private void change(Client client, Random random) {
    open(client);
    GraphTraversalSource g = client.graph.traversal();
    String id = IDS.get(random.nextInt(VERTICES));
    String kind = KIND + random.nextInt(KINDS);
    long size = random.nextLong(SIZES);
    if (!deadlines.of(Step.READ, () -> g.V(id).hasNext())) {
      g.addV(LABEL).property(T.id, id).property(KIND, kind).property(SIZE, size).iterate();
      g.V(HOLDER).addE(HOLDS).to(__.V(id)).property(SIZE, size).iterate();
    } else if (random.nextInt(4) == 0) {
      g.V(id).drop().iterate();
    } else {
      g.V(id).property(KIND, kind).property(SIZE, size).iterate();
      g.V(id).inE(HOLDS).property(SIZE, size).iterate();
    }
    deadlines.of(
        Step.COMMIT,
        () -> {
          client.graph.tx().commit();
          return true;
        });
    changed.incrementAndGet();
  }

  private void open(Client client) {
    deadlines.of(
        Step.BEGIN,
        () -> {
          client.graph.tx().open();
          return true;
        });
  }

  private void search(Client client, Random random) {
    String kind = KIND + random.nextInt(KINDS);
    long size = random.nextLong(SIZES);
    open(client);
    assertFound(client.graph.traversal(), kind, size, "now");
    if (random.nextInt(3) == 0) {
      client.graph.tx().rollback();
      String moment = Instant.now().toString();
      assertFound(
          client.graph.traversal().with("asOf", moment).with("knownAt", moment),
          kind,
          size,
          "as of " + moment);
    }
    searched.incrementAndGet();
  }

  /** What indexes tell of a snapshot, and what is there in it. */
  private static void assertFound(GraphTraversalSource g, String kind, long size, String when) {
    Map<String, Found> there = new HashMap<>();
    g.V(IDS.toArray())
        .project("id", KIND, SIZE)
        .by(T.id)
        .by(KIND)
        .by(SIZE)
        .forEachRemaining(
            row ->
                there.put(
                    (String) row.get("id"),
                    new Found((String) row.get(KIND), (Long) row.get(SIZE))));
    Set<String> ofKind = new HashSet<>();
    there.forEach(
        (id, found) -> {
          if (found.kind().equals(kind)) {
            ofKind.add(id);
          }
        });
    long larger = there.values().stream().filter(found -> found.size() > size).count();
    String what = kind + ", " + size + ", " + when;
    assertThat(g.V().has(LABEL, KIND, kind).id().toList())
        .as("vertices of %s", what)
        .containsExactlyInAnyOrderElementsOf(List.copyOf(ofKind));
    assertThat(g.V().has(LABEL, KIND, kind).count().next())
        .as("count of %s", what)
        .isEqualTo(ofKind.size());
    assertThat(g.V().has(LABEL, SIZE, P.gt(size)).count().next())
        .as("larger, of %s", what)
        .isEqualTo(larger);
    assertThat(
            g.V().hasLabel(LABEL).order().by(SIZE, Order.desc).limit(LIMIT).values(SIZE).toList())
        .as("largest, %s", when)
        .isEqualTo(
            there.values().stream()
                .map(Found::size)
                .sorted(Comparator.reverseOrder())
                .limit(LIMIT)
                .toList());
    List<Object> held = g.V(HOLDER).outE(HOLDS).values(SIZE).toList();
    assertThat(held)
        .as("sizes of edges and of vertices, %s", when)
        .containsExactlyInAnyOrderElementsOf(
            there.values().stream().map(found -> (Object) found.size()).toList());
    assertThat(g.E().has(HOLDS, SIZE, P.gt(size)).count().next())
        .as("larger edges, of %s", what)
        .isEqualTo(larger);
  }

  /** When indexes have been built, they have what is there, and nothing else; then they answer. */
  @Override
  public void assertHolds(Client client) {
    awaitClean(client.database.indexes());
    client.graph.tx().rollback();
    for (int kind = 0; kind < KINDS; kind++) {
      assertFound(client.graph.traversal(), KIND + kind, kind * SIZES / KINDS, "in the end");
    }
    client.graph.tx().rollback();
  }

  private static void awaitClean(Indexes indexes) {
    for (int look = 0; ; look++) {
      List<IndexCheck> checks = indexes.check(null, versions -> {});
      assertThat(checks).extracting(IndexCheck::name).containsAll(INDEXES.keySet());
      assertThat(checks)
          .flatExtracting(IndexCheck::shards)
          .allMatch(shard -> shard.missing() == 0 && shard.surplus() == 0);
      if (checks.stream().allMatch(IndexCheck::isClean)
          && indexes.list().stream().allMatch(IndexStatus::isBuilt)) {
        return;
      }
      assertThat(look).as("looks at %s", checks).isLessThan(COMPARISONS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(COMPARE_MILLIS));
    }
  }

  @Override
  public String tally() {
    return String.format(
        "%d vertices with indexes changed, searched %d times; an index was built anew %d times",
        changed.get(), searched.get(), rebuilt.get());
  }
}
