package io.graphmeta.server.replication;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks other replicas which {@linkplain Replica#term term} they are in. Safe for threads. */
public interface MemberTerms {
  /**
   * Asks the other members of the group of a shard, each at some moment after the call.
   *
   * @return the term of each, or a failure if it does not answer
   */
  List<CompletableFuture<Long>> ofOthers(int shard);
}
