package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;

/** A server whose work is done by the threads that call it. */
final class CallerThreads implements LocalServer {
  private final int server;
  private final RequestHandler handler;
  private final Deadlines deadlines;

  CallerThreads(int server, RequestHandler handler, Deadlines deadlines) {
    this.server = server;
    this.handler = handler;
    this.deadlines = deadlines;
  }

  @Override
  public CompletableFuture<Response> send(Call call) {
    CompletableFuture<Response> answer;
    try {
      answer = handler.handle(call);
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(Answers.error(server, call, e));
    }
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      return answer;
    }
    Promise promised = new Promise();
    promised.follow(answer);
    deadlines.limit(promised, server, call);
    return promised;
  }

  @Override
  public void close() {
    // Callers bring their own threads and take them away.
  }
}
