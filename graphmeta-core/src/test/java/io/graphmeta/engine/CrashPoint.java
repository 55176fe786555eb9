package io.graphmeta.engine;

/** Moments of a split at which a process can die, in their order. */
enum CrashPoint {
  BEFORE_IT_BEGINS,
  CHANGES_ARE_NOTED,
  TAKER_IS_EMPTY,
  FIRST_ROWS_READ,
  FIRST_ROWS_TAKEN,
  ALL_ROWS_TAKEN,
  CHANGES_READ,
  ENTRIES_HELD,
  ALL_CHANGES_TAKEN,
  PREPARED_BY_SOME,
  PREPARED_BY_ALL,
  COMMIT_KNOWN_TO_SOME,
  COMMIT_KNOWN_TO_ALL,
  ENDED_BY_GIVER,
  ENDED_BY_BOTH,
  /** A moment after the end of a split, with moved rows that are not kept. */
  MOVED_ROWS_ARE_REMOVED,
  /** With copies at the taker that count for nobody. */
  GIVEN_UP,
  /** A moment after the begin of a split, wherever it and others are by then. */
  ANY_MOMENT
}
