package io.graphmeta.tx;

import io.graphmeta.reads.ElementCursor;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Elements that indexes have found, and among them the stored elements that the transaction has
 * changed, each once and all in the order of their keys, as a scan has them. Belongs to the thread
 * of its transaction.
 *
 * @param <T> the elements
 * @param <K> their keys
 */
final class WithChanged<T, K> implements ElementCursor<T> {
  private final ElementCursor<T> found;
  private final Function<T, K> keyOf;
  private final List<K> changed;
  private final Comparator<? super K> order;
  private final int batchSize;
  private final Function<List<K>, List<@Nullable T>> read;
  private final Deque<T> batch = new ArrayDeque<>();
  private int nextChanged;
  private @Nullable T nextFound;
  private boolean started;
  private boolean closed;

  /**
   * @param changed their keys, in any order
   * @param order that of a scan
   * @param batchSize the most of them that are read at once
   * @param read reads elements by key, null for one that is not there
   */
  WithChanged(
      ElementCursor<T> found,
      Function<T, K> keyOf,
      List<K> changed,
      Comparator<? super K> order,
      int batchSize,
      Function<List<K>, List<@Nullable T>> read) {
    this.found = found;
    this.keyOf = keyOf;
    this.changed = changed.stream().sorted(order).toList();
    this.order = order;
    this.batchSize = batchSize;
    this.read = read;
  }

  @Override
  public @Nullable T next() {
    if (closed) {
      return null;
    }
    if (!started) {
      started = true;
      nextFound = found.next();
    }
    T one = nextFound;
    T other = peekChanged();
    int compared =
        one == null || other == null ? 0 : order.compare(keyOf.apply(one), keyOf.apply(other));
    if (other == null || compared < 0) {
      nextFound = one == null ? null : found.next();
      return one;
    }
    batch.remove();
    if (one != null && compared == 0) {
      nextFound = found.next();
    }
    return other;
  }

  /** The next changed element that is there. */
  private @Nullable T peekChanged() {
    while (batch.isEmpty() && nextChanged < changed.size()) {
      int end = Math.min(changed.size(), nextChanged + batchSize);
      read.apply(changed.subList(nextChanged, end)).stream()
          .filter(Objects::nonNull)
          .forEach(batch::add);
      nextChanged = end;
    }
    return batch.peek();
  }

  @Override
  public void close() {
    closed = true;
    batch.clear();
    found.close();
  }
}
