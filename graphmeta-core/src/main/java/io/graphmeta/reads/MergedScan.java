package io.graphmeta.reads;

import static java.util.Objects.requireNonNull;

import io.graphmeta.protocol.ElementPage;
import io.graphmeta.router.Router;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scan of all shards as one: their pages merged by the keys of the elements, so that the order is
 * that of one shard. Holds one page of each shard. Belongs to one thread.
 */
final class MergedScan {
  private final PageStream[] streams;
  private final long[] owners;
  private final boolean[] ended;
  private @Nullable PageStream current;
  private int shard = -1;

  MergedScan(Router router, PageStream.PageRequest request, Consumer<ElementPage> received) {
    streams = new PageStream[router.shards()];
    owners = new long[streams.length];
    ended = new boolean[streams.length];
    for (int each = 0; each < streams.length; each++) {
      streams[each] = new PageStream(router, each, request, received);
    }
  }

  /** Moves to the next element; false at the end, and ever after. */
  boolean next() {
    if (streams.length == 1) {
      current = streams[0];
      return streams[0].next();
    }
    if (shard >= 0) {
      advance(shard);
    } else {
      for (int each = 0; each < streams.length; each++) {
        advance(each);
      }
    }
    shard = 0;
    for (int each = 1; each < streams.length; each++) {
      if (!ended[each] && (ended[shard] || isBefore(each, shard))) {
        shard = each;
      }
    }
    current = streams[shard];
    return !ended[shard];
  }

  private void advance(int each) {
    PageStream stream = streams[each];
    ended[each] = !stream.next();
    owners[each] = ended[each] ? 0 : stream.page().owner(stream.element());
  }

  private boolean isBefore(int one, int another) {
    int order = Long.compareUnsigned(owners[one], owners[another]);
    if (order == 0) { // edges of a split vertex, some on each of the two shards
      PageStream first = streams[one];
      PageStream second = streams[another];
      order = first.page().compareEdges(first.element(), second.page(), second.element());
    }
    return order < 0;
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
