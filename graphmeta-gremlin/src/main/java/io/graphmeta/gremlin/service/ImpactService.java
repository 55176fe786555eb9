package io.graphmeta.gremlin.service;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import java.util.List;

/** {@code graphmeta.impact}: what is affected by one version of a file. */
final class ImpactService extends GraphService {
  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              "id", "the path of a file", "The file. Needed at the start of a traversal."),
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
              "'maps', 'graph', 'vertices' or 'paths'",
              "maps, the default: each affected element with its version, fate and doubts, the version that was asked"
                  + " for first. graph: maps with all links between them. vertices: each once, without the file. paths: the first way to each."));

  ImpactService(ServiceGraph graph) {
    super(graph, "graphmeta.impact", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    String id = scope.vertexId(arguments, "id");
    String form =
        arguments.choice(
            "result", LineageRows.MAPS, LineageRows.GRAPH, LineageRows.VERTICES, LineageRows.PATHS);
    List<String> labels = arguments.texts("labels");
    Folding folding = LineageQuestion.folding(arguments, form, labels.isEmpty());
    VertexRecord vertex = scope.tx().verticesById(List.of(id), scope.view()).get(0);
    if (vertex != null && !vertex.label().equals(Vocabulary.FILE)) {
      throw GraphMetaException.invalid(
          "graphmeta.impact of '"
              + id
              + "', which is of label "
              + vertex.label()
              + "; expected a file (graphmeta.lineage with direction 'forward' follows jobs and processes)");
    }
    Provenance provenance =
        new Provenance(scope.tx(), scope.view(), LineageQuestion.limits(arguments));
    Lineage lineage =
        provenance.forward(id, LineageQuestion.versionStamp(arguments, provenance, id));
    if (folding != null) {
      return FoldedRows.of(folding.fold(Overlay.of(lineage, true)));
    }
    LineageRows rows = new LineageRows(scope, lineage, labels);
    rows.requireWhole(form, arguments);
    return rows.in(form);
  }
}
