package io.graphmeta.server.ingest;

/**
 * A load under way, into a database of this process or over a connection. It takes records in their
 * order and loads each at once or together with later ones. What can be loaded of the others is,
 * and loading again goes on where a load was cut off. Used by one thread.
 */
public interface RecordLoad extends AutoCloseable {
  /** Is told of records that the graph does not take. */
  @FunctionalInterface
  interface Failures {
    /**
     * A record is not loaded, and left nothing behind.
     *
     * @param source as it was added
     * @param reason in words
     */
    void failed(String source, String reason);
  }

  /**
   * Loads a record, maybe with later ones.
   *
   * @param source what to call it if it fails
   */
  void add(String source, LoadRecord record);

  /** Loads what is left, and tells what all came to. */
  LoadResult finish();

  /** Ends the load; what is not loaded is left out. */
  @Override
  void close();
}
