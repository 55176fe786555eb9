package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The transport to servers in this process: the caller's thread does the work of the server, so
 * that an embedded graph pays for no hand-over. Safe for use by many threads.
 */
public final class LocalTransport implements Transport {
  private final List<RequestHandler> servers;

  /** A transport to these servers. */
  public LocalTransport(List<? extends RequestHandler> servers) {
    this.servers = List.copyOf(servers);
  }

  @Override
  public CompletableFuture<Response> send(int server, Call call) {
    if (server < 0 || server >= servers.size()) {
      return CompletableFuture.failedFuture(
          GraphMetaException.internal("No server " + server + "; there are " + servers.size()));
    }
    CompletableFuture<Response> answer;
    try {
      answer = servers.get(server).handle(call);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (answer.isDone()) {
      return answer;
    }
    return answer
        .copy()
        .orTimeout(call.timeoutMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            e -> {
              throw e instanceof TimeoutException
                  ? timeout(server, call)
                  : new CompletionException(e);
            });
  }

  private static GraphMetaException timeout(int server, Call call) {
    return new GraphMetaException(
        ErrorCode.TIMEOUT,
        "Server "
            + server
            + " did not answer "
            + call.request().getClass().getSimpleName()
            + " within "
            + call.timeoutMillis()
            + " ms");
  }
}
