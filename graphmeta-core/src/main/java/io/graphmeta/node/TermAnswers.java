package io.graphmeta.node;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/*
 * What a deposed leader answers
 *
 * The shard keeps tables of what the store has (splits, moves, neighbours), told by its own log alone.
 * When another process comes to order entries, these change the store behind the back of this shard. So
 * what was read for an answer counts only if the log had not ended by then: the log of a term ends
 * before the first entry of a later term is applied here. That is looked at afterwards, and who asked is
 * told to ask the leader. What was written needs no second look: an entry of this log that was applied
 * is there whoever leads.
 */

/**
 * Answers for a shard for as long as its log is not another's to order: for one term of a replica.
 * Safe for use by many threads.
 */
public final class TermAnswers implements RequestHandler {
  /** What is answered by what the log has applied, and not by what was read. */
  private static final Set<Class<? extends Request>> WRITES =
      Set.of(
          Request.Commit.class,
          Request.Prepare.class,
          Request.Resolve.class,
          Request.Define.class,
          Request.Lease.class,
          Request.TakeEntries.class,
          Request.HoldEntries.class,
          Request.EndMove.class,
          Request.Clear.class);

  private final int number;
  private final ReplicationLog log;
  private final RequestHandler handler;

  /**
   * The answers of a term.
   *
   * @param number of the shard
   * @param log that the shard writes to
   * @param handler answers, while the term lasts
   */
  public TermAnswers(int number, ReplicationLog log, RequestHandler handler) {
    this.number = number;
    this.log = log;
    this.handler = handler;
  }

  /** Whether another process may order entries by now. */
  boolean areOver() {
    return log.isShared() && log.stopped() != null;
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    if (areOver()) {
      return CompletableFuture.failedFuture(notLed(number));
    }
    CompletableFuture<Response> answer = handler.handle(call);
    return log.isShared() && !WRITES.contains(call.request().getClass())
        ? answer.thenApply(this::requireLed)
        : answer;
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    Response answer = handler.answerAtOnce(call);
    return answer == null || areOver() ? null : answer;
  }

  private Response requireLed(Response answer) {
    if (areOver()) {
      throw notLed(number);
    }
    return answer;
  }

  /** What is told to who asks a process that does not lead a shard. */
  public static GraphMetaException notLed(int number) {
    return new GraphMetaException(
        ErrorCode.NOT_LEADER,
        "This node does not lead shard " + number + "; nothing was done, ask its other replicas");
  }
}
