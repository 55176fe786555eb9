package io.graphmeta.server.gremlin;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.gtravel.GTravel;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * A graph with small limits, and every way into it: what it does with a value, an id, a name, many
 * writes, many elements, a time. A {@link WayIn} answers for each, or says why there is nothing to
 * answer for, so that neither a limit nor a way in can be forgotten.
 */
final class WaysIn implements AutoCloseable {
  static final int MAX_VALUE_BYTES = 64;
  static final int MAX_ID_BYTES = 32;
  static final int MAX_TRANSACTION_BYTES = 1 << 16;
  static final int MAX_FRONTIER = 100;

  final GraphDatabase database =
      GraphDatabases.open(
          GraphMetaConfig.of(
              Map.of(
                  Setting.STORAGE.key(),
                  "memory",
                  Setting.MAX_VALUE_BYTES.key(),
                  MAX_VALUE_BYTES,
                  Setting.MAX_ID_BYTES.key(),
                  MAX_ID_BYTES,
                  Setting.MAX_TRANSACTION_BYTES.key(),
                  MAX_TRANSACTION_BYTES,
                  Setting.MAX_FRONTIER.key(),
                  MAX_FRONTIER)));
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();
  private final ServerMetrics metrics = new ServerMetrics();
  private final GremlinEndpoint endpoint;
  private final Cluster cluster;
  private final Client client;

  /** What is done with a limit: with what is allowed, and with what is not. */
  @FunctionalInterface
  interface Use<V> {
    void with(V value) throws Exception;
  }

  /** A way in: what it does with each kind of thing that has a limit. */
  abstract static class WayIn {
    private final String name;

    WayIn(String name) {
      this.name = name;
    }

    abstract void value(String value) throws Exception;

    abstract void id(String id) throws Exception;

    abstract void name(String name) throws Exception;

    abstract void writes(int number) throws Exception;

    abstract void frontier(int number) throws Exception;

    abstract void event(Instant time) throws Exception;

    abstract void view(String time) throws Exception;

    @Override
    public String toString() {
      return name;
    }
  }

  /** There is nothing of this kind that comes in this way. */
  static final class Nothing extends Exception {
    private static final long serialVersionUID = 1L;

    Nothing(String why) {
      super(why);
    }
  }

  WaysIn() throws Exception {
    endpoint =
        GremlinEndpoint.start(
            graph,
            ServerSettings.defaults()
                .with(ServerSetting.PORT, 0)
                .with(ServerSetting.AUDIT_FILE, "none"),
            metrics,
            null);
    cluster = Cluster.build("127.0.0.1").port(endpoint.address().getPort()).create();
    client = cluster.connect();
    graph.addVertex(T.id, "here", "p", "old", "m", "old").addEdge("to", vertex());
    graph.tx().commit();
  }

  private Vertex vertex() {
    return g.V("here").next();
  }

  /** All that is committed, as text. */
  List<String> contents() {
    graph.tx().rollback();
    List<String> all = new ArrayList<>();
    g.V().elementMap().forEachRemaining(each -> all.add(each.toString()));
    g.E().elementMap().forEachRemaining(each -> all.add(each.toString()));
    graph.variables().asMap().forEach((key, value) -> all.add(key + "=" + value));
    graph.tx().rollback();
    Collections.sort(all);
    return all;
  }

  List<WayIn> all() {
    List<WayIn> all = new ArrayList<>(ofCore());
    all.addAll(ofStructure());
    all.addAll(ofSteps());
    all.addAll(List.of(served(), gtravel(), services(), sacct()));
    return all;
  }

  private List<WayIn> ofCore() {
    return List.of(
        core(
            "core, vertices",
            (tx, write) ->
                tx.addVertex(write.id(), "v", Map.of(write.key(), write.value()), write.stamp())),
        core(
            "core, edges",
            (tx, write) ->
                tx.addEdge(
                    write.id(),
                    here(tx),
                    "e",
                    here(tx),
                    Map.of(write.key(), write.value()),
                    write.stamp())),
        core(
            "core, properties",
            (tx, write) ->
                tx.setVertexProperty(
                    here(tx),
                    write.key(),
                    write.value(),
                    Cardinality.LIST,
                    Map.of(),
                    write.id(),
                    write.stamp())),
        core(
            "core, properties of properties",
            (tx, write) ->
                tx.setVertexProperty(
                    here(tx),
                    "q",
                    "w",
                    Cardinality.LIST,
                    Map.of(write.key(), write.value()),
                    write.id(),
                    write.stamp())),
        core("core, properties of edges", WaysIn::setOnEdge),
        core("core, variables", (tx, write) -> tx.setVariable(write.key(), write.value())));
  }

