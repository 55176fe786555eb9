package io.graphmeta.router;

/** How a commit ended. */
public sealed interface CommitResult {
  /** All parts are there, at this stamp. */
  record Committed(long stamp) implements CommitResult {}

  /**
   * Another transaction came first; nothing is there.
   *
   * @param part position of the part that was refused
   * @param check position in its checks, or -1 if the snapshot is older than the shard can tell
   */
  record Conflicted(int part, int check) implements CommitResult {}
}
