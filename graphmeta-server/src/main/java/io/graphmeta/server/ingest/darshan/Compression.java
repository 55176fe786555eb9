package io.graphmeta.server.ingest.darshan;

/** How the regions of a log are compressed. The order is that of the codes in the file. */
public enum Compression {
  /** Deflate with zlib headers; what Darshan writes by default. */
  ZLIB,
  /** Bzip2. */
  BZIP2,
  /** Not compressed. */
  STORED
}
