package io.graphmeta.records;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.protocol.ElementPage;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A vertex as one view of a span after the other sees it: its phases, in each of which it stays as
 * it is. Made of the versions that the views see, which all are known to each. Immutable.
 */
public final class VertexTimes {
  private static final int INTERRUPT_CHECK_MASK = 0x3ff;

  private final RecordDecoder decoder;
  private final ElementPage page;
  private final int element;
  private final ViewSpan views;

  /**
   * A vertex of a page of versions.
   *
   * @param views the page has all versions that one of them sees
   */
  public VertexTimes(RecordDecoder decoder, ElementPage page, int element, ViewSpan views) {
    this.decoder = decoder;
    this.page = page;
    this.element = element;
    this.views = views;
  }

  /** Receives phases. */
  @FunctionalInterface
  public interface PhaseVisitor {
    /**
     * A phase: what views with a valid stamp from {@code first} to {@code last} see.
     *
     * @param vertex the vertex; null if it does not exist then
     */
    void phase(long first, long last, @Nullable VertexRecord vertex);
  }

  /** The key of the vertex. */
  public long key() {
    return page.owner(element);
  }

  /**
   * Visits the phases in the order of time. They fill the span.
   *
   * @throws GraphMetaException {@code CANCELLED} if the thread is interrupted
   */
  public void forEachPhase(PhaseVisitor visitor) {
    int[] rows = rowsInOrder();
    State state = new State();
    long from = views.validFrom();
    int phases = 0;
    for (int i = 0; i < rows.length; ) {
      long valid = page.valid(rows[i]);
      if (valid > from) {
        visitor.phase(from, valid - 1, state.vertex());
        from = valid;
        if ((++phases & INTERRUPT_CHECK_MASK) == 0 && Thread.currentThread().isInterrupted()) {
          throw new GraphMetaException(
              ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
        }
      }
      int next = i;
      while (next < rows.length && page.valid(rows[next]) == valid) {
        next++;
      }
      state.take(rows, i, next);
      i = next;
    }
    visitor.phase(from, views.last().validAt(), state.vertex());
  }

  /** The rows in the order in which one hides the other; of one commit the body comes first. */
  private int[] rowsInOrder() {
    Comparator<Integer> order =
        Comparator.<Integer>comparingLong(page::valid)
            .thenComparingLong(page::committed)
            .thenComparing(page::propertyKey);
    return IntStream.range(page.firstRow(element), page.firstRow(element + 1))
        .filter(row -> views.last().sees(page.valid(row), page.committed(row)))
        .boxed()
        .sorted(order)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** What is seen at one moment. */
  private final class State {
    private final SlotResolver slots = new SlotResolver();
    private boolean exists;
    private int oldestBody = -1;
    private int newestBody = -1;

    /** Takes in the versions of one valid stamp. Of bodies that share it the last known counts. */
    void take(int[] rows, int first, int end) {
      int body = -1;
      for (int i = first; i < end; i++) {
        if (page.propertyKey(rows[i]) == RowKeys.BODY) {
          body = rows[i];
        }
      }
      if (body >= 0) {
        exists = !RowValues.isTombstone(page.data(), page.valueStart(body));
      }
      if (body >= 0 && exists) {
        oldestBody = oldestBody < 0 ? body : oldestBody;
        newestBody = body;
        decoder.readBody(page, body, slots::offer);
      }
      for (int i = first; i < end; i++) {
        if (page.propertyKey(rows[i]) != RowKeys.BODY) {
          decoder.readProperty(page, rows[i], slots);
        }
      }
    }

    @Nullable VertexRecord vertex() {
      if (!exists) {
        return null;
      }
      List<PropertyRecord> properties = slots.resolve();
      return new VertexRecord(
          key(),
          RecordDecoder.bodyId(page, newestBody),
          decoder.vertexLabel(key()),
          properties,
          page.valid(oldestBody),
          page.committed(oldestBody));
    }
  }
}
