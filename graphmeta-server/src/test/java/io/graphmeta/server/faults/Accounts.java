package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.faults.Deadlines.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Moves money between vertices on all shards and hangs a file on both ends of each move. The sum is
 * the same in every snapshot, now and as of moments that have passed, and what was read of the past
 * is read again. Of a move that was acknowledged the file is there with its edges at both ends; of
 * one that was refused nothing is; of any other all or nothing.
 */
final class Accounts implements Work {
  private static final int ACCOUNTS = 24;
  private static final long BALANCE = 1_000;
  private static final int MOST_MOMENTS = 400;
  private static final int BATCH = 500;

  private final Deadlines deadlines;
  private final AtomicLong transfers = new AtomicLong();
  private final AtomicLong sums = new AtomicLong();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<String, GraphMetaException> refused = new ConcurrentHashMap<>();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<Instant, Map<Object, Object>> past = new ConcurrentHashMap<>();

  Accounts(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  @Override
  public void begin(Client client) {
    client.graph.tx().rollback();
    GraphTraversalSource g = client.graph.traversal();
    if (g.V("a0").hasNext()) {
      return; // made before, by an attempt that was not told so
    }
    for (int account = 0; account < ACCOUNTS; account++) {
      g.addV("account").property(T.id, "a" + account).property("balance", BALANCE).iterate();
    }
    client.graph.tx().commit();
  }

  @Override
  public boolean run(Client client, Random random) {
    try {
      if (random.nextInt(3) == 0) {
        sum(client.graph);
        return true;
      }
      return transfer(client.graph, random);
    } finally {
      client.graph.tx().rollback();
    }
  }

  private boolean transfer(GraphMetaGraph graph, Random random) {
    GraphTraversalSource g = graph.traversal();
    String from = "a" + random.nextInt(ACCOUNTS);
    String to = "a" + random.nextInt(ACCOUNTS);
    if (from.equals(to)) {
      return false;
    }
    long amount = random.nextLong(10);
    String file = "f" + transfers.incrementAndGet();
    deadlines.of(Step.BEGIN, () -> open(graph));
    g.V(from).property("balance", balance(g, from) - amount).iterate();
    g.V(to).property("balance", balance(g, to) + amount).iterate();
    g.addV("file").property(T.id, file).iterate();
    g.V(file).addE("of").to(__.V(from)).iterate();
    g.V(file).addE("of").to(__.V(to)).iterate();
    try {
      deadlines.of(Step.COMMIT, () -> commit(graph));
      acknowledged.add(file);
      return true;
    } catch (RuntimeException e) {
      GraphMetaException known = Errors.known(e);
      if (known != null) {
        if (known.code().category() == ErrorCode.Category.RETRY) {
          refused.put(file, known);
        } else {
          unknown.add(file);
        }
      }
      throw e;
    }
  }

  private static boolean open(GraphMetaGraph graph) {
    graph.tx().open();
    return true;
  }

  private static boolean commit(GraphMetaGraph graph) {
    graph.tx().commit();
    return true;
  }

  private long balance(GraphTraversalSource g, String account) {
    return (Long) deadlines.of(Step.READ, () -> g.V(account).values("balance").next());
  }

  private void sum(GraphMetaGraph graph) {
    GraphTraversalSource g = graph.traversal();
    assertThat(sum(balances(g))).as("sum of a snapshot").isEqualTo(ACCOUNTS * BALANCE);
    sums.incrementAndGet();
    graph.tx().rollback();
    Instant now = Instant.now();
    Map<Object, Object> then = balances(then(graph, now));
    assertThat(sum(then)).as("sum as of " + now).isEqualTo(ACCOUNTS * BALANCE);
    if (past.size() < MOST_MOMENTS) {
      past.put(now, then);
    }
  }

  private static Map<Object, Object> balances(GraphTraversalSource g) {
    return g.V().hasLabel("account").group().by(T.id).by(__.values("balance")).next();
  }

  /** What was true and known at a moment, which never changes. */
  private static GraphTraversalSource then(GraphMetaGraph graph, Instant moment) {
    return graph.traversal().with("asOf", moment.toString()).with("knownAt", moment.toString());
  }

  private static long sum(Map<Object, Object> balances) {
    return balances.values().stream().mapToLong(value -> (Long) value).sum();
  }

  @Override
  public void assertHolds(Client client) {
    client.graph.tx().rollback();
    GraphTraversalSource g = client.graph.traversal();
    Map<Object, Set<Object>> atAccounts = filesAtAccounts(g);
    Map<Object, Set<Object>> atFiles = new HashMap<>();
    List<String> files = new ArrayList<>(acknowledged);
    files.addAll(refused.keySet());
    files.addAll(unknown);
    for (int from = 0; from < files.size(); from += BATCH) {
      atFiles.putAll(accounts(g, files.subList(from, Math.min(files.size(), from + BATCH))));
    }
    assertThat(atFiles).as("edges seen from files, and from accounts").isEqualTo(atAccounts);
    assertThat(atFiles.keySet()).as("acknowledged").containsAll(acknowledged);
    refused.keySet().stream()
        .filter(atFiles::containsKey)
        .forEach(file -> fail(file + " is there, and was refused", refused.get(file)));
    assertThat(atFiles.values()).as("whole or absent").allMatch(accounts -> accounts.size() == 2);
    past.forEach(
        (moment, balances) ->
            assertThat(balances(then(client.graph, moment)))
                .as("as of " + moment)
                .isEqualTo(balances));
    assertThat(sum(balances(g))).isEqualTo(ACCOUNTS * BALANCE);
    client.graph.tx().rollback();
  }

  /** The accounts of each file that is there, by the edges that leave files. */
  private static Map<Object, Set<Object>> accounts(GraphTraversalSource g, List<String> files) {
    Map<Object, Object> found =
        g.V(files.toArray()).group().by(T.id).by(__.out("of").id().fold()).next();
    Map<Object, Set<Object>> accounts = new HashMap<>();
    found.forEach((file, ids) -> accounts.put(file, new HashSet<>((List<?>) ids)));
    return accounts;
  }

  /** The same by the edges that enter accounts. */
  private static Map<Object, Set<Object>> filesAtAccounts(GraphTraversalSource g) {
    Map<Object, Set<Object>> accounts = new HashMap<>();
    for (int account = 0; account < ACCOUNTS; account++) {
      String id = "a" + account;
      g.V(id)
          .in("of")
          .id()
          .forEachRemaining(
              file -> accounts.computeIfAbsent(file, each -> new HashSet<>()).add(id));
    }
    return accounts;
  }

  @Override
  public String tally() {
    return String.format(
        "%d transfers acknowledged, %d refused, %d unknown, %d sums, %d moments",
        acknowledged.size(), refused.size(), unknown.size(), sums.get(), past.size());
  }
}
