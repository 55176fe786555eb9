package io.graphmeta.reads;

import static java.util.Objects.requireNonNull;

import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one shard answers to one request, element by element. Holds one page at most, and asks for a
 * page when its first element is wanted; {@link #ask} asks for the first page before. Belongs to
 * one thread.
 */
final class PageStream {
  private final Router router;
  private final int shard;
  private final PageRequest request;
  private final Consumer<ElementPage> received;
  private @Nullable CompletableFuture<Response> asked;
  private @Nullable ElementPage page;
  private @Nullable Position next = Position.START;
  private int element = -1;

  /**
   * A stream before the first element.
   *
   * @param received is called with each page when it comes
   */
  PageStream(Router router, int shard, PageRequest request, Consumer<ElementPage> received) {
    this.received = received;
    this.router = router;
    this.shard = shard;
    this.request = request;
  }

  /** The request for the page at a position. */
  @FunctionalInterface
  interface PageRequest {
    Request at(Position position);
  }

  /** Asks for the first page, before an element of it is wanted. */
  void ask() {
    asked = router.send(shard, first());
  }

  /** The request for the first page, for who sends it with others. */
  Request first() {
    return request.at(Position.START);
  }

  /** The first page was asked for. */
  void asked(CompletableFuture<Response> coming) {
    asked = coming;
  }

  /** Moves to the next element; false at the end, and ever after. */
  boolean next() {
    while (page == null || element + 1 >= page.elements()) {
      if (next == null) {
        page = null;
        return false;
      }
      page = null; // not held while the next one comes
      page = read(next);
      next = page.next();
      element = -1;
    }
    element++;
    return true;
  }

  private ElementPage read(Position from) {
    CompletableFuture<Response> coming = asked;
    asked = null;
    ElementPage read =
        coming == null
            ? router.call(shard, request.at(from), Response.Elements.class).page()
            : ((Response.Elements) router.await(coming)).page();
    received.accept(read);
    return read;
  }

  /** The page of the element. Only after a move that returned true. */
  ElementPage page() {
    return requireNonNull(page);
  }

  /** The element's number in its page. */
  int element() {
    return element;
  }
}
