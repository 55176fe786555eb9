package io.graphmeta.server.replication;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Asks other replicas which {@linkplain Replica#term term} they are in. Safe for threads. */
public interface MemberTerms {
  /**
   * Asks nodes that have a replica of a shard, each at some moment after the call.
   *
   * @return the term of each, by the name of its node, or a failure if it does not answer
   */
  Map<String, CompletableFuture<Long>> of(int shard, Set<String> nodes);
}
