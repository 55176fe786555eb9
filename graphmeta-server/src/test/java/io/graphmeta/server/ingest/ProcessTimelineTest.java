package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.server.ingest.darshan.DarshanLog;
import io.graphmeta.server.ingest.darshan.DarshanReader;
import io.graphmeta.server.ingest.darshan.Timeline;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A process has the timeline of its log, and none if the log has none. */
class ProcessTimelineTest {
  @Test
  void the_graph_has_the_timelines_of_the_logs() throws IOException {
    Campaign campaign = new Campaign();
    Map<String, Optional<Timeline>> expected = new HashMap<>();
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(database, ProcessGranularity.JOB);
      for (Path path : campaign.logs()) {
        DarshanLog log = DarshanReader.read(path);
        ingest.load(path);
        expected.put(path.getFileName().toString(), log.timeline());
      }
      int found = 0;
      try (GraphTransaction tx = database.begin();
          ElementCursor<VertexRecord> processes =
              tx.scanVertices(Set.of("process"), tx.snapshot())) {
        for (VertexRecord each = processes.next(); each != null; each = processes.next()) {
          Optional<Timeline> timeline = expected.get(String.valueOf(each.value("log")));
          assertThat(each.value("spanSeconds"))
              .isEqualTo(timeline.map(Timeline::spanSeconds).orElse(null));
          assertThat(each.value("readBySpan"))
              .isEqualTo(timeline.map(Timeline::bytesRead).orElse(null));
          assertThat(each.value("writtenBySpan"))
              .isEqualTo(timeline.map(Timeline::bytesWritten).orElse(null));
          found += timeline.isPresent() ? 1 : 0;
        }
      }
      assertThat(found).as("programs of the campaign that ran for long").isGreaterThan(10);
    }
  }
}
