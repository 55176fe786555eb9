package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.jspecify.annotations.Nullable;

/**
 * Adds edges to some vertices and removes them again, so that these vertices are split while it
 * does, and follows the edges by traversals of one and two steps. Each snapshot that was read has
 * all edges that were acknowledged up to it, without those that were removed up to it, and nothing
 * of what was refused; the traversals of a snapshot agree with one another.
 */
final class HotVertices implements Work {
  private static final int HUBS = 3;
  private static final int TAILS = 8;
  private static final int MOST_AT_HUB = 300;
  private static final int MOST_READS = 2_000;

  /** What is known of a change, when it is over. */
  private record Change(boolean isKnown, long stamp) {
    static final Change REFUSED = new Change(true, Long.MAX_VALUE);
    static final Change UNKNOWN = new Change(false, Long.MAX_VALUE);

    boolean isSeenAt(long stamp) {
      return isKnown && this.stamp <= stamp;
    }
  }

  /** A vertex behind a hub, and before a tail. */
  private static final class Leaf {
    final long number;
    final int hub;
    private volatile @Nullable EdgeKey edge;
    private volatile Change added = Change.UNKNOWN;
    private volatile Change removed = Change.REFUSED;

    Leaf(long number, int hub) {
      this.number = number;
      this.hub = hub;
    }

    String id() {
      return "leaf" + number;
    }
  }

  /** The leaves of a hub at a stamp. */
  private record Read(int hub, long stamp, Set<String> leaves) {}

  private final Deadlines deadlines;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentMap<Long, Leaf> leaves = new ConcurrentHashMap<>();
  private final List<Queue<Leaf>> removable = new ArrayList<>();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final AtomicLong kept = new AtomicLong();
  private final AtomicLong followed = new AtomicLong();
  private volatile long[] hubs = {};
  private volatile long[] tails = {};

  HotVertices(Deadlines deadlines) {
    this.deadlines = deadlines;
    for (int hub = 0; hub < HUBS; hub++) {
      removable.add(new ConcurrentLinkedQueue<>());
    }
  }

  @Override
  public void begin(Client client) {
    List<String> hubIds = ids("hub", HUBS);
    List<String> tailIds = ids("tail", TAILS);
    try (GraphTransaction tx = client.database.begin()) {
      if (tx.verticesById(List.of("hub0"), tx.snapshot()).get(0) == null) {
        hubIds.forEach(id -> tx.addVertex(id, "hub", Map.of(), Stamp.AT_COMMIT));
        tailIds.forEach(id -> tx.addVertex(id, "tail", Map.of(), Stamp.AT_COMMIT));
        tx.commit();
      }
    }
    try (GraphTransaction tx = client.database.begin()) {
      tails = tx.vertexKeys(tailIds);
      hubs = tx.vertexKeys(hubIds);
    }
  }

