package io.graphmeta.tx;

import static java.util.Objects.requireNonNull;

import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.router.Router;
import org.jspecify.annotations.Nullable;

/**
 * The stored edges of a frontier in the order of the frontier. Each server is asked for its whole
 * part of the frontier, which it answers in order; so the next element is the next one of the home
 * of the first vertex that is not done yet. Holds one page of each server at most, and asks a
 * server only when it is its turn. Belongs to the thread of its transaction.
 */
final class FrontierStream {
  private final Router router;
  private final long[] frontier;
  private final FrontierRequest request;
  private final ServerParts parts;
  private final @Nullable PageStream[] streams;
  private final int[] heads;
  private @Nullable PageStream current;
  private int index;

  FrontierStream(Router router, long[] frontier, FrontierRequest request) {
    this.router = router;
    this.frontier = frontier;
    this.request = request;
    this.parts = ServerParts.of(router.servers(), frontier.length, i -> router.home(frontier[i]));
    boolean cut = parts.only() < 0;
    this.streams = new PageStream[cut ? router.servers() : 0];
    this.heads = new int[streams.length];
    this.current = cut ? null : stream(parts.only(), frontier);
  }

  /** The request for the page at a position, of a part of the frontier. */
  @FunctionalInterface
  interface FrontierRequest {
    Request at(long[] part, Position position);
  }

  private PageStream stream(int server, long[] part) {
    return new PageStream(router, server, position -> request.at(part, position));
  }

  /** Moves to the next element; false at the end, and ever after. */
  boolean next() {
    if (parts.only() >= 0) {
      PageStream stream = requireNonNull(current);
      boolean found = stream.next();
      index = found ? stream.page().source(stream.element()) : frontier.length;
      return found;
    }
    if (current != null) {
      advance(router.home(frontier[index]), current);
    }
    for (; index < frontier.length; index++) {
      int server = router.home(frontier[index]);
      PageStream stream = streams[server];
      if (stream == null) {
        stream = stream(server, parts.part(frontier, server));
        streams[server] = stream;
        advance(server, stream);
      }
      if (heads[server] == index) {
        current = stream;
        return true;
      }
    }
    current = null;
    return false;
  }

  /** Moves a server's stream on, and notes which position of the frontier it is at. */
  private void advance(int server, PageStream stream) {
    heads[server] =
        stream.next()
            ? parts.positions(server)[stream.page().source(stream.element())]
            : frontier.length;
  }

  /** The position in the frontier that the element belongs to. */
  int index() {
    return index;
  }

  /** The page of the element. Only after a move that returned true. */
  ElementPage page() {
    return requireNonNull(current).page();
  }

  /** The element's number in its page. */
  int element() {
    return requireNonNull(current).element();
  }
}
