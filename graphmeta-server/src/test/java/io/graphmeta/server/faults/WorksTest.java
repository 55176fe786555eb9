package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.gremlin.GremlinEndpoint;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Works find nothing where all is well, and find what was changed behind their backs: each change
 * is of the kind that a shard would make which had forgotten, or made up, a commit.
 */
class WorksTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int THREADS = 4;
  private static final int STEPS = 150;

  /** Works that wait between their steps do fewer. */
  private static final long MOST_NANOS = 4_000_000_000L;

  /** Something that is wrong afterwards. */
  private interface Wrong {
    void make(GraphTraversalSource g);
  }

  private static Arguments of(String name, Function<Deadlines, Work> work, Wrong wrong) {
    return Arguments.of(Named.of(name, work), wrong);
  }

  static Stream<Arguments> works() {
    return Stream.of(
        of("accounts", Accounts::new, g -> g.V("a1").property("balance", 7L).iterate()),
        of("accounts", Accounts::new, g -> g.V("a1").inE("of").limit(1).drop().iterate()),
        of("lists", AppendedLists::new, g -> g.V("l1.0").property("items", "1;").iterate()),
        of("hot", HotVertices::new, g -> g.V("hub0").outE("has").limit(1).drop().iterate()),
        of("hot", HotVertices::new, g -> g.V("hub1").out("has").limit(1).drop().iterate()),
        of(
            "hot",
            HotVertices::new,
            g -> g.V("hub2").out("has").outE("next").limit(1).drop().iterate()),
        of("sessions", HandedSessions::new, g -> g.V("session2").property("count", 1L).iterate()),
        of("names", NewNames::new, g -> g.V("to1").property("key0", 5L).iterate()),
        of("names", NewNames::new, g -> g.V("from2").drop().iterate()),
        of("large", LargeValues::new, g -> g.V("large0").property("text", "0:x").iterate()),
        of(
            "searched",
            SearchedValues::new,
            g -> g.V("holder").outE("holds").limit(1).drop().iterate()),
        of(
            "searched",
            SearchedValues::new,
            g -> g.V().hasLabel("searched").limit(1).property("size", -1L).iterate()));
  }

  @ParameterizedTest
  @MethodSource("works")
  void whatIsWrongIsFound(Function<Deadlines, Work> made, Wrong wrong) throws Exception {
    Deadlines deadlines = new Deadlines();
    Work work = made.apply(deadlines);
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, "4").with(Setting.SPLIT_THRESHOLD, "16");
    try (GraphDatabase database = GraphDatabases.open(config)) {
      Client client = new Client("c1", database);
      work.begin(client);
      run(work, client);
      assertThatCode(() -> work.assertHolds(client)).as("seed %d", SEED).doesNotThrowAnyException();
      wrong.make(client.graph.traversal());
      client.graph.tx().commit();
      assertThatThrownBy(() -> work.assertHolds(client))
          .as("seed %d, %s", SEED, work.tally())
          .isInstanceOf(AssertionError.class);
      assertThat(deadlines.missed()).isEmpty();
    }
  }

  @Test
  void aServedSessionThatIsWrongIsFound() throws Exception {
    ServerSettings settings =
        ServerSettings.defaults()
            .with(ServerSetting.PORT, 0)
            .with(ServerSetting.AUDIT_FILE, "none");
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        ServerMetrics metrics = new ServerMetrics()) {
      Client client = new Client("c1", database);
      try (GremlinEndpoint endpoint = GremlinEndpoint.start(client.graph, settings, metrics, null);
          GremlinServers servers =
              new GremlinServers(endpoint.address().getPort(), endpoint.address().getPort())) {
        Work work = new ServedSessions(servers, new Deadlines());
        work.begin(client);
        run(work, client);
        work.assertHolds(client);
        client.graph.traversal().V("served2").property("count", -1L).iterate();
        client.graph.tx().commit();
        assertThatThrownBy(() -> work.assertHolds(client))
            .as("seed %d, %s", SEED, work.tally())
            .isInstanceOf(AssertionError.class);
      }
    }
  }

  private static void run(Work work, Client client) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(SEED + thread);
        running.add(threads.submit(() -> steps(work, client, random)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static void steps(Work work, Client client, Random random) {
    Errors errors = new Errors();
    long end = System.nanoTime() + MOST_NANOS;
    for (int step = 0; step < STEPS && System.nanoTime() < end; step++) {
      try {
        while (!work.run(client, random) && System.nanoTime() < end) {
          LockSupport.parkNanos(Errors.PAUSE_NANOS);
        }
      } catch (RuntimeException e) {
        GraphMetaException known = Errors.known(e);
        if (known == null || errors.count(known) == null) {
          throw e;
        }
      }
    }
  }
}