  private static List<String> ids(String name, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(name + i);
    }
    return ids;
  }

  private static int tailOf(long number) {
    return (int) (number % TAILS);
  }

  @Override
  public boolean run(Client client, Random random) {
    int hub = random.nextInt(HUBS);
    int kind = random.nextInt(10);
    if (kind < 2) {
      follow(client, hub);
      return true;
    }
    if (kind < 4 || removable.get(hub).size() > MOST_AT_HUB) {
      return remove(client, hub);
    }
    add(client, hub, 1 + random.nextInt(8));
    return true;
  }

  private void add(Client client, int hub, int count) {
    List<Leaf> added = new ArrayList<>();
    try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
      for (int i = 0; i < count; i++) {
        Leaf leaf = new Leaf(numbers.incrementAndGet(), hub);
        long key = tx.addVertex(leaf.id(), "leaf", Map.of(), Stamp.AT_COMMIT);
        leaf.edge = tx.addEdge(null, hubs[hub], "has", key, Map.of(), Stamp.AT_COMMIT);
        long tail = tails[tailOf(leaf.number)];
        tx.addEdge(null, key, "next", tail, Map.of(), Stamp.AT_COMMIT);
        leaves.put(leaf.number, leaf);
        added.add(leaf);
      }
      change(tx, outcome -> added.forEach(leaf -> leaf.added = outcome));
      removable.get(hub).addAll(added);
    }
  }

  private boolean remove(Client client, int hub) {
    Leaf leaf = removable.get(hub).poll();
    if (leaf == null) {
      return false;
    }
    try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
      EdgeKey edge = leaf.edge;
      if (edge == null || tx.snapshot().knownAt() < leaf.added.stamp()) {
        removable.get(hub).add(leaf);
        return false;
      }
      leaf.removed = Change.UNKNOWN;
      change(
          tx,
          () -> tx.removeEdge(edge, Stamp.AT_COMMIT),
          outcome -> {
            leaf.removed = outcome;
            if (outcome == Change.REFUSED) {
              removable.get(hub).add(leaf);
            }
          });
      return true;
    }
  }

  private interface Told {
    void of(Change outcome);
  }

  private void change(GraphTransaction tx, Told told) {
    change(tx, () -> {}, told);
  }

  /** Does it and commits, and tells what is known of it. */
  private void change(GraphTransaction tx, Runnable work, Told told) {
    try {
      work.run();
      told.of(new Change(true, deadlines.of(Step.COMMIT, tx::commit)));
    } catch (GraphMetaException e) {
      told.of(
          e.code().category() == ErrorCode.Category.UNCERTAIN ? Change.UNKNOWN : Change.REFUSED);
      throw e;
    }
  }

  private void follow(Client client, int hub) {
    client.graph.tx().rollback();
    try {
      long stamp = deadlines.of(Step.BEGIN, () -> snapshot(client));
      Set<String> found = found(client.graph.traversal(), hub);
      followed.incrementAndGet();
      if (kept.get() < MOST_READS) {
        kept.incrementAndGet();
        reads.add(new Read(hub, stamp, found));
      }
    } finally {
      client.graph.tx().rollback();
    }
  }

  /** The stamp of the snapshot that the graph reads in this thread from now on. */
  private static long snapshot(Client client) {
    return client.graph.pastView(Stamp.MAX, null).knownAt();
  }

  /** The leaves of a hub, by all ways that lead to them, which must agree. */
  private static Set<String> found(GraphTraversalSource g, int hub) {
    String id = "hub" + hub;
    List<Object> found = g.V(id).out("has").id().toList();
    Set<String> leaves = new HashSet<>();
    Map<Object, Long> expected = new HashMap<>();
    for (Object leaf : found) {
      assertThat(leaves.add(leaf.toString())).as("%s of %s twice", leaf, id).isTrue();
      long number = Long.parseLong(leaf.toString().substring("leaf".length()));
      expected.merge("tail" + tailOf(number), 1L, Long::sum);
    }
    assertThat(g.V(id).out("has").out("next").id().groupCount().next())
        .as("tails behind the leaves of %s", id)
        .isEqualTo(expected);
    assertThat(g.V(id).outE("has").count().next()).as("edges of %s", id).isEqualTo(leaves.size());
    String tail = "tail" + tailOf(leaves.size());
    assertThat(g.V(tail).in("next").where(__.in("has").hasId(id)).count().next())
        .as("leaves of %s before %s", id, tail)
        .isEqualTo(expected.getOrDefault(tail, 0L));
    return leaves;
  }

  @Override
  public void assertHolds(Client client) {
    for (int hub = 0; hub < HUBS; hub++) {
      client.graph.tx().rollback();
      long stamp = snapshot(client);
      reads.add(new Read(hub, stamp, found(client.graph.traversal(), hub)));
      client.graph.tx().rollback();
    }
    for (Read read : reads) {
      Set<String> wrong = new HashSet<>();
      for (Leaf leaf : leaves.values()) {
        if (leaf.hub == read.hub() && isWrong(leaf, read)) {
          wrong.add(leaf.id() + ": added " + leaf.added + ", removed " + leaf.removed);
        }
      }
      assertThat(wrong).as("leaves of hub%d at %d", read.hub(), read.stamp()).isEmpty();
    }
    assertThat(reads.stream().flatMap(read -> read.leaves().stream()))
        .as("leaves that somebody added")
        .allMatch(id -> leaves.containsKey(Long.parseLong(id.substring("leaf".length()))));
  }

  private static boolean isWrong(Leaf leaf, Read read) {
    boolean isSeen = read.leaves().contains(leaf.id());
    if (isSeen) {
      return leaf.added.isKnown() && !leaf.added.isSeenAt(read.stamp())
          || leaf.removed.isSeenAt(read.stamp());
    }
    return leaf.added.isSeenAt(read.stamp())
        && leaf.removed.isKnown()
        && !leaf.removed.isSeenAt(read.stamp());
  }

  @Override
  public String tally() {
    long acknowledged =
        leaves.values().stream().filter(leaf -> leaf.added.isSeenAt(Stamp.MAX - 1)).count();
    long gone =
        leaves.values().stream().filter(leaf -> leaf.removed.isSeenAt(Stamp.MAX - 1)).count();
    return String.format(
        "%d edges of %d hot vertices added, of which %d acknowledged, %d removed; followed %d times",
        leaves.size(), HUBS, acknowledged, gone, followed.get());
  }
}
