package io.graphmeta.server.ingest.darshan;

/** How the bytes of a log are compressed. */
public enum Compression {
  /** Deflate with zlib headers, region by region; what Darshan 3 writes by default. */
  ZLIB,
  /** Bzip2: regions, or a whole log of format 2. */
  BZIP2,
  /** Not compressed. */
  STORED,
  /** Gzip: a whole log of format 2, and what Darshan 2 writes by default. */
  GZIP
}
