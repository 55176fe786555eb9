package io.graphmeta.gremlin.service;

import io.graphmeta.engine.CheckReport;
import java.util.List;
import java.util.Map;

/**
 * {@code graphmeta.check}: whether what is stored agrees with itself. It reads all rows, of all
 * times whatever the view is, in requests of a page each, none of which is sent once the thread is
 * interrupted.
 */
final class CheckService extends GraphService {
  CheckService(ServiceGraph graph) {
    super(graph, "graphmeta.check", List.of());
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    scope.requireStart();
    return List.of(map(scope.graph().database().check(rows -> {})));
  }

  /** A report as the map of the answer. */
  static Map<String, Object> map(CheckReport report) {
    return new Row()
        .put("clean", report.isClean())
        .put("vertices", report.livingVertices())
        .put("edges", report.livingEdges())
        .put("vertexVersions", report.vertexVersions())
        .put("outEntries", report.outEntries())
        .put("inEntries", report.inEntries())
        .put("ids", report.ids())
        .put("intents", report.intents())
        .put("laterVersions", report.laterVersions())
        .put("keptRows", report.keptRows())
        .put("away", report.away())
        .put("faults", report.faults())
        .put("examples", report.examples())
        .toMap();
  }
}
