package io.graphmeta.simulation;

/** Something that must never happen has happened. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final Invariant invariant;
  private final String about;

  /** What must always hold. */
  enum Invariant {
    /** A write that was acknowledged is there for good. */
    NOTHING_LOST,
    /** All of a transaction is there, or nothing. */
    ALL_OR_NOTHING,
    /** At and below the resolved stamps every edge has its entries at both ends. */
    NO_HALF_EDGE,
    /** A transaction that was refused never shows up. */
    REFUSED_STAYS_AWAY,
    /** A snapshot read finds what is committed at or below its stamp, and nothing else. */
    SNAPSHOT_READS,
    /** A read of the past never changes. */
    PAST_NEVER_CHANGES,
    /** A session sees what it has committed. */
    OWN_WRITES,
    /** Of two writes of one slot in a row the second has the greater stamp. */
    STAMPS_GROW,
    /** Transactions can be put in an order that snapshot isolation allows. */
    SNAPSHOT_ISOLATION,
    /** An edge exists only while its ends do, and an id has one element at a time. */
    GRAPH_RULES,
    /**
     * Replicas that have applied the same entries have the same rows, and the entries are equal.
     */
    REPLICAS_AGREE,
    /** Who tells the newest, as a snapshot, has applied all that anybody was told before. */
    NO_STALE_BEGIN,
    /** Nothing is agreed on at or below a stamp that a leader, a former one too, has promised. */
    ONE_LEADER_PER_TERM_PROMISES,
    /** No commit is stamped further ahead of the true time than clocks are wrong. */
    TRUE_TIMES,
    /** When all is well again, all outcomes become known, and intents are forgotten. */
    SETTLES,
    /** The rows of the stores agree with one another. */
    CONSISTENT_ROWS,
    /** When all is well again, indexes hold what the stores hold. */
    CONSISTENT_INDEXES,
    /** No request fails for a defect. */
    NO_DEFECT
  }

  /**
   * A violation.
   *
   * @param about the name of what it is about, by which the trace can be searched
   */
  Violation(Invariant invariant, String about, String words) {
    super(invariant + ": " + words);
    this.invariant = invariant;
    this.about = about;
  }

  Invariant invariant() {
    return invariant;
  }

  String about() {
    return about;
  }
}
