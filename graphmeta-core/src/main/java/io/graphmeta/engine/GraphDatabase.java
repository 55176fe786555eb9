package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.tx.GraphTransaction;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * An open graph database. Safe for use by many threads; hands out one transaction to each caller of
 * {@link #begin}.
 */
public final class GraphDatabase implements AutoCloseable {
  private final GraphMetaConfig config;

  private GraphDatabase(GraphMetaConfig config) {
    this.config = config;
  }

  /**
   * Opens a database, and creates it if the configuration allows and it is not there.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code ALREADY_OPEN}, {@code NOT_A_DATABASE},
   *     {@code NEWER_FORMAT}, {@code MISMATCHED_SETTINGS}, {@code CORRUPTION} or {@code
   *     STORAGE_FAILURE}; nothing is changed then
   */
  public static GraphDatabase open(GraphMetaConfig config) {
    return new GraphDatabase(config);
  }

  /** The configuration it was opened with. */
  public GraphMetaConfig config() {
    return config;
  }

  /** A new transaction over a snapshot of now. */
  public GraphTransaction begin() {
    throw new UnsupportedOperationException();
  }

  /** Labels of vertices that were ever used, in the order of their first use. */
  public List<String> vertexLabels() {
    throw new UnsupportedOperationException();
  }

  /** Labels of edges that were ever used, in the order of their first use. */
  public List<String> edgeLabels() {
    throw new UnsupportedOperationException();
  }

  /**
   * Verifies that stored rows agree with one another; reports rows read so far to {@code progress}.
   */
  public CheckReport check(LongConsumer progress) {
    throw new UnsupportedOperationException();
  }

  /** Bytes of all files of the database; 0 in memory. */
  public long bytesOnDisk() {
    throw new UnsupportedOperationException();
  }

  /**
   * Removes all elements and their history. For tests and tools; transactions that are open must
   * not be used again.
   */
  public void clear() {
    throw new UnsupportedOperationException();
  }

  /**
   * Rolls back nothing, loses nothing: waits for commits under way and closes. Safe to call again.
   */
  @Override
  public void close() {}
}
