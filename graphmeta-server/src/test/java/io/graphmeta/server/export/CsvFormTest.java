package io.graphmeta.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lineages of hostile names as CSV, read back by a reader that knows RFC 4180 and no more. */
final class CsvFormTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = 20;

  @Test
  void rowsAreTheElementsAndNoCellIsAFormula() {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      long seed = random.nextLong();
      try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
        List<String> ids = HostileGraph.write(database, seed);
        try (GraphTransaction tx = database.begin()) {
          Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
          requireRows(provenance.backward(ids.get(0)), "seed " + SEED + ", round " + round);
        }
      }
    }
  }

  private static void requireRows(Lineage lineage, String what) {
    LineageGraph graph = new LineageGraph(lineage, false);
    ExportFormat.Document document = ExportFormat.CSV.write(graph, Instant.EPOCH);
    List<List<String>> rows = parsed(((ExportFormat.Document.Text) document).text());
    assertThat(rows.get(0)).as(what).startsWith("number", "label", "id");
    assertThat(rows).as(what).hasSize(lineage.nodes().size() + 1);
    int links = 0;
    for (LineageNode node : lineage.nodes()) {
      List<String> row = rows.get(node.index() + 1);
      assertThat(row).as(what).hasSameSizeAs(rows.get(0));
      assertThat(row.get(0)).as(what).isEqualTo(Integer.toString(node.index()));
      assertThat(row.get(2)).as(what).isIn(node.id(), "'" + node.id());
      for (String cell : row) {
        assertThat(cell).as(what).doesNotContainPattern("\\A[=+\\-@\\t\\r]");
      }
      links += row.get(10).isEmpty() ? 0 : row.get(10).split(" ").length;
    }
    assertThat(links).as(what).isEqualTo(graph.arrowCount());
  }

  private static List<List<String>> parsed(String text) {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (quoted && each == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        cell.append(each);
        i++;
      } else if (each == '"') {
        quoted = !quoted;
      } else if (!quoted && (each == ',' || text.startsWith("\r\n", i))) {
        row.add(cell.toString());
        cell.setLength(0);
        if (each == '\r') {
          rows.add(row);
          row = new ArrayList<>();
          i++;
        }
      } else {
        cell.append(each);
      }
    }
    assertThat(quoted).isFalse();
    assertThat(cell).isEmpty();
    return rows;
  }
}
