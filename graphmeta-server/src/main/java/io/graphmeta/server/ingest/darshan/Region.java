package io.graphmeta.server.ingest.darshan;

/**
 * Where a region lies in the file.
 *
 * @param name what it holds, for messages
 * @param offset its first byte
 * @param length its size, compressed
 */
record Region(String name, long offset, long length) {
  boolean isEmpty() {
    return length == 0;
  }
}
