package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.server.ingest.darshan.Compression;
import io.graphmeta.server.ingest.darshan.DarshanFormatException;
import io.graphmeta.server.ingest.darshan.StreamLogWriter;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What logs of Darshan 2 become in the graph: files by the hash of their path. */
class StreamLogMappingTest {
  private static final long START = 1_300_000_000;
  private static final long MESH = 0xF000_0000_0000_0001L;
  private static final String MESH_ID = "darshan:17293822569102704641";

  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private int logs;

  @TempDir Path folder;

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void a_file_known_by_the_end_of_its_path_has_its_hash_as_id() throws IOException {
    load(
        job("2.06", 1, START, "/sw/mesher")
            .record(MESH, -1, "ratch/mesh.0001", written(100), at(1)));

    assertThat(vertex(MESH_ID).label()).isEqualTo("file");
    assertThat(vertex(MESH_ID).value("name")).isEqualTo("mesh.0001");
    assertThat(database.check(rows -> {}).examples()).isEmpty();
  }

  @Test
  void a_name_that_may_go_on_to_the_left_says_so() throws IOException {
    load(job("2.06", 1, START, "/sw/a").record(MESH, 0, "o-test-xl-c.dat", written(1), at(1)));

    assertThat(vertex(MESH_ID).value("name")).isEqualTo("...o-test-xl-c.dat");
  }

  @Test
  void a_short_path_is_the_id_as_everywhere() throws IOException {
    load(job("2.06", 1, START, "/sw/a").record(MESH, 0, "/tmp/x.dat", written(1), at(1)));

    assertThat(vertex("/tmp/x.dat").value("name")).isEqualTo("x.dat");
    assertThat(vertex("/tmp").label()).isEqualTo("directory");
  }

  @Test
  void a_name_without_directory_is_one_file_in_one_job_only() throws IOException {
    load(job("2.00", 1, START, "./a").record(MESH, 0, "test.out", written(1), at(1)));
    load(job("2.00", 2, START, "./a").record(MESH, 0, "test.out", written(1), at(1)));

    assertThat(vertex(MESH_ID + "@job:1").value("name")).isEqualTo("test.out");
    assertThat(vertex(MESH_ID + "@job:2").value("name")).isEqualTo("test.out");
  }

  @Test
  void lineage_leads_through_hashes_and_doubts_them() throws IOException {
    load(
        job("2.06", 1, START, "/sw/mesher")
            .record(MESH, -1, "ratch/mesh.0001", written(100), at(1)));
    load(
        job("2.06", 2, START + 100, "/sw/solver")
            .record(MESH, -1, "ratch/mesh.0001", readOf(100), at(1))
            .record(MESH + 1, -1, "ratch/result.h5", written(7), at(2)));

    Lineage lineage = backward("darshan:17293822569102704642");
    LineageNode mesh =
        lineage.nodes().stream()
            .filter(node -> node.id().equals(MESH_ID))
            .findFirst()
            .orElseThrow();
    assertThat(mesh.relation()).isEqualTo("read");
    assertThat(mesh.doubts()).contains(Doubt.PATH_BY_HASH);
    assertThat(lineage.nodes())
        .extracting(LineageNode::id)
        .anyMatch(id -> id.startsWith("job:1/mesher-"));
    assertThat(lineage.nodes())
        .filteredOn(node -> node.label().equals("process"))
        .allMatch(node -> !node.doubts().contains(Doubt.PATH_BY_HASH));
  }

  @Test
  void times_of_another_clock_can_be_as_early_as_the_job_is_long() throws IOException {
    // The writer is recorded in its first second, and can have written in its last one.
    load(
        job("2.02", 1, START, "/sw/mesher")
            .record(MESH, 0, "ratch/mesh.0001", written(100), at(7001)));
    // The reader comes in between, by a clock that is known.
    load(
        job("2.06", 2, START + 30, "/sw/solver")
            .record(MESH, 0, "ratch/mesh.0001", readOf(100), at(1))
            .record(MESH + 1, 0, "ratch/result.h5", written(7), at(2)));

    Lineage lineage = backward("darshan:17293822569102704642");
    assertThat(lineage.nodes())
        .filteredOn(node -> node.id().equals(MESH_ID))
        .isNotEmpty()
        .anyMatch(
            node ->
                node.doubts().contains(Doubt.TIMES_TOO_CLOSE)
                    || node.doubts().contains(Doubt.SEVERAL_VERSIONS));
  }

  @Test
  void a_sum_over_all_files_is_no_file() throws IOException {
    load(job("2.06", 1, START, "/sw/a").record(0, 3, "ratch/mesh.0001", written(100), at(1)));

    try (GraphTransaction tx = database.begin()) {
      List<VertexRecord> found = tx.verticesById(List.of("darshan:0"), tx.snapshot());
      assertThat(found.get(0)).isNull();
    }
  }

