package io.graphmeta.server.membership;

/**
 * How a process stands in its cluster.
 *
 * <p>From outside it becomes present; present and away follow each other; from either it can be
 * replaced, which is the end.
 */
public enum Standing {
  /** It has not joined: a client, or a node before it joins. */
  OUTSIDE,
  /** It has joined, and ZooKeeper knew it as present when it last answered. */
  PRESENT,
  /** Its session has ended, or ZooKeeper does not answer. It comes back by itself. */
  AWAY,
  /**
   * Another process has joined as the same node meanwhile, or the node was unregistered. This one
   * does not come back; it should end.
   */
  REPLACED
}
