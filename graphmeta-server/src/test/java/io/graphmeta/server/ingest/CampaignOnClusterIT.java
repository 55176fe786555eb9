package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cluster.RunningCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the campaign's truth says is what clusters of three nodes with eight shards answer, in
 * processes of their own: lineage, services and traversals.
 */
@RunsAlone
class CampaignOnClusterIT {
  @TempDir private static Path directory;
  private static final List<RunningCluster> CLUSTERS = new ArrayList<>();

  private static GraphDatabase cluster(String name) {
    RunningCluster cluster = new RunningCluster(directory.resolve(name), 3, 8);
    CLUSTERS.add(cluster);
    return cluster.open();
  }

  @AfterAll
  static void stop() {
    CLUSTERS.forEach(RunningCluster::close);
  }

  @Nested
  class Truth extends CampaignTruthTest {
    @Override
    GraphDatabase open() {
      return cluster("truth");
    }
  }

  @Nested
  class Services extends CampaignServicesTest {
    @Override
    GraphDatabase open() {
      return cluster("services");
    }
  }

  @Nested
  class Travel extends CampaignTravelTest {
    @Override
    GraphDatabase open() {
      return cluster("travel");
    }
  }
}
