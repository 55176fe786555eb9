package io.graphmeta.gremlin.service;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import java.util.List;

/** {@code graphmeta.lineage}: what an element rests on, or what rests on it. */
final class LineageService extends GraphService {
  private static final String FORWARD = "forward";

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              "id",
              "the id of a file, process or job",
              "The element to start from. Needed at the start of a traversal."),
          new CallParameter(
              "direction",
              "'backward' or 'forward'",
              "What it rests on, the default, or what rests on it."),
          LineageQuestion.AT,
          LineageQuestion.VERSION,
          LineageQuestion.DEPTH,
          LineageQuestion.LIMIT,
          LineageRows.LABELS,
          LineageQuestion.SINCE,
          LineageQuestion.UNTIL,
          LineageQuestion.BUDGET,
          LineageQuestion.SEARCH_MILLIS,
          new CallParameter(
              "result",
              "'vertices', 'paths', 'maps' or 'graph'",
              "vertices, the default: each once, without the start. paths: the first way to each. maps: each with its"
                  + " version, fate and doubts, the start first. graph: maps with all links between them."));

  LineageService(ServiceGraph graph) {
    super(graph, "graphmeta.lineage", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    String id = scope.vertexId(arguments, "id");
    String form =
        arguments.choice(
            "result", LineageRows.VERTICES, LineageRows.PATHS, LineageRows.MAPS, LineageRows.GRAPH);
    boolean forward = arguments.choice("direction", "backward", FORWARD).equals(FORWARD);
    List<String> labels = arguments.texts("labels");
    Folding folding = LineageQuestion.folding(arguments, form, labels.isEmpty());
    Provenance provenance =
        new Provenance(scope.tx(), scope.view(), LineageQuestion.limits(arguments));
    long version = LineageQuestion.versionStamp(arguments, provenance, id);
    Lineage lineage = forward ? provenance.forward(id, version) : provenance.backward(id, version);
    if (folding != null) {
      return FoldedRows.of(folding.fold(Overlay.of(lineage, forward)));
    }
    LineageRows rows = new LineageRows(scope, lineage, labels);
    rows.requireWhole(form, arguments);
    return rows.in(form);
  }
}
