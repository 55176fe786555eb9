package io.graphmeta.server.ingest.accounting;

/** Limits of times in seconds since 1970. */
final class EpochTimes {
  /** The year 2200, which a stamp can hold; what is beyond is no time of a job. */
  static final long LAST_SECOND = 7_258_118_400L;

  private EpochTimes() {}
}