  @Test
  void directories_are_searched_for_logs_of_all_ages() throws IOException {
    for (String name : List.of("a.darshan", "b.darshan.gz", "c.darshan.bz2", "d.gz", "e.txt")) {
      Files.writeString(folder.resolve(name), "");
    }
    Files.writeString(Files.createDirectory(folder.resolve("sub")).resolve("f.darshan.gz"), "");

    assertThat(DarshanIngest.logs(List.of(folder)))
        .extracting(path -> folder.relativize(path).toString())
        .containsExactly("a.darshan", "b.darshan.gz", "c.darshan.bz2", "sub/f.darshan.gz");
  }

  @Test
  void loading_again_changes_nothing_and_a_damaged_log_leaves_nothing() throws IOException {
    StreamLogWriter log =
        job("2.02", 1, START, "/sw/a").record(MESH, 0, "o-test-xl-c.dat", written(1), at(1));
    assertThat(load(log).loaded()).isEqualTo(1);
    assertThat(load(log).unchanged()).isEqualTo(1);
    long before = database.check(rows -> {}).livingVertices();
    Path whole = log.write(folder.resolve("whole.darshan.gz"), Compression.GZIP);
    byte[] bytes = Files.readAllBytes(whole);
    bytes[bytes.length - 100] ^= 64;
    Path damaged = Files.write(folder.resolve("damaged.darshan.gz"), bytes);

    assertThatThrownBy(() -> new DarshanIngest(database, ProcessGranularity.JOB).load(damaged))
        .isInstanceOf(DarshanFormatException.class)
        .hasMessageContainingAll(damaged.toString(), "offset");
    assertThat(database.check(rows -> {}).livingVertices()).isEqualTo(before);
  }

  @Test
  void the_order_of_loading_does_not_matter() throws IOException {
    List<StreamLogWriter> writers = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      writers.add(
          job("2.06", 7, START + 10 * (3 - number), "/sw/a")
              .record(MESH, 0, "o-test-xl-c.dat", written(number + 1), at(1)));
    }
    for (StreamLogWriter writer : writers) {
      load(writer);
    }
    long stamp = vertex(MESH_ID).validStamp();
    try (GraphDatabase other = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(other, ProcessGranularity.JOB);
      for (int number = 3; number >= 0; number--) {
        ingest.load(
            writers.get(number).write(folder.resolve("o" + number + ".gz"), Compression.GZIP));
      }
      try (GraphTransaction tx = other.begin()) {
        VertexRecord same = tx.verticesById(List.of(MESH_ID), tx.snapshot()).get(0);
        assertThat(Objects.requireNonNull(same).validStamp()).isEqualTo(stamp);
      }
    }
  }

  private LoadResult load(StreamLogWriter log) throws IOException {
    Path file = log.write(folder.resolve("log" + logs++ + ".darshan.gz"), Compression.GZIP);
    return new DarshanIngest(database, ProcessGranularity.JOB).load(file);
  }

  private VertexRecord vertex(String id) {
    try (GraphTransaction tx = database.begin()) {
      VertexRecord found = tx.verticesById(List.of(id), tx.snapshot()).get(0);
      assertThat(found).as(id).isNotNull();
      return Objects.requireNonNull(found);
    }
  }

  private Lineage backward(String id) {
    try (GraphTransaction tx = database.begin()) {
      return new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT).backward(id);
    }
  }

  /** A job of 60 seconds. */
  private static StreamLogWriter job(String format, long id, long start, String executable) {
    return new StreamLogWriter(format, ByteOrder.BIG_ENDIAN)
        .job(1000, start, start + 60, 4, id)
        .commandLineAndMounts(executable);
  }

  private static long[] written(long bytes) {
    long[] counters = new long[StreamLogWriter.COUNTERS];
    counters[12] = 1; // CP_POSIX_WRITES
    counters[13] = 1; // CP_POSIX_OPENS
    counters[48] = bytes; // CP_BYTES_WRITTEN
    counters[50] = bytes - 1; // CP_MAX_BYTE_WRITTEN
    return counters;
  }

  private static long[] readOf(long bytes) {
    long[] counters = new long[StreamLogWriter.COUNTERS];
    counters[11] = 1; // CP_POSIX_READS
    counters[13] = 1; // CP_POSIX_OPENS
    counters[47] = bytes; // CP_BYTES_READ
    counters[49] = bytes - 1; // CP_MAX_BYTE_READ
    return counters;
  }

  /** An access that begins at a second and is over soon. */
  private static double[] at(double second) {
    double[] timers = new double[StreamLogWriter.TIMERS];
    timers[0] = second;
    timers[1] = second + 0.1;
    timers[2] = second + 0.1;
    timers[3] = second + 0.3;
    timers[4] = second + 0.2;
    timers[5] = second + 0.2;
    return timers;
  }
}
