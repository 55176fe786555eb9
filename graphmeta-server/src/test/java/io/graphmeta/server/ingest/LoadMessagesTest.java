package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many messages a load sends: less than one for each shard and log, whatever the log tells. */
class LoadMessagesTest {
  private static final int SHARDS = 8;

  /** What a load asks for; others are sent in the background, or until all is durable. */
  private static final List<String> READS =
      List.of("Incarnations", "FindVertices", "ReadVertices", "ReadEdges");

  @Test
  void logs_cost_some_messages_for_each_shard() throws IOException {
    Campaign campaign = new Campaign();
    try (GraphDatabase database =
        GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, SHARDS))) {
      campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
      long sent =
          READS.stream().mapToLong(kind -> database.callsSent().getOrDefault(kind, 0L)).sum();
      long logs = campaign.logs().size();
      assertThat(sent / logs)
          .as("messages for each of %d logs: %s", logs, database.callsSent())
          .isLessThan(SHARDS);
    }
  }
}
