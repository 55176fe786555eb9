package io.graphmeta.reads;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.router.Router;
import io.graphmeta.search.ElementLabel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scan of the vertices or edges with some labels: one range of keys behind the other, each merged
 * from all shards. Belongs to one thread.
 *
 * @param <T> what an element is decoded as
 */
public final class ElementScan<T> implements ElementCursor<T> {
  private final Router router;
  private final Iterator<PageStream.PageRequest> ranges;
  private final ElementDecoder<T> decoder;
  private final Consumer<ElementPage> received;
  private @Nullable MergedScan range;
  private boolean closed;

  private ElementScan(
      Router router,
      List<PageStream.PageRequest> ranges,
      Detail detail,
      ElementDecoder<T> decoder) {
    this.router = router;
    this.ranges = ranges.iterator();
    this.decoder = decoder;
    // Elements that are read without their properties are counted, and not kept.
    this.received = detail == Detail.KEYS ? page -> {} : ReadGauge::requireRoom;
  }

  /** Decodes an element, or answers null for one to pass over. */
  @FunctionalInterface
  public interface ElementDecoder<T> {
    /** The element with this number in a page. */
    @Nullable T decode(ElementPage page, int e);
  }

  /**
   * All vertices with some labels, one label after the other, each in the order of their keys.
   *
   * @param labelIds of the labels, in rising order; null for all labels
   */
  public static <T> ElementScan<T> vertices(
      Router router,
      int @Nullable [] labelIds,
      ReadView view,
      Detail detail,
      ElementDecoder<T> decoder) {
    List<PageStream.PageRequest> ranges = new ArrayList<>();
    for (int labelId : labelIds == null ? new int[] {0} : labelIds) {
      ranges.add(position -> new Request.ScanVertices(labelId, view, detail, position));
    }
    return new ElementScan<>(router, ranges, detail, decoder);
  }

  /**
   * The vertices with some labels that a condition may be true of, and perhaps others, in the order
   * of {@link #vertices}: those that indexes name, where there are any that this client knows of.
   *
   * @param labelIds of the labels, in rising order
   */
  public static <T> ElementScan<T> vertices(
      Router router,
      int[] labelIds,
      Condition where,
      ReadView view,
      Detail detail,
      ElementDecoder<T> decoder) {
    PlanNames names = null;
    List<PageStream.PageRequest> ranges = new ArrayList<>();
    for (int labelId : labelIds) {
      if (router.indexClause(ElementLabel.ofVertices(labelId), where) == null) {
        ranges.add(position -> new Request.ScanVertices(labelId, view, detail, position));
        continue;
      }
      PlanNames known = names != null ? names : ConditionNames.of(where, router.schema());
      names = known;
      ranges.add(
          position -> new Request.SearchVertices(labelId, where, known, view, detail, position));
    }
    return new ElementScan<>(router, ranges, detail, decoder);
  }

  /**
   * The vertices with some labels that a condition may be true of at one of some views, and perhaps
   * others, in the order of {@link #vertices}, deleted ones too: with the versions that one of the
   * views sees.
   *
   * @param labelIds of the labels, in rising order
   */
  public static <T> ElementScan<T> during(
      Router router, int[] labelIds, Condition where, ViewSpan views, ElementDecoder<T> decoder) {
    PlanNames names = ConditionNames.of(where, router.schema());
    List<PageStream.PageRequest> ranges = new ArrayList<>();
    for (int labelId : labelIds) {
      ranges.add(position -> new Request.SearchDuring(labelId, where, names, views, position));
    }
    return new ElementScan<>(router, ranges, Detail.HISTORY, decoder);
  }

  /**
   * All edges with some labels, in the order of the keys of their sources.
   *
   * @param labelIds of the labels; null for all labels
   */
  public static <T> ElementScan<T> edges(
      Router router,
      int @Nullable [] labelIds,
      ReadView view,
      Detail detail,
      ElementDecoder<T> decoder) {
    Set<Integer> wanted = new TreeSet<>();
    if (labelIds != null) {
      Arrays.stream(labelIds).forEach(wanted::add);
    }
    List<PageStream.PageRequest> ranges =
        labelIds != null && labelIds.length == 0
            ? List.of()
            : List.of(position -> new Request.ScanEdges(wanted, view, detail, position));
    return new ElementScan<>(router, ranges, detail, decoder);
  }

  /**
   * The edges with some labels that a condition may be true of, and perhaps others, in the order of
   * {@link #edges}: those that indexes name, if this client knows of some for each label.
   *
   * @param labelIds of the labels
   */
  public static <T> ElementScan<T> edges(
      Router router,
      int[] labelIds,
      Condition where,
      ReadView view,
      Detail detail,
      ElementDecoder<T> decoder) {
    Set<Integer> wanted = new TreeSet<>();
    for (int labelId : labelIds) {
      wanted.add(labelId);
      if (router.indexClause(ElementLabel.ofEdges(labelId), where) == null) {
        return edges(router, labelIds, view, detail, decoder);
      }
    }
    PlanNames names = ConditionNames.of(where, router.schema());
    List<PageStream.PageRequest> ranges =
        wanted.isEmpty()
            ? List.of()
            : List.of(
                position -> new Request.SearchEdges(wanted, where, names, view, detail, position));
    return new ElementScan<>(router, ranges, detail, decoder);
  }

  @Override
  public @Nullable T next() {
    while (!closed) {
      if (range != null && range.next()) {
        T decoded = decoder.decode(range.page(), range.element());
        if (decoded != null) {
          return decoded;
        }
      } else if (ranges.hasNext()) {
        range = new MergedScan(router, ranges.next(), received);
      } else {
        range = null;
        return null;
      }
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    range = null;
  }
}
