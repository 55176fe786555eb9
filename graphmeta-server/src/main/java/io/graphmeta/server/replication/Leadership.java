package io.graphmeta.server.replication;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.StorageEngine;
import java.util.function.Supplier;

/**
 * What is built over a replica. It is told when the replica begins and ceases to lead its group, by
 * one thread, in turn, and may take its time; entries are applied meanwhile.
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

  /**
   * Is told of each entry that no log of this replica has proposed, by the thread that applies:
   * that it is about to be applied, and when it is. Throws nothing.
   */
  ReplicationLog.Told followed();

  /**
   * The group has cut off the log behind which this replica stands: copies the store of the replica
   * that leads, while this one is as it was. Takes long; by a thread for such copies, and to be
   * given up when the server closes.
   *
   * @throws io.graphmeta.error.GraphMetaException if it cannot be copied now
   */
  Copy copyOfLeader();

  /**
   * A copy of the store of another replica.
   *
   * @param index that of an entry that is in it; later ones may be
   * @param placed puts it in the place of the store of this replica, opens it and returns it;
   *     nothing is applied meanwhile
   */
  record Copy(long index, Supplier<StorageEngine> placed) {}
}
