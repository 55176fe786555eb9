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
  private final Map<Class<?>, Handler<?>> handlers = new HashMap<>();

  /**
   * Answers one kind of request. The two sorts of handlers differ here, and not by a function
   * around another: each request pays for one call that the compiler cannot inline, not for two.
   *
   * @param kind the class of the request
   * @param atOnce whether the function gives the response itself, else a future of it
   */
  private record Handler<R extends Request>(
      Class<R> kind, boolean atOnce, Function<? super R, ?> function) {
    @SuppressWarnings("unchecked") // what the function gives was checked when the handler was set
    CompletableFuture<Response> answer(Request request) {
      Object given = function.apply(kind.cast(request));
      return atOnce
          ? CompletableFuture.completedFuture((Response) given)
          : (CompletableFuture<Response>) given;
    }
  }

  /** Sets the handler of a kind whose answer may come later. */
  <R extends Request> void later(
      Class<R> kind, Function<? super R, CompletableFuture<Response>> handler) {
    add(new Handler<>(kind, false, handler));
  }

  /** Sets the handler of a kind that is answered at once. */
  <R extends Request> void atOnce(Class<R> kind, Function<? super R, ? extends Response> handler) {
    add(new Handler<>(kind, true, handler));
  }

  private void add(Handler<?> handler) {
    if (handlers.put(handler.kind, handler) != null) {
      throw GraphMetaException.internal(handler.kind.getSimpleName() + " has two handlers");
    }
  }

  /** Answers a request by the handler of its kind; fails as the handler fails. */
  CompletableFuture<Response> answer(Request request) {
    Handler<?> handler = handlers.get(request.getClass());
    if (handler == null) {
      throw GraphMetaException.internal("No answer to " + request.getClass().getSimpleName());
    }
    return handler.answer(request);
  }

  /** The kinds that have a handler. */
  Set<Class<?>> kinds() {
    return Set.copyOf(handlers.keySet());
  }
}
