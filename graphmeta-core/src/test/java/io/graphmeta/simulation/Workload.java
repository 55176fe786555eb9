package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.simulation.Element.Fact;
import io.graphmeta.simulation.History.Observation;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a client does in one transaction: a few random reads and writes on a small graph, so that
 * conflicts are frequent. Every value is written once only, so that whoever reads it knows the
 * writer. Properties {@value #REGISTER}, {@value #OTHER_REGISTER} and {@value #WEIGHT} are only
 * ever set, {@value #LIST} only appended to, all of them at commit: they are what the checker looks
 * at. {@value #LOOSE} and {@value #NUMBER} are removed, and set in the past too. Only values of
 * {@value #SET} are equal.
 */
class Workload {
  static final String REGISTER = "r";
  static final String OTHER_REGISTER = "s";
  static final String LIST = "l";
  static final String WEIGHT = "w";
  static final String SET = "t";
  static final String LOOSE = "x";
  static final String NUMBER = "q";

  private static final Set<ErrorCode> REFUSALS_OF_A_WRITE =
      EnumSet.of(
          ErrorCode.ALREADY_EXISTS,
          ErrorCode.NOT_FOUND,
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.MISMATCHED_SETTINGS);

  /**
   * What a client is told that is to run a traversal again, or to wait for a shard, its disk, or
   * its clock.
   */
  private static final Set<ErrorCode> FAILURES_OF_A_TRAVERSAL =
      EnumSet.of(
          ErrorCode.TIMEOUT,
          ErrorCode.CANCELLED,
          ErrorCode.TRAVERSAL_LOST,
          ErrorCode.UNAVAILABLE,
          ErrorCode.UNREACHABLE,
          ErrorCode.OVERLOADED,
          ErrorCode.SNAPSHOT_TOO_OLD,
          ErrorCode.STORAGE_FAILURE,
          ErrorCode.MISMATCHED_SETTINGS,
          ErrorCode.LIMIT_EXCEEDED);

  final Simulation simulation;
  private final History history;
  private final SplittableRandom random;
  private int values;

  Workload(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.history = simulation.history();
    this.random = random;
  }

  void work(GraphTransaction tx, Txn txn) {
    boolean writes = random.nextInt(4) != 0;
    for (int left = 1 + random.nextInt(random.nextInt(6) == 0 ? 12 : 4); left > 0; left--) {
      if (random.nextInt(20) == 0) {
        simulation.scheduler().sleep(random.nextLong(200_000));
      }
      if (writes && random.nextInt(4) != 0) {
        write(tx, txn);
      } else {
        read(tx, txn);
      }
    }
  }

  // Reads

  void readEverything(GraphTransaction tx, Txn txn) {
    for (boolean vertices : new boolean[] {true, false}) {
      observe(tx, txn, tx.snapshot(), new Query.Scan(vertices));
    }
    for (Element element : List.copyOf(history.elements())) {
      if (element.isVertex()) {
        Query edges = new Query.Edges(List.of(element.vertexKey()), Direction.IN, true);
        observe(tx, txn, tx.snapshot(), edges);
      }
    }
  }

  Found observe(GraphTransaction tx, Txn txn, ReadView view, Query query) {
    Found found = ask(tx, txn, view, query);
    int own = view.equals(tx.snapshot()) ? txn.facts.size() : 0;
    simulation.trace(
        txn, " reads ", query, " at ", view.validAt(), "/", view.knownAt(), ": ", found);
    history.observed(new Observation(txn, view, own, query, found));
    return found;
  }

  /** Asks, and sees to it that a traversal fails for no other reason than those it may have. */
  private Found ask(GraphTransaction tx, Txn txn, ReadView view, Query query) {
    if (!(query instanceof Traversal)) {
      return query.ask(tx, view);
    }
    try {
      Found found = query.ask(tx, view);
      simulation.traversed(true);
      return found;
    } catch (GraphMetaException e) {
      // A moment behind the snapshot may lie too far ahead of a clock that was set back.
      boolean ahead = e.code() == ErrorCode.INVALID_ARGUMENT && view.knownAt() > txn.snapshot;
      if (!ahead && !FAILURES_OF_A_TRAVERSAL.contains(e.code()) && !PortFaults.isPlanted(e)) {
        Violation violation =
            new Violation(Invariant.NO_DEFECT, txn.name, txn + " asked for " + query + ": " + e);
        violation.initCause(e);
        throw violation;
      }
      simulation.traversed(false);
      simulation.trace(txn, " asked for ", query, " and got ", e.code(), ": ", e.getMessage());
      throw e;
    }
  }

  void read(GraphTransaction tx, Txn txn) {
    List<Observation> before = history.observations();
    if (random.nextInt(3) == 0 && !before.isEmpty()) {
      repeat(tx, txn, before.get(random.nextInt(before.size())));
      return;
    }
    ReadView view = tx.snapshot();
    if (random.nextInt(3) == 0) {
      view = new ReadView(pastStamp(txn), pastStamp(txn));
    }
    observe(tx, txn, view, query(tx, view));
  }

  Query query(GraphTransaction tx, ReadView view) {
    return switch (random.nextInt(9)) {
      case 0 -> new Query.VertexById(vertexId());
      case 1 -> new Query.EdgeById(edgeId());
      case 2 -> new Query.Scan(true);
      case 3 -> new Query.Scan(false);
      case 4 -> new Query.Count(random.nextBoolean());
      case 5 -> new Query.TwoSteps(anyVertex());
      case 6 -> new Query.Vertices(List.of(anyVertex(), anyVertex(), anyVertex()));
      default ->
          new Query.Edges(
              List.of(anyVertex(), anyVertex()),
              Direction.values()[random.nextInt(3)],
              random.nextBoolean());
    };
  }

  private void repeat(GraphTransaction tx, Txn txn, Observation before) {
    if (before.ownFacts() > 0
        || before.view().knownAt() > txn.snapshot
        || before.view().equals(tx.snapshot()) && !txn.facts.isEmpty()
        || before.reader().era < history.era()) {
      return;
    }
    Found found = ask(tx, txn, before.view(), before.query());
    if (!found.equals(before.found())) {
      throw new Violation(
          Invariant.PAST_NEVER_CHANGES,
          txn.name,
          txn
              + " repeats "
              + before.query()
              + " of "
              + before.reader()
              + " at "
              + before.view().validAt()
              + "/"
              + before.view().knownAt()
              + " and finds "
              + found
              + " instead of "
              + before.found());
    }
  }

  long pastStamp(Txn txn) {
    List<Txn> all = history.transactions();
    Txn some = all.get(random.nextInt(all.size()));
    long stamp = random.nextBoolean() && some.stamp != 0 ? some.stamp : some.snapshot;
    return Math.min(txn.snapshot, stamp + random.nextInt(-1, 2));
  }

  private String vertexId() {
    return "v" + random.nextInt(simulation.options().ids());
  }

  private String edgeId() {
    return "e" + random.nextInt(1 + simulation.options().ids() / 2);
  }

  /** A vertex that some transaction added, or one that nobody did. */
  long anyVertex() {
    List<Element> vertices = history.vertices();
    int recent = Math.min(vertices.size(), 12);
    return recent == 0 ? 1 : vertices.get(vertices.size() - 1 - random.nextInt(recent)).vertexKey();
  }

  // Writes

  private void write(GraphTransaction tx, Txn txn) {
    try {
      change(tx, txn);
    } catch (GraphMetaException e) {
      if (!REFUSALS_OF_A_WRITE.contains(e.code())) {
        throw e;
      }
      simulation.trace(txn, " may not: ", e.getMessage());
    }
  }

  void change(GraphTransaction tx, Txn txn) {
    switch (random.nextInt(14)) {
      case 0, 1 -> {
        String id = vertexId();
        addVertex(tx, txn, id, id.charAt(1) % 2 == 0 ? "a" : "b");
      }
      case 2 -> addVertex(tx, txn, null, "a");
      case 3, 4, 5 -> addEdge(tx, txn);
      case 6, 7 -> setRegister(tx, txn);
      case 8 -> append(tx, txn);
      case 9 -> setWeight(tx, txn);
      case 10 -> changeLoose(tx, txn);
      case 11, 12 -> removeEdge(tx, txn);
      default -> removeVertex(tx, txn);
    }
  }

  void wrote(Txn txn, Element element, String slot, long valid, @Nullable Object value) {
    history.wrote(txn, element, slot, valid, value);
    simulation.trace(
        txn, " writes ", element, ".", slot, "=", value, valid == 0 ? "" : " at " + valid);
  }

  String value(Txn txn) {
    return txn.name + "." + ++values;
  }

  void addVertex(GraphTransaction tx, Txn txn, @Nullable String id, String label) {
    long valid = random.nextInt(5) == 0 ? pastStamp(txn) : Stamp.AT_COMMIT;
    String slot = valid == Stamp.AT_COMMIT ? REGISTER : LOOSE;
    String value = value(txn);
    long key = tx.addVertex(id, label, Map.of(slot, value), valid);
    Element vertex = history.added(key, id, label);
    wrote(txn, vertex, Fact.BODY, valid, "exists");
    wrote(txn, vertex, slot, valid, value);
  }

  private void addEdge(GraphTransaction tx, Txn txn) {
    Element out = someVertex(tx, txn);
    Element in = someVertex(tx, txn);
    if (out == null || in == null) {
      return;
    }
    long valid = random.nextInt(6) == 0 ? pastStamp(txn) : Stamp.AT_COMMIT;
    String id = random.nextInt(3) == 0 ? edgeId() : null;
    String label = random.nextBoolean() ? "x" : "y";
    String slot = valid == Stamp.AT_COMMIT ? WEIGHT : LOOSE;
    String value = value(txn);
    EdgeKey key =
        tx.addEdge(id, out.vertexKey(), label, in.vertexKey(), Map.of(slot, value), valid);
    Element edge = history.added(key, id, label);
    wrote(txn, edge, Fact.BODY, valid, "exists");
    wrote(txn, edge, slot, valid, value);
  }

  /** A vertex that exists now. */
  @Nullable Element someVertex(GraphTransaction tx, Txn txn) {
    for (int tries = 0; tries < 3; tries++) {
      Query query =
          random.nextBoolean()
              ? new Query.VertexById(vertexId())
              : new Query.Vertices(List.of(anyVertex()));
      List<Element> found = elements(observe(tx, txn, tx.snapshot(), query));
      if (!found.isEmpty()) {
        return found.get(0);
      }
    }
    return null;
  }

  /** An edge that exists now. */
  @Nullable Element someEdge(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    List<Element> edges = vertex == null ? List.of() : edgesOf(tx, txn, vertex, tx.snapshot());
    return edges.isEmpty() ? null : edges.get(random.nextInt(edges.size()));
  }

  private List<Element> edgesOf(GraphTransaction tx, Txn txn, Element vertex, ReadView view) {
    Query edges = new Query.Edges(List.of(vertex.vertexKey()), Direction.BOTH, true);
    return elements(observe(tx, txn, view, edges));
  }

  private List<Element> elements(Found found) {
    List<Element> elements = new ArrayList<>();
    for (String name : found.elements().keySet()) {
      Element element = history.elementNamed(name);
      if (element == null) {
        throw new Violation(
            Invariant.SNAPSHOT_READS, name, "A read found " + name + ", which nobody has added");
      }
      elements.add(element);
    }
    return elements;
  }

  private void setRegister(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    if (vertex != null) {
      String slot = random.nextBoolean() ? REGISTER : OTHER_REGISTER;
      String value = value(txn);
      tx.setVertexProperty(
          vertex.vertexKey(), slot, value, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      wrote(txn, vertex, slot, Stamp.AT_COMMIT, value);
    }
  }

  private void append(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    if (vertex != null) {
      String value = value(txn);
      PropertyRecord added =
          tx.setVertexProperty(
              vertex.vertexKey(), LIST, value, Cardinality.LIST, Map.of(), null, Stamp.AT_COMMIT);
      String slot = Query.slot(LIST, added.valueId());
      wrote(txn, vertex, slot, Stamp.AT_COMMIT, value);
    }
  }

  private void setWeight(GraphTransaction tx, Txn txn) {
    Element edge = someEdge(tx, txn);
    if (edge != null) {
      String value = value(txn);
      tx.setEdgeProperty(edge.edgeKey(), WEIGHT, value, Stamp.AT_COMMIT);
      wrote(txn, edge, WEIGHT, Stamp.AT_COMMIT, value);
    }
  }

  private void changeLoose(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    if (vertex == null) {
      return;
    }
    if (random.nextBoolean()) {
      tx.removeVertexProperty(vertex.vertexKey(), LOOSE, 0, Stamp.AT_COMMIT);
      wrote(txn, vertex, LOOSE, Stamp.AT_COMMIT, null);
    } else {
      long valid = random.nextBoolean() ? pastStamp(txn) : Stamp.AT_COMMIT;
      String value = value(txn);
      tx.setVertexProperty(
          vertex.vertexKey(), LOOSE, value, Cardinality.SINGLE, Map.of(), null, valid);
      wrote(txn, vertex, LOOSE, valid, value);
    }
  }

  /** The valid stamp of an end: one in the past may lie before what was changed since. */
  private long end(Txn txn) {
    return random.nextInt(4) == 0 ? pastStamp(txn) : Stamp.AT_COMMIT;
  }

  private void removeEdge(GraphTransaction tx, Txn txn) {
    Element edge = someEdge(tx, txn);
    if (edge != null && !isOwn(txn, edge)) {
      long valid = end(txn);
      tx.removeEdge(edge.edgeKey(), valid);
      wrote(txn, edge, Fact.BODY, valid, null);
    }
  }

  private void removeVertex(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    if (vertex == null || isOwn(txn, vertex)) {
      return;
    }
    long valid = end(txn);
    ReadView snapshot = tx.snapshot();
    List<Element> edges =
        edgesOf(
            tx,
            txn,
            vertex,
            valid == Stamp.AT_COMMIT ? snapshot : new ReadView(valid, snapshot.knownAt()));
    if (edges.stream().anyMatch(edge -> isOwn(txn, edge))
        || valid != Stamp.AT_COMMIT && hasOwnEdge(txn, vertex)) {
      return;
    }
    tx.removeVertex(vertex.vertexKey(), valid);
    for (Element edge : edges) {
      wrote(txn, edge, Fact.BODY, valid, null);
    }
    wrote(txn, vertex, Fact.BODY, valid, null);
  }

  /** True if the transaction has created, extended or ended an edge of a vertex. */
  private static boolean hasOwnEdge(Txn txn, Element vertex) {
    return txn.facts.stream()
        .map(Fact::element)
        .anyMatch(
            element ->
                !element.isVertex()
                    && isOwn(txn, element)
                    && (element.edgeKey().out() == vertex.vertexKey()
                        || element.edgeKey().in() == vertex.vertexKey()));
  }

  /** True for what this transaction has created or extended. */
  private static boolean isOwn(Txn txn, Element element) {
    return txn.facts.stream()
        .anyMatch(fact -> fact.element() == element && fact.slot().equals(Fact.BODY));
  }
}
