import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/** GraphMeta through gremlin-driver. PORT comes from the environment. Each test... method is run. */
public final class DriverTest {
  private static final int PORT = Integer.parseInt(System.getenv("PORT"));
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final OffsetDateTime MOMENT = OffsetDateTime.parse("2026-11-21T00:35:25Z");

  private final Cluster cluster =
      Cluster.build("localhost")
          .port(PORT)
          .credentials("token", System.getenv("GRAPHMETA_TOKEN"))
          .create();
  private final GraphTraversalSource g =
      traversal().with(DriverRemoteConnection.using(cluster, "g"));

  public static void main(String[] arguments) throws Exception {
    DriverTest test = new DriverTest();
    int run = 0;
    int failed = 0;
    for (Method method : DriverTest.class.getDeclaredMethods()) {
      if (!method.getName().startsWith("test")) {
        continue;
      }
      run++;
      try {
        method.invoke(test);
      } catch (InvocationTargetException e) {
        failed++;
        System.err.println("FAILED " + method.getName() + ": " + e.getCause());
        for (StackTraceElement frame : e.getCause().getStackTrace()) {
          if (frame.getClassName().equals(DriverTest.class.getName())) {
            System.err.println("  at " + frame);
          }
        }
      }
    }
    test.cluster.close();
    System.out.printf("gremlin-driver: %d tests, %d failed%n", run, failed);
    System.exit(failed == 0 && run > 0 ? 0 : 1);
  }

