package io.graphmeta.server.ingest.darshan;

/**
 * Bounds for what one log may take in memory.
 *
 * @param maxRegionBytes largest size of one region, compressed as well as decompressed
 * @param maxRecords largest number of names, and of file records of one module
 */
public record DarshanLimits(int maxRegionBytes, int maxRecords) {
  private static final int DEFAULT_REGION_BYTES = 256 << 20;
  private static final int DEFAULT_RECORDS = 1_000_000;

  public DarshanLimits {
    if (maxRegionBytes < 1 || maxRecords < 1) {
      throw new IllegalArgumentException(
          "maxRegionBytes "
              + maxRegionBytes
              + " and maxRecords "
              + maxRecords
              + " must both be at least 1");
    }
  }

  /**
   * 256 MiB and a million records, less where the JVM's heap is small: three regions are held at a
   * time, and one of them twice while it is decompressed.
   */
  public static DarshanLimits defaults() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return new DarshanLimits(
        (int) Math.min(DEFAULT_REGION_BYTES, Math.max(1 << 20, heapBytes / 8)),
        (int) Math.min(DEFAULT_RECORDS, Math.max(10_000, heapBytes / 1024)));
  }
}
