package io.graphmeta.server.replication;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/*
 * Why terms prove that nobody else led
 *
 * A member that votes for a candidate is in the term of the candidate from then on, on disk, before its
 * vote is counted; so when somebody leads a term, a majority of the members is in that term or in a later
 * one. If after some moment a majority says that it is in no later term than the leader of a term is,
 * the two majorities have a member in common, and so nobody led a later term at that moment. All that was
 * acknowledged until then was so by this leader, or by earlier ones, whose entries it has.
 *
 * While members change there are two groups of them, and a leader is elected by a majority of each; so
 * each of the groups has to prove it. Members change by entries of the leader itself: it asks those of the
 * last such entry in its log, and nobody can be elected by others before that entry is agreed on.
 *
 * The engine's own question does not show this: it sends nothing if a majority has once heard of the
 * entry that was agreed on last.
 */

/** Finds out, by the answers of other members, that none of them has led meanwhile. */
final class LeaderProof {
  private final CompletableFuture<Void> proof = new CompletableFuture<>();
  private final long term;
  private final int needed;

  @GuardedBy("this")
  private int inTerm;

  @GuardedBy("this")
  private int left;

  private LeaderProof(long term, int needed, int asked) {
    this.term = term;
    this.needed = needed;
    this.left = asked;
  }

  /**
   * Completes if enough of the other members are in no later term, and fails as soon as that cannot
   * be.
   *
   * @param needed how many of the others make a majority, with this one if it is a member
   * @param others the terms of other members, asked for now
   */
  static CompletableFuture<Void> of(long term, int needed, List<CompletableFuture<Long>> others) {
    LeaderProof proof = new LeaderProof(term, needed, others.size());
    if (proof.needed == 0) {
      proof.proof.complete(null);
    } else if (others.size() < proof.needed) {
      proof.proof.completeExceptionally(
          new GraphMetaException(
              ErrorCode.NOT_LEADER, "There is no way to the other replicas to ask who leads"));
    }
    others.forEach(other -> other.whenComplete(proof::answered));
    return proof.proof;
  }

  private void answered(@Nullable Long of, @Nullable Throwable failure) {
    boolean proven;
    boolean failed;
    synchronized (this) {
      left--;
      inTerm += of != null && of <= term ? 1 : 0;
      proven = inTerm >= needed;
      failed = of != null && of > term || inTerm + left < needed;
    }
    if (proven) {
      proof.complete(null);
    } else if (failed) {
      proof.completeExceptionally(
          new GraphMetaException(
              ErrorCode.NOT_LEADER,
              of != null && of > term
                  ? "Another replica is in term " + of + "; this one led term " + term
                  : "Not enough of the other replicas answer to know who leads"
                      + (failure == null ? "" : " (" + failure.getMessage() + ")"),
              failure));
    }
  }
}
