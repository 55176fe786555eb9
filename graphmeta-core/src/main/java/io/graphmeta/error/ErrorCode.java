package io.graphmeta.error;

/** The cause of a {@link GraphMetaException}. The category tells the caller what to do about it. */
public enum ErrorCode {
  /** Another transaction committed a conflicting change first. */
  CONFLICT(Category.RETRY),
  /** The transaction is older than the window in which conflicts can be told. */
  SNAPSHOT_TOO_OLD(Category.RETRY),
  /** The time allowed for the request has passed. */
  TIMEOUT(Category.RETRY),
  /** No node is there that could answer. Nothing was done. */
  UNAVAILABLE(Category.RETRY),
  /**
   * The connection to a node broke before the answer came. What was asked for may have been done.
   */
  UNREACHABLE(Category.RETRY),
  /** The caller was interrupted or the request was cancelled. */
  CANCELLED(Category.RETRY),
  /** Another replica of the shard leads it, or none does at the moment; nothing was done. */
  NOT_LEADER(Category.RETRY),
  /** A shard does not know the traversal any more, for one because it was opened anew. */
  TRAVERSAL_LOST(Category.RETRY),
  /** A node does not keep a checkpoint of a store any more, for one because it was restarted. */
  CHECKPOINT_LOST(Category.RETRY),
  /** A shard has as much to do as it may have; nothing was done. */
  OVERLOADED(Category.RETRY),
  /** The client's map of virtual nodes is not the shard's; nothing was done. */
  STALE_EPOCH(Category.RETRY),
  /** Entries of a split vertex lie on another shard than the one asked; nothing was done. */
  MISPLACED(Category.RETRY),
  /** A commit was sent, and whether it happened cannot be found out. */
  OUTCOME_UNKNOWN(Category.UNCERTAIN),
  /** A value, name or time that cannot be taken. */
  INVALID_ARGUMENT(Category.INPUT),
  /** A configuration key or value that cannot be taken. */
  INVALID_CONFIGURATION(Category.INPUT),
  /** An id that is already given to a living element. */
  ALREADY_EXISTS(Category.INPUT),
  /** An element that does not exist in the view of the caller. */
  NOT_FOUND(Category.INPUT),
  /** A write through a view of the past. */
  READ_ONLY_VIEW(Category.INPUT),
  /** A view of a time, or a write for it, of which versions were dropped by retention. */
  BELOW_WATERMARK(Category.INPUT),
  /** A limit on size or number was reached. */
  LIMIT_EXCEEDED(Category.LIMIT),
  /** The results of a traversal are more than a long can count. */
  COUNT_OVERFLOW(Category.LIMIT),
  /** The transaction or database was closed before. */
  CLOSED(Category.STATE),
  /** Another process or graph has the database open. */
  ALREADY_OPEN(Category.STATE),
  /** The directory holds something else than a database. */
  NOT_A_DATABASE(Category.STATE),
  /** The database, or a message, was written by a newer version of GraphMeta. */
  NEWER_FORMAT(Category.STATE),
  /** The database was written by a version of GraphMeta from which no upgrade leads here. */
  OLDER_FORMAT(Category.STATE),
  /** The database was opened with settings that do not match it. */
  MISMATCHED_SETTINGS(Category.STATE),
  /** A write to a database that was opened to be read. */
  READ_ONLY_DATABASE(Category.STATE),
  /** The node that was reached belongs to another cluster, or is another node than was meant. */
  WRONG_CLUSTER(Category.STATE),
  /** The disk is full or a file cannot be written or read. */
  STORAGE_FAILURE(Category.STORAGE),
  /** Bytes that were stored or sent do not say what they must. */
  CORRUPTION(Category.STORAGE),
  /** A defect of GraphMeta itself. */
  INTERNAL(Category.DEFECT);

  /** What a caller can do about an error. */
  public enum Category {
    /** Roll back and run the transaction again. */
    RETRY,
    /** Look whether it has happened before running it again. */
    UNCERTAIN,
    /** Correct the input. */
    INPUT,
    /** Ask for less at a time, or raise the limit. */
    LIMIT,
    /** Bring the database into another state first. */
    STATE,
    /** Look after the disk; run {@code graphmeta check}. */
    STORAGE,
    /** Report it. */
    DEFECT
  }

  private final Category category;

  ErrorCode(Category category) {
    this.category = category;
  }

  /** Whether a request that failed with it may have been done: there was no answer. */
  public boolean leavesOutcomeOpen() {
    return this == TIMEOUT || this == UNREACHABLE;
  }

  /** Whether a traversal that failed with it may come through when it is run from its beginning. */
  public boolean endsOneRun() {
    return this == TRAVERSAL_LOST || this == UNREACHABLE;
  }

  /** Whether a shard was not reached, which may change. */
  public boolean isAway() {
    return this == UNREACHABLE || this == UNAVAILABLE;
  }

  /** What the caller can do about it. */
  public Category category() {
    return category;
  }
}
