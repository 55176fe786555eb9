package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.SessionToken;
import io.graphmeta.time.Stamp;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a session has seen is carried from client to client. A token that lies a little ahead of the
 * clock tells whether it was heeded: without it a transaction would begin below.
 */
class SessionTokensTest {
  private static final String SESSION = "graphmeta.session";

  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  private static long stamp(Object token) {
    return SessionToken.of(token).stamp();
  }

  private String ahead(long millis) {
    g.addV().iterate();
    graph.tx().commit();
    return new SessionToken(Stamp.plusMicros(stamp(graph.sessionToken()), millis * 1000))
        .toString();
  }

  @Test
  void theTokenIsNotBelowWhatWasCommittedAndRead() {
    long before = Stamp.endOfMicros(System.currentTimeMillis() * 1000 - 1000);
    g.addV().iterate();
    graph.tx().commit();
    long written = stamp(graph.sessionToken());
    assertThat(written).isGreaterThan(before);
    assertThat(g.V().count().next()).isEqualTo(1);
    long read = stamp(g.call(SESSION).next());
    assertThat(read).isGreaterThanOrEqualTo(written);
    assertThat(read).isGreaterThanOrEqualTo(stamp(graph.sessionToken()));
  }

  @Test
  void nothingBeginsBelowAToken() {
    for (int i = 0; i < 5; i++) {
      String token = ahead(100);
      assertThat(stamp(g.with(SESSION, token).call(SESSION).next()))
          .isGreaterThanOrEqualTo(stamp(token));
      graph.tx().rollback();
      assertThat(stamp(g.call(SESSION).next())).isGreaterThanOrEqualTo(stamp(token));
      graph.tx().rollback();
    }
    String token = ahead(100);
    assertThat(g.with(SESSION, token).V().count().next()).isEqualTo(6);
    assertThat(stamp(graph.sessionToken())).isGreaterThanOrEqualTo(stamp(token));
  }

  @Test
  void anOpenTransactionThatMayMissSomethingIsNotGoneOnWith() {
    String token = ahead(100);
    g.V().hasNext();
    assertThatThrownBy(() -> g.with(SESSION, token).V().hasNext())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("commit it or roll it back first");
    assertThat(g.with(SESSION, new SessionToken(Stamp.MIN).toString()).V().hasNext()).isTrue();
    graph.tx().rollback();
    assertThat(g.with(SESSION, token).V().hasNext()).isTrue();
  }

  @Test
  void whatIsNoTokenIsRefusedAndChangesNothing() {
    String future = ahead(1_000_000);
    assertThatThrownBy(() -> g.with(SESSION, future).V().hasNext())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("ahead of the clock");
    assertThat(stamp(g.call(SESSION).next())).isLessThan(stamp(future));
    for (Object bad : new Object[] {"", "2026-11-21", 5, "00065c0a1b2c3d4g"}) {
      assertThatThrownBy(() -> g.with(SESSION, bad).V().hasNext())
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("Option 'graphmeta.session' of with(): '" + bad + "'");
    }
    assertThatThrownBy(() -> g.with("graphmeta.sesion", future).V().hasNext())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("graphmeta.session");
    assertThatThrownBy(() -> g.V().call(SESSION).hasNext())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("start of a traversal");
  }

  @Test
  void aThreadedTransactionIsHeldToItToo() {
    String token = ahead(100);
    GraphMetaGraph threaded = graph.tx().createThreadedTx();
    assertThatThrownBy(() -> threaded.traversal().with(SESSION, token).V().hasNext())
        .hasMessageContaining("commit it or roll it back first");
    threaded.tx().rollback();
  }
}
