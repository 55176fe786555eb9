package io.graphmeta.server.replication;

import io.graphmeta.log.ReplicationLog;

/**
 * Is told when a replica begins and ceases to lead its group, by one thread, in turn. May take its
 * time; entries are applied meanwhile.
 */
public interface Leadership {
  /**
   * The replica leads: its store has all that was agreed on before, and nothing else is agreed on
   * in this term but what the log takes.
   */
  void leads(ReplicationLog log);

  /**
   * It is to lead no more, though it could: answers nothing from now on, and closes the log. {@link
   * #leadsNoMore} follows.
   */
  void resigns();

  /** It does not any more; its log takes nothing. What was built over it is to be dropped. */
  void leadsNoMore();
}
