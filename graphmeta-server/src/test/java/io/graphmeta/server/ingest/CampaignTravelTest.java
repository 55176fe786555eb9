package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gtravel.FullPath;
import io.graphmeta.gtravel.GTravel;
import io.graphmeta.gtravel.WorkingSet;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The traversals of the GraphMeta paper on the sample campaign, over several shards. */
@TestInstance(Lifecycle.PER_CLASS)
class CampaignTravelTest {
  private static final String MESH_C = "/proj/hx01/mesh/mesh_C.msh";
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";

  private Campaign campaign;
  private GraphDatabase database;

  /** The graph that the campaign is loaded into. */
  GraphDatabase open() {
    return GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, 3));
  }

  @BeforeAll
  void load() throws IOException {
    campaign = new Campaign();
    database = open();
    campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void whoReadADamagedMeshIsTrue() {
    Set<String> truth = new HashSet<>();
    for (JsonNode read : campaign.answer("who_read_mesh_C")) {
      truth.add("job:" + read.get(2).asLong());
    }
    try (GraphTransaction tx = database.begin()) {
      WorkingSet jobs =
          GTravel.in(tx).v(MESH_C).e("wasReadBy").v().e("belongsTo").v().travel().get(0);
      assertThat(jobs.vertices().stream().map(VertexRecord::id).collect(Collectors.toSet()))
          .isEqualTo(truth);
    }
  }

  @Test
  void theValidationOfAResultReachesAllThatReadsAndWritesLeadTo() {
    try (GraphTransaction tx = database.begin()) {
      long figure =
          Objects.requireNonNull(tx.verticesById(List.of(FIGURE), tx.snapshot()).get(0)).key();
      Set<Long> expected = new HashSet<>();
      Set<Long> round = Set.of(figure);
      boolean more = true;
      while (more) {
        round = next(tx, next(tx, round, Direction.IN, "wrote"), Direction.OUT, "read");
        more = expected.addAll(round);
      }
      GTravel travel = GTravel.in(tx).v(FIGURE).e("wasWrittenBy").v().e("read").repeat();
      WorkingSet reached = travel.travel().get(0);
      assertThat(reached.vertices().stream().map(VertexRecord::key).collect(Collectors.toSet()))
          .isEqualTo(expected)
          .hasSizeGreaterThan(10);
    }
  }

  private static Set<Long> next(
      GraphTransaction tx, Set<Long> from, Direction direction, String label) {
    Set<Long> next = new HashSet<>();
    long[] frontier = from.stream().mapToLong(Long::longValue).toArray();
    try (AdjacencyCursor edges =
        tx.expand(new Expansion(frontier, direction, Set.of(label), false), tx.snapshot())) {
      while (edges.next()) {
        next.add(edges.otherVertex());
      }
    }
    return next;
  }

  @Test
  void fullPathsGoFromTheFileOverItsWriterToWhatThatRead() {
    try (GraphTransaction tx = database.begin()) {
      List<FullPath> ways =
          GTravel.in(tx)
              .v(FIGURE)
              .e("wasWrittenBy")
              .v()
              .e("read")
              .repeat(3)
              .limit(500)
              .returnFullPath();
      assertThat(ways).isNotEmpty();
      for (FullPath way : ways) {
        assertThat(way.vertices().get(0).id()).isEqualTo(FIGURE);
        List<VertexRecord> vertices = way.vertices();
        assertThat(new HashSet<>(vertices)).hasSameSizeAs(vertices);
        for (int i = 0; i < way.edges().size(); i++) {
          EdgeRecord edge = way.edges().get(i);
          boolean write = i % 2 == 0;
          assertThat(edge.label()).isEqualTo(write ? "wrote" : "read");
          assertThat(edge.key().out()).isEqualTo(vertices.get(write ? i + 1 : i).key());
          assertThat(edge.key().in()).isEqualTo(vertices.get(write ? i : i + 1).key());
        }
      }
    }
  }
}