  private List<WayIn> ofStructure() {
    return List.of(
        structure(
            "structure, vertices",
            write -> graph.addVertex(T.id, write.id(), write.key(), write.value())),
        structure(
            "structure, several values",
            write ->
                graph.addVertex(
                    T.id, write.id(), write.key(), "one", write.key(), write.value(), "z", 1)),
        structure(
            "structure, edges",
            write -> vertex().addEdge("e", vertex(), T.id, write.id(), write.key(), write.value())),
        structure(
            "structure, properties",
            write ->
                vertex()
                    .property(
                        VertexProperty.Cardinality.list,
                        write.key(),
                        write.value(),
                        T.id,
                        write.id())));
  }

  private List<WayIn> ofSteps() {
    return List.of(
        structure(
            "steps, addV",
            write ->
                g.addV().property(T.id, write.id()).property(write.key(), write.value()).next()),
        structure(
            "steps, addE",
            write ->
                g.V("here")
                    .as("h")
                    .addE("e")
                    .to("h")
                    .property(T.id, write.id())
                    .property(write.key(), write.value())
                    .next()),
        structure(
            "steps, mergeV",
            write -> g.mergeV(Map.of(T.id, write.id(), write.key(), write.value())).next()),
        structure(
            "steps, property",
            write ->
                g.V("here")
                    .property(
                        VertexProperty.Cardinality.list,
                        write.key(),
                        write.value(),
                        T.id,
                        write.id())
                    .iterate()));
  }

  private static long here(GraphTransaction tx) {
    return tx.verticesById(List.of("here"), tx.snapshot()).get(0).key();
  }

  /** One write, with what it brings. */
  private record Write(String id, String key, Object value, long stamp) {
    static int numbers;

    static Write value(Object value) {
      return new Write("i" + numbers++, "p", value, Stamp.AT_COMMIT);
    }

    static Write id(String id) {
      return new Write(id, "p", "x", Stamp.AT_COMMIT);
    }

    static Write key(String key) {
      return new Write("i" + numbers++, key, "x", Stamp.AT_COMMIT);
    }

    static Write at(Instant time) {
      return new Write("i" + numbers++, "p", "x", Stamp.startOf(time));
    }
  }

  private static void setOnEdge(GraphTransaction tx, Write write) {
    EdgeKey edge = tx.addEdge(write.id(), here(tx), "e", here(tx), Map.of(), Stamp.AT_COMMIT);
    tx.setEdgeProperty(edge, write.key(), write.value(), Stamp.AT_COMMIT);
  }

  private WayIn core(String name, BiConsumer<GraphTransaction, Write> writing) {
    return new WayIn(name) {
      private void run(int times, BiFunction<GraphTransaction, Integer, Write> write) {
        try (GraphTransaction tx = database.begin()) {
          for (int i = 0; i < times; i++) {
            writing.accept(tx, write.apply(tx, i));
          }
          tx.commit();
        }
      }

      @Override
      void value(String value) {
        run(1, (tx, i) -> Write.value(value));
      }

      @Override
      void id(String id) throws Nothing {
        if (name.contains("variables")) {
          throw new Nothing("a variable has a name and no id");
        }
        run(1, (tx, i) -> Write.id(id));
      }

      @Override
      void name(String key) {
        run(1, (tx, i) -> Write.key(key));
      }

      @Override
      void writes(int number) throws Nothing {
        if (name.contains("variables")) {
          throw new Nothing("variables are in the place of one another");
        }
        run(number, (tx, i) -> Write.value("a value of thirty characters.."));
      }

      @Override
      void frontier(int number) {
        try (GraphTransaction tx = database.begin()) {
          tx.vertices(new long[number], tx.snapshot());
          tx.verticesById(Collections.nCopies(number, "here"), tx.snapshot());
          tx.edgesById(Collections.nCopies(number, "here"), tx.snapshot());
        }
      }

      @Override
      void event(Instant time) throws Nothing {
        if (!name.endsWith("vertices")) {
          throw new Nothing("the vertex they lie on was not there before");
        }
        run(1, (tx, i) -> Write.at(time));
      }

      @Override
      void view(String time) {
        Stamp.viewpoint(time);
      }
    };
  }

  private WayIn structure(String name, Use<Write> writing) {
    return new WayIn(name) {
      private void run(int times, Write write) throws Exception {
        try {
          for (int i = 0; i < times; i++) {
            writing.with(times == 1 ? write : Write.value(write.value()));
          }
          graph.tx().commit();
        } finally {
          graph.tx().rollback();
        }
      }

      @Override
      void value(String value) throws Exception {
        run(1, Write.value(value));
      }

      @Override
      void id(String id) throws Exception {
        run(1, Write.id(id));
      }

      @Override
      void name(String key) throws Exception {
        run(1, Write.key(key));
      }

      @Override
      void writes(int number) throws Exception {
        run(number, Write.value("a value of thirty characters.."));
      }

      @Override
      void frontier(int number) {
        try {
          g.V(Collections.nCopies(number, "here").toArray()).property("p", "x").iterate();
        } finally {
          graph.tx().rollback();
        }
      }

      @Override
      void event(Instant time) throws Nothing {
        throw new Nothing("what Gremlin writes is true from now on");
      }

      @Override
      void view(String time) {
        g.with("asOf", time).V().hasNext();
        graph.tx().rollback();
      }
    };
  }

