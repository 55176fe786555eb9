package io.graphmeta.protocol;

import java.util.Collection;

/** What a shard knows of its part of a transaction. The ordinal is sent: append only. */
public enum PartState {
  /** The transaction is committed. */
  COMMITTED,
  /** The part is durable here; the outcome is not known here. */
  HELD,
  /** The part is not here, and the shard will refuse it from now on. */
  ABSENT,
  /**
   * The part is not here, and the shard knew the outcome of all its parts up to this stamp: it was
   * undone, or never came, or was committed and is forgotten.
   */
  COVERED;

  /** What became of a transaction. */
  public enum Outcome {
    COMMITTED,
    ABORTED,
    /** All participants have forgotten it. */
    UNKNOWN
  }

  /**
   * The outcome of a transaction by what all its participants answered.
   *
   * <p>A participant forgets a committed part only when every participant knows the outcome
   * durably. So a part that is held with its outcome unknown tells that nobody has forgotten a
   * commit, and a part missing elsewhere then was never there or is undone.
   */
  public static Outcome outcome(Collection<PartState> all) {
    if (all.contains(COMMITTED)) {
      return Outcome.COMMITTED;
    }
    if (all.contains(ABSENT)) {
      return Outcome.ABORTED;
    }
    if (!all.contains(COVERED)) {
      return Outcome.COMMITTED;
    }
    return all.contains(HELD) ? Outcome.ABORTED : Outcome.UNKNOWN;
  }
}
