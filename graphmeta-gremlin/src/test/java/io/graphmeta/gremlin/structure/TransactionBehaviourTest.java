package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of threads, their errors, and the life of a graph. */
class TransactionBehaviourTest {
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  private static void inOtherThread(Runnable action) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(action);
    thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
  }

  @Test
  void theSecondOfTwoConflictingCommitsCanBeRetried() throws InterruptedException {
    g.addV().property(T.id, "v").property("n", 0).iterate();
    graph.tx().commit();
    g.V("v").property("n", 1).iterate();
    inOtherThread(
        () -> {
          g.V("v").property("n", 2).iterate();
          graph.tx().commit();
        });
    assertThatThrownBy(() -> graph.tx().commit())
        .isInstanceOf(TransactionException.class)
        .isInstanceOf(TemporaryException.class)
        .isInstanceOfSatisfying(
            RetryableTransactionException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
        .hasRootCauseInstanceOf(GraphMetaException.class);
    assertThat(graph.tx().isOpen()).isFalse();
    assertThat(g.V("v").values("n").next()).isEqualTo(2);
    g.V("v").property("n", 1).iterate();
    graph.tx().commit();
    assertThat(g.V("v").values("n").next()).isEqualTo(1);
  }

  @Test
  void edgesOfOneVertexDoNotConflict() throws InterruptedException {
    g.addV().property(T.id, "hub").iterate();
    graph.tx().commit();
    g.addV().as("n").V("hub").addE("e").from("n").iterate();
    inOtherThread(
        () -> {
          g.addV().as("n").V("hub").addE("e").from("n").iterate();
          graph.tx().commit();
        });
    graph.tx().commit();
    assertThat(g.V("hub").in("e").count().next()).isEqualTo(2);
  }

  @Test
  void rollbackLeavesNothing() {
    Vertex kept = graph.addVertex(T.id, "kept", "n", 1);
    graph.tx().commit();
    kept.property("n", 2);
    Vertex dropped = graph.addVertex(T.id, "dropped");
    kept.addEdge("e", dropped);
    graph.tx().rollback();
    assertThat(kept.<Integer>value("n")).isEqualTo(1);
    assertThat(g.V().id().toList()).containsExactly("kept");
    assertThat(g.E().hasNext()).isFalse();
    assertThat(dropped.properties().hasNext()).isFalse();
    assertThatThrownBy(() -> dropped.property("n", 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRemovedElementComesBackWithTheRollback() {
    Vertex vertex = graph.addVertex(T.id, "v", "n", 1);
    graph.tx().commit();
    vertex.remove();
    vertex.remove();
    assertThat(vertex.id()).isEqualTo("v");
    assertThat(vertex.properties().hasNext()).isFalse();
    assertThat(g.V("v").hasNext()).isFalse();
    graph.tx().rollback();
    assertThat(vertex.<Integer>value("n")).isEqualTo(1);
  }

  @Test
  void elementsServeLaterTransactionsAndOtherThreads() throws InterruptedException {
    Vertex vertex = graph.addVertex(T.id, "v", "n", 1);
    graph.tx().commit();
    inOtherThread(
        () -> {
          assertThat(vertex.<Integer>value("n")).isEqualTo(1);
          vertex.property("n", 2);
          graph.tx().commit();
        });
    assertThat(vertex.<Integer>value("n")).isEqualTo(2);
  }

  @Test
  void aThreadThatEndsWithoutCommitLeavesNothingOpen() throws InterruptedException {
    GraphMetaTransaction transactions = (GraphMetaTransaction) graph.tx();
    AtomicReference<OpenTransaction> left = new AtomicReference<>();
    inOtherThread(
        () -> {
          graph.addVertex(T.id, "orphan");
          left.set(transactions.running());
        });
    assertThat(transactions.watchedThreads()).isEqualTo(1);
    assertThat(left.get().tx().isOpen()).isTrue();
    transactions.rollBackOrphans();
    assertThat(transactions.watchedThreads()).isZero();
    assertThat(left.get().tx().isOpen()).isFalse();
    assertThat(g.V("orphan").hasNext()).isFalse();
  }

  @Test
  void closingRollsBackAndLeavesAGivenDatabaseOpen() {
    graph.addVertex(T.id, "v");
    graph.close();
    GraphMetaGraph again = GraphMetaGraph.over(database);
    assertThat(again.traversal().V().hasNext()).isFalse();
    again.close();
  }

  @Test
  void opensFromAConfigurationAndKeepsWhatWasCommitted(@TempDir Path directory) throws Exception {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty(Graph.GRAPH, GraphMetaGraph.class.getName());
    configuration.setProperty(Setting.DIRECTORY.key(), directory.resolve("db").toString());
    try (Graph opened = GraphFactory.open(configuration)) {
      opened.addVertex(T.id, "v");
      opened.tx().commit();
      opened.addVertex(T.id, "w");
      assertThat(opened.features().graph().supportsPersistence()).isTrue();
    }
    try (Graph reopened = GraphFactory.open(configuration)) {
      assertThat(reopened.traversal().V().id().toList()).containsExactly("v");
    }
    configuration.setProperty("graphmeta.directry", "x");
    assertThatThrownBy(() -> GraphMetaGraph.open(configuration))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("graphmeta.directry");
  }

  @Test
  void refusesAnUnknownDefaultCardinality() {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty(Setting.STORAGE.key(), "memory");
    configuration.setProperty(GraphMetaGraph.DEFAULT_CARDINALITY, "many");
    assertThatThrownBy(() -> GraphMetaGraph.open(configuration))
        .hasMessageContaining("many")
        .hasMessageContaining("expected single, list, set");
  }

  @Test
  void threadsShareAThreadedTransaction() throws InterruptedException {
    Graph shared = graph.tx().createThreadedTx();
    int threads = 4;
    int each = 200;
    List<Thread> running = new ArrayList<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      Thread started =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  Vertex vertex = shared.addVertex(T.id, thread + "-" + i, "n", i);
                  vertex.addEdge("next", vertex);
                  vertex.property("n", i + 1);
                  assertThat(vertex.<Integer>value("n")).isEqualTo(i + 1);
                  assertThat(shared.traversal().V(thread + "-" + i).out("next").hasNext()).isTrue();
                }
              });
      started.setUncaughtExceptionHandler((at, e) -> failure.set(e));
      running.add(started);
      started.start();
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(shared.traversal().V().count().next()).isEqualTo(threads * each);
    assertThat(g.V().count().next()).isZero();
    graph.tx().rollback();
    shared.tx().commit();
    assertThat(g.V().count().next()).isEqualTo(threads * each);
    assertThat(g.E().count().next()).isEqualTo(threads * each);
  }

  @Test
  void aThreadedTransactionEndsOnceAndIsNotOpenedAgain() {
    Graph shared = graph.tx().createThreadedTx();
    shared.addVertex(T.id, "v");
    shared.tx().rollback();
    assertThat(shared.tx().isOpen()).isFalse();
    assertThatThrownBy(() -> shared.addVertex()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> shared.tx().open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("createThreadedTx");
    assertThat(g.V().hasNext()).isFalse();
    Graph abandoned = graph.tx().createThreadedTx();
    abandoned.addVertex(T.id, "v");
    abandoned.tx().close();
    assertThat(g.V().hasNext()).isFalse();
  }

  @Test
  void aThreadedTransactionConflictsAsAnyOther() {
    g.addV().property(T.id, "v").property("n", 0).iterate();
    graph.tx().commit();
    Graph shared = graph.tx().createThreadedTx();
    shared.traversal().V("v").property("n", 1).iterate();
    g.V("v").property("n", 2).iterate();
    graph.tx().commit();
    assertThatThrownBy(() -> shared.tx().commit())
        .isInstanceOf(TransactionException.class)
        .isInstanceOf(TemporaryException.class);
    assertThat(g.V("v").values("n").next()).isEqualTo(2);
  }

  @Test
  void variablesBelongToTheGraph() throws InterruptedException {
    graph.variables().set("centre", "north");
    assertThat(graph.variables().<String>get("centre")).contains("north");
    assertThat(g.V().hasNext()).isFalse();
    inOtherThread(() -> assertThat(graph.variables().keys()).isEmpty());
    graph.tx().commit();
    graph.variables().remove("centre");
    graph.tx().rollback();
    assertThat(graph.variables().asMap()).isEqualTo(Map.of("centre", "north"));
    assertThatThrownBy(() -> graph.variables().set("centre", new Object()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("java.lang.Object");
  }
}
