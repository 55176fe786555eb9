package io.graphmeta.server.export;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A form to write a lineage in. */
public enum ExportFormat {
  /** A graph in the language of Graphviz. */
  DOT,
  /** A flowchart of Mermaid. */
  MERMAID,
  /** One document of the W3C's PROV, in JSON. */
  PROV_JSON,
  /** The metadata file of a Process Run Crate. */
  RO_CRATE,
  /** Events of OpenLineage, one a line. */
  OPENLINEAGE,
  /** A row for each element, for spreadsheets. */
  CSV;

  /** What is to be printed. */
  public sealed interface Document {
    /**
     * Text as it is.
     *
     * @param text the text, with the end of its last line
     */
    record Text(String text) implements Document {}

    /**
     * Values of JSON: maps, lists, texts, numbers and booleans.
     *
     * @param objects the objects
     * @param oneEachLine whether there may be several, each on a line; else there is one
     */
    record Json(List<Map<String, Object>> objects, boolean oneEachLine) implements Document {}
  }

  /**
   * Writes a lineage.
   *
   * @param written when it was asked
   */
  public Document write(LineageGraph graph, Instant written) {
    return switch (this) {
      case DOT -> new Document.Text(DotForm.write(graph));
      case MERMAID -> new Document.Text(MermaidForm.write(graph));
      case PROV_JSON -> new Document.Json(List.of(ProvForm.write(graph)), false);
      case RO_CRATE -> new Document.Json(List.of(CrateForm.write(graph, written)), false);
      case CSV -> new Document.Text(CsvForm.write(graph));
      case OPENLINEAGE -> new Document.Json(OpenLineageForm.write(graph), true);
    };
  }
}
