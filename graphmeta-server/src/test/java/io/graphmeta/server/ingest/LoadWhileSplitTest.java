package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.PlacementReport;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The campaign loaded into shards that split vertices all the time meanwhile. */
class LoadWhileSplitTest {
  @Test
  void splitsDoNotDisturbALoad() throws IOException {
    Campaign campaign = new Campaign();
    Map<String, Long> expected;
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
      expected = counts(database);
    }
    GraphMetaConfig several =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, 4).with(Setting.SPLIT_THRESHOLD, 2);
    try (GraphDatabase database = GraphDatabases.open(several)) {
      campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
      assertThat(counts(database)).isEqualTo(expected);
      try (GraphTransaction tx = database.begin()) {
        PlacementReport report = database.placementReport(5, tx.snapshot(), rows -> {});
        assertThat(report.hottest()).allMatch(each -> each.out().size() + each.in().size() > 4);
        assertThat(report.shards()).anyMatch(each -> each.keptRows() > 0);
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  private static Map<String, Long> counts(GraphDatabase database) {
    Map<String, Long> counts = new TreeMap<>();
    try (GraphTransaction tx = database.begin()) {
      for (String label : database.vertexLabels()) {
        counts.put("vertex " + label, tx.countVertices(Set.of(label), tx.snapshot()));
      }
      for (String label : database.edgeLabels()) {
        counts.put("edge " + label, tx.countEdges(Set.of(label), tx.snapshot()));
      }
    }
    return counts;
  }
}
