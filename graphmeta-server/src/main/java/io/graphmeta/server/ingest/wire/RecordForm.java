package io.graphmeta.server.ingest.wire;

/** What both ends of the form know of it. */
public final class RecordForm {
  /** The name of the form, which changes with it. */
  public static final String NAME = "graphmeta-records-2";

  static final int RUN = 1;
  static final int ACCOUNT = 2;
  static final int TRACE = 3;

  private RecordForm() {}

  static long zigZag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static long unZigZag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
