package io.graphmeta.reads;

import java.util.List;

/**
 * Cuts many keys or ids into batches, one request for each: a request is sent again for each page
 * of its answer, so what it asks for must not be long.
 */
final class KeyBatches {
  /** The most keys or ids in one request. */
  static final int MAX_KEYS = 16_384;

  private KeyBatches() {}

  /** Reads one batch. */
  @FunctionalInterface
  interface BatchReader<T> {
    /**
     * Reads a batch.
     *
     * @param first the position of its first key among all keys
     */
    void read(List<T> batch, int first);
  }

  /** Calls the reader for one batch after the other. */
  static <T> void forEach(List<T> all, BatchReader<T> reader) {
    if (!all.isEmpty() && all.size() <= MAX_KEYS) {
      reader.read(all, 0);
      return;
    }
    for (int first = 0; first < all.size(); first += MAX_KEYS) {
      reader.read(all.subList(first, Math.min(all.size(), first + MAX_KEYS)), first);
    }
  }
}