  private WayIn served() {
    return new WayIn("scripts over the server") {
      private void submit(String script, Map<String, Object> parameters) throws Exception {
        client.submit(script, parameters).all().get();
      }

      @Override
      void value(String value) throws Exception {
        submit("g.addV('v').property('p', x)", Map.of("x", value));
      }

      @Override
      void id(String id) throws Exception {
        submit("g.addV('v').property(T.id, x)", Map.of("x", id));
      }

      @Override
      void name(String key) throws Exception {
        submit("g.addV('v').property('" + key + "', 1)", Map.of());
      }

      @Override
      void writes(int number) throws Exception {
        StringBuilder different = new StringBuilder("0");
        for (int i = 1; i < number; i++) {
          different.append(',').append(i);
        }
        submit("g.inject(" + different + ").addV('v').iterate()", Map.of());
      }

      @Override
      void frontier(int number) throws Exception {
        String ids = "'here',".repeat(number - 1) + "'here'";
        submit("g.V(" + ids + ").property('p', 'old').iterate()", Map.of());
      }

      @Override
      void event(Instant time) throws Nothing {
        throw new Nothing("what Gremlin writes is true from now on");
      }

      @Override
      void view(String time) throws Exception {
        submit("g.with('asOf', '" + time + "').V().count()", Map.of());
      }
    };
  }

  private abstract static class Reading extends WayIn {
    Reading(String name) {
      super(name);
    }

    @Override
    void value(String value) throws Nothing {
      throw new Nothing("it only reads");
    }

    @Override
    void id(String id) throws Nothing {
      throw new Nothing("it only reads; nothing has an id that is too long");
    }

    @Override
    void name(String key) throws Nothing {
      throw new Nothing("it only reads; nothing has a name that is too long");
    }

    @Override
    void writes(int number) throws Nothing {
      throw new Nothing("it only reads");
    }

    @Override
    void event(Instant time) throws Nothing {
      throw new Nothing("it only reads");
    }
  }

  private WayIn gtravel() {
    return new Reading("gtravel") {
      @Override
      void frontier(int number) {
        try (GraphTransaction tx = database.begin()) {
          GTravel.in(tx).v(Collections.nCopies(number, "here").toArray(String[]::new)).travel();
        }
      }

      @Override
      void view(String time) {
        try (GraphTransaction tx = database.begin()) {
          GTravel.in(tx).asOf(time).v("here").travel();
        }
      }
    };
  }

  private WayIn services() {
    return new Reading("services") {
      @Override
      void frontier(int number) throws Nothing {
        throw new Nothing("a service that takes several ids says how many, 100 at most");
      }

      @Override
      void view(String time) {
        g.with("asOf", time).call("graphmeta.placement").hasNext();
        graph.tx().rollback();
      }
    };
  }

  private WayIn sacct() {
    return new WayIn("load of sacct") {
      private void load(String header, String... lines) throws Exception {
        String text = header + "\n" + String.join("\n", lines) + "\n";
        List<SacctRecord> records = new ArrayList<>();
        try (SacctReader reader =
            SacctReader.open(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                "test",
                SacctOptions.defaults())) {
          Optional<SacctRecord> next = reader.next();
          while (next.isPresent()) {
            records.add(next.get());
            next = reader.next();
          }
        }
        new SacctIngest(database).load(records);
      }

      @Override
      void value(String value) throws Exception {
        load("JobID|JobName|Submit", "7|" + value + "|2026-01-01T00:00:00");
      }

      @Override
      void id(String id) throws Nothing {
        throw new Nothing("ids are made of numbers of jobs and users");
      }

      @Override
      void name(String key) throws Nothing {
        throw new Nothing("names are those of the vocabulary");
      }

      @Override
      void writes(int number) throws Exception {
        // More jobs than a frontier has elements are refused before one of them is written.
        int jobs = number > MAX_FRONTIER ? MAX_FRONTIER - 1 : number / 8;
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
          lines.add(1000 + i + "|job|2026-01-01T00:00:00");
        }
        load("JobID|JobName|Submit", lines.toArray(String[]::new));
      }

      @Override
      void frontier(int number) throws Nothing {
        throw new Nothing("a load asks for what its lines name, in the transaction's own limits");
      }

      @Override
      void event(Instant time) throws Exception {
        load("JobID|JobName|Submit", "8|job|" + time.toString().substring(0, 19));
      }

      @Override
      void view(String time) throws Nothing {
        throw new Nothing("it reads the present");
      }
    };
  }

  @Override
  public void close() {
    cluster.close();
    endpoint.close();
    graph.close();
    database.close();
    metrics.close();
  }
}
