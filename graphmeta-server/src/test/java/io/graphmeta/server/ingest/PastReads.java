package io.graphmeta.server.ingest;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Questions at points of the two times, chosen once, and their answers as text, which can be asked
 * for again and again. Used by one thread.
 */
final class PastReads {
  /** A point at which questions are asked: of all elements, or of some. */
  private record Point(OffsetDateTime validAt, OffsetDateTime knownAt, boolean whole) {}

  private final GraphMetaGraph graph;
  private final List<Point> points = new ArrayList<>();
  private final List<List<String>> chosen = new ArrayList<>();

  /**
   * Chooses points at random.
   *
   * @param wholes points at which all elements are read
   * @param others points at which some questions are asked
   * @param ids elements that questions are about
   * @param spans of the valid time, one of which is chosen for each point
   * @param known the span of the known time
   */
  PastReads(
      GraphMetaGraph graph,
      Random random,
      int wholes,
      int others,
      List<String> ids,
      List<Instant[]> spans,
      Instant[] known) {
    this.graph = graph;
    for (int i = 0; i < wholes + others; i++) {
      Instant[] span = spans.get(random.nextInt(spans.size()));
      points.add(new Point(within(random, span), within(random, known), i < wholes));
      List<String> some = new ArrayList<>();
      for (int j = 0; j < 6; j++) {
        some.add(ids.get(random.nextInt(ids.size())));
      }
      chosen.add(some);
    }
  }

  private static OffsetDateTime within(Random random, Instant[] span) {
    long from = Stamp.micros(Stamp.startOf(span[0]));
    long to = Stamp.micros(Stamp.startOf(span[1]));
    long micros = from + (long) (random.nextDouble() * (to - from));
    return Stamp.instant(Stamp.startOfMicros(micros)).atOffset(ZoneOffset.UTC);
  }

  private PastReads(GraphMetaGraph graph, PastReads same) {
    this.graph = graph;
    points.addAll(same.points);
    chosen.addAll(same.chosen);
  }

  /** The same questions to another graph over the same database. */
  PastReads over(GraphMetaGraph other) {
    return new PastReads(other, this);
  }

  int points() {
    return points.size();
  }

  /** All answers, each after its question. */
  Map<String, List<String>> answers() {
    return answers(true);
  }

  /** The answers at the same valid times from what is known now. */
  Map<String, List<String>> answersKnownNow() {
    return answers(false);
  }

  private Map<String, List<String>> answers(boolean knownThen) {
    Map<String, List<String>> answers = new LinkedHashMap<>();
    for (int i = 0; i < points.size(); i++) {
      Point point = points.get(i);
      GraphTraversalSource g = graph.traversal().with("asOf", point.validAt());
      g = knownThen ? g.with("knownAt", point.knownAt()) : g;
      String at = i + ": valid " + point.validAt() + ", known " + point.knownAt() + ", ";
      if (point.whole()) {
        elements(g, at, answers);
      }
      for (String id : chosen.get(i)) {
        about(g, at + id + ", ", id, point, answers);
      }
    }
    graph.tx().rollback();
    return answers;
  }

  private static void elements(
      GraphTraversalSource g, String at, Map<String, List<String>> answers) {
    ask(answers, at + "vertices", () -> g.V().elementMap());
    ask(answers, at + "edges", () -> g.E().elementMap());
    ask(answers, at + "number of vertices", () -> g.V().count());
    ask(answers, at + "labels of edges", () -> g.E().groupCount().by(T.label));
    ask(
        answers,
        at + "readers",
        () -> g.V().hasLabel("file").order().by(__.in("read").count(), Order.desc).limit(20).id());
  }

  private static void about(
      GraphTraversalSource g,
      String at,
      String id,
      Point point,
      Map<String, List<String>> answers) {
    ask(answers, at + "properties", () -> g.V(id).valueMap().with("~tinkerpop.valueMap.tokens"));
    ask(answers, at + "edges", () -> g.V(id).bothE().elementMap());
    ask(
        answers,
        at + "neighbours",
        () -> g.V(id).repeat(__.both()).times(2).dedup().limit(500).id());
    ask(
        answers,
        at + "paths",
        () ->
            g.V(id).repeat(__.in("wrote").out("read")).emit().times(3).limit(200).path().by(T.id));
    ask(
        answers,
        at + "history",
        () -> g.call("graphmeta.history", Map.of("id", id, "reads", false)));
    ask(
        answers,
        at + "versions",
        () -> g.call("graphmeta.history", Map.of("id", id, "kind", "versions")));
    for (String direction : List.of("backward", "forward")) {
      ask(
          answers,
          at + direction,
          () ->
              g.call(
                  "graphmeta.lineage",
                  Map.of("id", id, "result", "maps", "limit", 500, "direction", direction)));
    }
    ask(
        answers,
        at + "impact",
        () ->
            g.call(
                "graphmeta.impact",
                Map.of("id", id, "limit", 500, "at", point.validAt().minusSeconds(30))));
    ask(
        answers,
        at + "diff",
        () ->
            g.call("graphmeta.diff", Map.of("ids", id, "from", point.validAt().minusSeconds(60))));
  }

  /** An error is an answer too, and must be the same again. */
  private static void ask(
      Map<String, List<String>> answers, String question, Supplier<Traversal<?, ?>> traversal) {
    List<String> answer = new ArrayList<>();
    try {
      traversal.get().forEachRemaining(result -> answer.add(String.valueOf(result)));
    } catch (GraphMetaException e) {
      answer.add(e.code() + " " + e.getMessage());
    }
    answers.put(question, answer);
  }
}
