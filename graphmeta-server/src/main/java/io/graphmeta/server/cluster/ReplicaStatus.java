package io.graphmeta.server.cluster;

/**
 * How a replica of a node is doing. Immutable.
 *
 * @param shard number of the shard that it is a copy of
 * @param alive whether it follows its group
 * @param leads whether it leads the group
 * @param leader the node that does, as far as it knows; empty if none
 * @param term that it is in
 * @param applied index of the last entry that is in its store, or -1
 * @param committed index of the last entry that it knows to be agreed on
 * @param failure why it does not follow any more; empty if it does, or nothing is known
 */
public record ReplicaStatus(
    int shard,
    boolean alive,
    boolean leads,
    String leader,
    long term,
    long applied,
    long committed,
    String failure) {
  /** More than that is not what is just under way. */
  private static final long MOST_LAG = 1_000;

  /** Entries that are agreed on and not in its store. */
  public long lag() {
    return Math.max(0, committed - applied);
  }

  /** What is wrong with it, and what to do; empty if all is well. */
  public String problem() {
    if (!alive) {
      return "its replica does not run"
          + (failure.isEmpty() ? "" : " (" + failure + ")")
          + "; look after the disk and start the node again";
    }
    if (leader.isEmpty()) {
      return "its replica knows no leader; see whether a majority of its nodes is there";
    }
    return lag() > MOST_LAG
        ? "its replica has " + lag() + " entries still to apply; wait, or look after the disk"
        : "";
  }
}