  private static void equal(Object expected, Object actual, Object of) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(of + ": expected " + expected + ", got " + actual);
    }
  }

  private static void refused(Callable<?> call, String... parts) {
    try {
      call.call();
    } catch (Exception e) {
      StringBuilder messages = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        messages.append(cause.getMessage()).append('\n');
      }
      for (String part : parts) {
        equal(true, messages.toString().contains(part), "'" + part + "' in " + messages);
      }
      return;
    }
    throw new AssertionError("no error that names " + List.of(parts));
  }

  /** A token a little ahead tells whether it was heeded: without it the server would read below. */
  public void testSessionGoesOnElsewhere() throws Exception {
    Client client = cluster.connect();
    var added = client.submit("g.addV('note').property(id, 'session:java').id()");
    equal(1, added.all().get().size(), "added");
    String written = (String) added.statusAttributes().get().get("graphmeta.session");
    String seen = (String) g.call("graphmeta.session").next();
    equal(true, seen.compareTo(written) >= 0, seen);
    String ahead = String.format("%016x", Long.parseLong(written, 16) + (200_000L << 10));
    GraphTraversalSource there = g.with("graphmeta.session", ahead);
    seen = (String) there.call("graphmeta.session").next();
    equal(true, seen.compareTo(ahead) >= 0, seen);
    equal(1L, there.V("session:java").count().next(), "vertices");
    refused(
        () -> g.with("graphmeta.session", "2026-11-21").V().next(), "is not a session token");
    g.V("session:java").drop().iterate();
  }

  void testExample() throws Exception {
    int port = PORT;
    // [example]
    String token = System.getenv("GRAPHMETA_TOKEN");
    Cluster cluster = Cluster.build("localhost").port(port).credentials("token", token).create();
    GraphTraversalSource g = traversal().with(DriverRemoteConnection.using(cluster, "g"));

    long now = g.V().hasLabel("job").count().next();
    OffsetDateTime moment = OffsetDateTime.parse("2026-11-21T00:35:25Z");
    long then = g.with("asOf", moment).V().hasLabel("job").count().next();
    long known = g.with("knownAt", "2026-11-01T00:00:00Z").V().count().next();
    // [end]
    equal(List.of(79L, 18L, 0L), List.of(now, then, known), "example");
    cluster.close();
  }

  void testRead() {
    Map<Object, Long> counts = g.V().groupCount().by(T.label).next();
    equal(79L, counts.get("job"), "jobs");
    Map<Object, Object> job = g.V("job:184268").elementMap("name", "state").next();
    equal("sw1_k0.064_r3", job.get("name"), "name");
    Vertex file = g.V(CONFIG).in("wrote").in("contains").path().next().get(0);
    equal(CONFIG, file.id(), "path");
  }

  /** Loaded a moment ago, and searched without a word about indexes. */
  void testSearch() {
    Map<String, Object> config = Map.of("query", "model cfg", "label", "file");
    equal(true, ids(g, config).contains(CONFIG), "found");
    GraphTraversalSource past = g.with("asOf", MOMENT);
    List<Object> pending =
        ids(past, Map.of("query", "state:PENDING", "label", "job", "limit", 1000));
    equal(true, pending.contains("job:184268"), pending);
    equal(
        Set.copyOf(past.V().has("job", "state", "PENDING").id().toList()),
        Set.copyOf(pending),
        "pending");
    Map<String, Object> states =
        Map.of("query", "state:COMPLETED OR state:FAILED", "facet", "state");
    for (Object counted : g.call("graphmeta.search", states).toList()) {
      Object state = ((Map<?, ?>) counted).get("value");
      Object count = g.V().has("job", "state", state).count().next();
      equal(count, ((Map<?, ?>) counted).get("count"), state);
    }
    refused(
        () -> g.call("graphmeta.search", Map.of("query", "(model")).toList(),
        "(model",
        "cannot be read");
  }

  private static List<Object> ids(GraphTraversalSource g, Map<String, Object> search) {
    return g.call("graphmeta.search", search).toList().stream()
        .map(found -> ((Vertex) found).id())
        .toList();
  }

  void testAsOf() {
    long millis = MOMENT.toInstant().toEpochMilli();
    for (Object time : List.of(MOMENT, MOMENT.toString(), new Date(millis), millis)) {
      GraphTraversalSource past = g.with("asOf", time);
      equal(18L, past.V().hasLabel("job").count().next(), time);
      equal("PENDING", past.V("job:184268").values("state").next(), time);
    }
    equal("COMPLETED", g.V("job:184268").values("state").next(), "now");
  }

  void testKnownAt() {
    OffsetDateTime before = OffsetDateTime.parse("2026-11-01T00:00:00Z");
    for (Object time : List.of(before, before.toString(), before.toInstant().toEpochMilli())) {
      equal(0L, g.with("knownAt", time).V().count().next(), time);
    }
    refused(() -> g.with("asOf", "noon").V().next(), "asOf", "noon");
  }

  void testWriteEachByItself() {
    g.addV("note").property(T.id, "java:1").property("text", "a").iterate();
    g.addV("note").property(T.id, "java:2").property("text", "b").iterate();
    g.V("java:1").addE("about").to(__.V("java:2")).property("weight", 0.5).iterate();
    g.V("java:1").property("text", "changed").iterate();
    equal("changed", g.V("java:1").values("text").next(), "text");
    equal(0.5, g.V("java:1").outE("about").values("weight").next(), "weight");
    g.V("java:1", "java:2").drop().iterate();
    equal(0L, g.V("java:1", "java:2").count().next(), "dropped");
  }

  void testTransactions() {
    Transaction transaction = g.tx();
    GraphTraversalSource source = transaction.begin();
    source.addV("note").property(T.id, "java:tx1").iterate();
    equal(true, source.V("java:tx1").hasNext(), "seen inside");
    equal(false, g.V("java:tx1").hasNext(), "seen outside");
    transaction.commit();
    equal(true, g.V("java:tx1").hasNext(), "committed");

    transaction = g.tx();
    source = transaction.begin();
    source.addV("note").property(T.id, "java:tx2").iterate();
    source.V("java:tx1").drop().iterate();
    transaction.rollback();
    equal(false, g.V("java:tx2").hasNext(), "rolled back");
    equal(true, g.V("java:tx1").hasNext(), "kept");
    g.V("java:tx1").drop().iterate();
  }

  void testConflict() {
    g.addV("note").property(T.id, "java:hot").property("n", 0).iterate();
    Transaction first = g.tx();
    Transaction second = g.tx();
    GraphTraversalSource one = first.begin();
    GraphTraversalSource two = second.begin();
    one.V("java:hot").property("n", 1).iterate();
    two.V("java:hot").property("n", 2).iterate();
    first.commit();
    refused(
        () -> {
          second.commit();
          return null;
        },
        "n");
    equal(1, g.V("java:hot").values("n").next(), "the first wins");
    g.V("java:hot").drop().iterate();
  }

  void testIds() {
    UUID uuid = new UUID(7, 7);
    Map<Object, Object> given = new LinkedHashMap<>();
    given.put("java:id", "java:id");
    given.put("/java/a b/ü.dat", "/java/a b/ü.dat");
    given.put(4714, 4714);
    given.put(4714000000000L, 4714000000000L);
    given.put(9007199254740993L, "9007199254740993");
    given.put(uuid, uuid);
    given.forEach(
        (id, seen) -> {
          equal(seen, g.addV("note").property(T.id, id).next().id(), id);
          equal(seen, g.V(id).id().next(), id);
          equal(seen, g.V(id.toString()).id().next(), id);
          equal(1L, g.V().hasId(id).count().next(), id);
        });
    Vertex generated = g.addV("note").property("text", "x").next();
    equal(generated.id(), g.V(generated.id()).id().next(), "generated");
    Edge edge = g.V("java:id").addE("about").to(__.V(generated.id())).next();
    equal(edge.id(), g.E(edge.id()).id().next(), "edge");
    VertexProperty<?> property =
        (VertexProperty<?>) g.V(generated.id()).properties("text").next();
    equal(property.id(), g.V(generated.id()).properties("text").id().next(), "property");
    g.V().hasLabel("note").drop().iterate();
  }

  void testValues() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("boolean", true);
    values.put("short", (short) -7);
    values.put("int", -7);
    values.put("long", 9007199254740993L);
    values.put("big", BigInteger.TWO.pow(70));
    values.put("float", 0.5f);
    values.put("double", 0.1);
    values.put("text", "naïve\n\u4f60");
    values.put("uuid", new UUID(1, 2));
    values.put("bytes", ByteBuffer.wrap(new byte[] {0, -1, 7}));
    values.put("date", new Date(1_700_000_000_123L));
    values.put("time", MOMENT);
    values.put("list", List.of(1, "a", 2.5));
    values.put("set", Set.of("a", "b"));
    values.put("map", Map.of("a", 1, "b", List.of(1, 2)));
    GraphTraversal<Vertex, Vertex> creation = g.addV("note").property(T.id, "java:values");
    for (Map.Entry<String, Object> value : values.entrySet()) {
      creation = creation.property(value.getKey(), value.getValue());
    }
    creation.iterate();
    Map<Object, Object> read = g.V("java:values").elementMap().next();
    values.forEach((key, value) -> equal(value, read.get(key), key));
    g.V("java:values").drop().iterate();
  }

  void testLargeResult() {
    equal(50_000, g.V().limit(50).V().limit(50_000).id().toList().size(), "results");
  }

  void testServices() {
    List<String> listed =
        g.call("--list").toList().stream()
            .map(Object::toString)
            .filter(name -> name.startsWith("graphmeta."))
            .sorted()
            .toList();
    equal(
        List.of(
            "graphmeta.backup",
            "graphmeta.check",
            "graphmeta.diff",
            "graphmeta.history",
            "graphmeta.impact",
            "graphmeta.index",
            "graphmeta.lineage",
            "graphmeta.load",
            "graphmeta.placement",
            "graphmeta.search",
            "graphmeta.session",
            "graphmeta.status",
            "graphmeta.top"),
        listed,
        "services");
    equal(110, g.call("graphmeta.lineage", Map.of("id", FIGURE)).toList().size(), "lineage");
    GraphTraversalSource past = g.with("asOf", "2026-11-21T00:35:30Z");
    equal(1, past.call("graphmeta.history").with("id", CONFIG).toList().size(), "past");
    for (Object change : g.call("graphmeta.history").with("id", CONFIG).toList()) {
      equal("wrote", ((Map<?, ?>) change).get("operation"), "history");
    }
    Map<String, Object> affected = Map.of("id", CONFIG, "at", "2026-11-21T00:35:26Z");
    equal(59, g.call("graphmeta.impact", affected).toList().size(), "impact");
    Map<String, Object> runs = Map.of("a", "job:184268", "b", "job:184267");
    equal(15, g.call("graphmeta.diff", runs).toList().size(), "diff");
    List<Object> placed = g.call("graphmeta.placement").with("ids", CONFIG).toList();
    equal(1, placed.size(), "placement");
    List<?> out = (List<?>) ((Map<?, ?>) placed.get(0)).get("out");
    equal(0L, ((Map<?, ?>) out.get(0)).get("entries"), "entries");
    refused(
        () -> g.call("graphmeta.lineage", Map.of("id", FIGURE, "depht", 3)).toList(),
        "graphmeta.lineage",
        "depht");
  }

  void testErrors() {
    refused(() -> g.with("asOf", MOMENT).addV("note").next(), "past");
    refused(() -> g.with("asof", MOMENT).V().next(), "asof");
    refused(() -> g.addV("note").property(T.id, "job:184268").next(), "job:184268");
    equal(79L, g.V().hasLabel("job").count().next(), "jobs");
  }

  void testScripts() throws Exception {
    Client client = cluster.connect();
    equal(
        79L,
        client.submit("g.V().hasLabel(x).count()", Map.of("x", "job")).one().getLong(),
        "count");
    refused(() -> client.submit("System.exit(1)").all().get(), "System");
    client.close();
  }
}
