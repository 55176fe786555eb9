package io.graphmeta.server.cluster;

import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens shards and writes to them before the node is asked to, so that the first shard that it
 * comes to lead does not wait for code that is not loaded: a follower runs none of it, and clients
 * wait while a new leader does. The shards are those of a small database in a directory of its own,
 * which is removed again.
 */
final class TermRehearsal {
  private static final Logger LOG = LoggerFactory.getLogger(TermRehearsal.class);

  /** Openings after which the next one takes not much less time. */
  private static final int OPENINGS = 3;

  private static final int COMMITS = 40;

  private TermRehearsal() {}

  /**
   * Rehearses for as long as is said, at most by the time of one opening longer. What fails is
   * logged and changes nothing: the first shard will be led later.
   *
   * @return how often the shards were opened
   */
  static int run(long limitMillis) {
    long end = System.nanoTime() + limitMillis * 1_000_000;
    int openings = 0;
    if (limitMillis == 0) {
      return openings;
    }
    try {
      Path directory = Files.createTempDirectory("graphmeta-term");
      try {
        while (openings < OPENINGS && System.nanoTime() < end) {
          open(directory, end);
          openings++;
        }
      } finally {
        FileOperations.ON_DISK.deleteTree(directory);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("The first shard that this node leads will be led later, for want of rehearsal", e);
    }
    return openings;
  }

  private static void open(Path directory, long end) {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("graph")).with(Setting.SHARDS, "2");
    try (GraphDatabase database = GraphDatabases.open(config)) {
      for (int commit = 0; commit < COMMITS && System.nanoTime() < end; commit++) {
        write(database);
      }
    }
  }

  /** Two vertices, on one shard or on two, and an edge; which are then read. */
  private static void write(GraphDatabase database) {
    long job;
    try (GraphTransaction tx = database.begin()) {
      job = tx.addVertex(null, "job", Map.of("user", "u"), Stamp.AT_COMMIT);
      long file = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
      tx.addEdge(null, job, "wrote", file, Map.of("bytes", 1L), Stamp.AT_COMMIT);
      tx.commit();
    }
    try (GraphTransaction tx = database.begin()) {
      tx.vertices(new long[] {job}, tx.snapshot());
      Expansion written = new Expansion(new long[] {job}, Direction.OUT, Set.of(), true);
      try (AdjacencyCursor edges = tx.expand(written, tx.snapshot())) {
        while (edges.next()) {
          edges.edge();
        }
      }
      tx.setVertexProperty(job, "user", "v", Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      tx.commit();
    }
  }
}
