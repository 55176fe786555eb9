package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;

/** A shard whose work is done by the threads that call it. */
final class CallerThreads implements LocalShard {
  private final int shard;
  private final RequestHandler handler;
  private final Deadlines deadlines;

  CallerThreads(int shard, RequestHandler handler, Deadlines deadlines) {
    this.shard = shard;
    this.handler = handler;
    this.deadlines = deadlines;
  }

  @Override
  public CompletableFuture<Response> send(Call call) {
    CompletableFuture<Response> answer;
    try {
      answer = handler.handle(call);
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(Answers.error(shard, call, e));
    }
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      return answer;
    }
    Promise promised = new Promise();
    promised.follow(answer);
    deadlines.limit(promised, shard, call);
    return promised;
  }

  @Override
  public void close() {
    // Callers bring their own threads and take them away.
  }
}
