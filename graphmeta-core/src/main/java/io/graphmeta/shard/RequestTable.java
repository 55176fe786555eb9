package io.graphmeta.shard;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The handler of each kind of request. Filled by one thread; from then on it is not changed, and
 * safe for use by many threads.
 */
final class RequestTable {
  private final Map<Class<?>, Function<Request, CompletableFuture<Response>>> handlers =
      new HashMap<>();

  /** Sets the handler of a kind whose answer may come later. */
  <R extends Request> void later(
      Class<R> kind, Function<? super R, CompletableFuture<Response>> handler) {
    if (handlers.put(kind, request -> handler.apply(kind.cast(request))) != null) {
      throw GraphMetaException.internal(kind.getSimpleName() + " has two handlers");
    }
  }

  /** Sets the handler of a kind that is answered at once. */
  <R extends Request> void atOnce(Class<R> kind, Function<? super R, ? extends Response> handler) {
    later(kind, request -> CompletableFuture.completedFuture(handler.apply(request)));
  }

  /** Answers a request by the handler of its kind; fails as the handler fails. */
  CompletableFuture<Response> answer(Request request) {
    Function<Request, CompletableFuture<Response>> handler = handlers.get(request.getClass());
    if (handler == null) {
      throw GraphMetaException.internal("No answer to " + request.getClass().getSimpleName());
    }
    return handler.apply(request);
  }

  /** The kinds that have a handler. */
  Set<Class<?>> kinds() {
    return Set.copyOf(handlers.keySet());
  }
}
