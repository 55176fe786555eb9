package io.graphmeta.engine;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.time.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether ids lead to their elements and elements have their ids.
 *
 * <p>The row of an id has no stamp: it may lead to an element of a transaction that is not decided.
 * An id that leads to no element is therefore looked at again when all transactions that were
 * committing are decided, and is a fault if it still leads to none. Belongs to one thread.
 */
final class IdCheck {
  private static final ReadView EVER = new ReadView(Stamp.MAX, Stamp.MAX);
  private static final int MAX_DOUBTFUL = 10_000;

  private final Router router;
  private final StoreProbe probe;
  private final CheckFaults faults;
  private final Runnable settle;
  private final List<Entry> doubtful = new ArrayList<>();
  private long rows;

  /**
   * A check of ids.
   *
   * @param settle waits until every running commit has its outcome
   */
  IdCheck(Router router, StoreProbe probe, CheckFaults faults, Runnable settle) {
    this.router = router;
    this.probe = probe;
    this.faults = faults;
    this.settle = settle;
  }

  /** That an id leads to an element, a {@code Long} or an {@link EdgeKey}. */
  private record Entry(String id, Object element) {
    boolean isVertex() {
      return element instanceof Long;
    }
  }

  long rows() {
    return rows;
  }

  /** Checks a page of the rows of ids. */
  void page(int shard, Response.Rows page) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < page.keys().length; i++) {
      rows++;
      byte[] key = page.keys()[i];
      byte[] value = page.values()[i];
      String id = new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
      int each = key[0] == 'V' ? Long.BYTES : RowKeys.EDGE_KEY_BYTES;
      if (key[0] != 'V' && key[0] != 'E' || value.length == 0 || value.length % each != 0) {
        faults.add("The row of id '" + id + "' has " + value.length + " bytes");
        continue;
      }
      if (router.home(id) != shard) {
        faults.add("Id '" + id + "' lies on shard " + shard + ", not on " + router.home(id));
      }
      entries.addAll(entries(id, key[0] == 'V', value));
    }
    entries.removeAll(leading(entries));
    doubtful.addAll(entries);
    if (doubtful.size() >= MAX_DOUBTFUL) {
      finish();
    }
  }

  private static List<Entry> entries(String id, boolean vertex, byte[] value) {
    List<Entry> entries = new ArrayList<>();
    int each = vertex ? Long.BYTES : RowKeys.EDGE_KEY_BYTES;
    for (int at = 0; at + each <= value.length; at += each) {
      entries.add(
          new Entry(
              id, vertex ? (Object) BigEndian.getLong(value, at) : RowKeys.edgeKey(value, at)));
    }
    return entries;
  }

  /**
   * The entries that lead to an element with this id, at whatever time and in any view, to one of
   * which retention has left the end alone, or to one of which nothing can be known.
   */
  private Set<Entry> leading(Collection<Entry> entries) {
    Set<Entry> leading = new HashSet<>();
    Set<Object> ends = new HashSet<>();
    probe.vertices(
        entries.stream().filter(Entry::isVertex).map(entry -> (Long) entry.element()).toList(),
        EVER,
        Detail.BODIES,
        page -> addAll(page, true, leading, ends));
    probe.edges(
        entries.stream()
            .filter(entry -> !entry.isVertex())
            .map(entry -> (EdgeKey) entry.element())
            .toList(),
        EVER,
        Detail.BODIES,
        page -> addAll(page, false, leading, ends));
    entries.stream()
        .filter(entry -> isAway(entry) || ends.contains(entry.element()))
        .forEach(leading::add);
    return leading;
  }

  private boolean isAway(Entry entry) {
    return entry.element() instanceof EdgeKey edge
        ? !probe.knowsPlace(edge, true) || probe.isAway(probe.entryShard(edge, true, EVER))
        : probe.isAway(router.home((Long) entry.element()));
  }

  private static void addAll(
      ElementPage page, boolean vertices, Set<Entry> into, Set<Object> ends) {
    for (int e = 0; e < page.elements(); e++) {
      Object element =
          vertices
              ? (Object) page.owner(e)
              : new EdgeKey(page.owner(e), page.label(e), page.other(e), page.sequence(e));
      boolean isEnd = true;
      for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
        int start = page.valueStart(row);
        isEnd &= RowValues.isTombstone(page.data(), start);
        if ((page.data()[start] & RowValues.HAS_ID) != 0) {
          ByteReader in = new ByteReader(page.data(), start + 1, page.valueEnd(row) - start - 1);
          into.add(new Entry(in.getText(), element));
        }
      }
      if (isEnd) {
        ends.add(element);
      }
    }
  }

  /** Looks again at the ids that led nowhere. */
  void finish() {
    if (doubtful.isEmpty()) {
      return;
    }
    settle.run();
    Set<Entry> stored = new HashSet<>();
    for (boolean edges : new boolean[] {false, true}) {
      List<String> ids =
          doubtful.stream().filter(entry -> entry.isVertex() != edges).map(Entry::id).toList();
      probe.idRows(ids, edges).forEach((id, value) -> stored.addAll(entries(id, !edges, value)));
    }
    doubtful.retainAll(stored);
    doubtful.removeAll(leading(doubtful));
    for (Entry entry : doubtful) {
      faults.add("Id '" + entry.id() + "' leads to an element that is not there or has another id");
    }
    doubtful.clear();
  }

  /** Checks that the ids of some vertices lead back to them. */
  void leadBack(List<String> ids, List<Long> owners) {
    Map<String, byte[]> stored = probe.idRows(ids, false);
    for (int i = 0; i < ids.size(); i++) {
      byte[] row = stored.get(ids.get(i));
      if (row != null
          && !entries(ids.get(i), true, row).contains(new Entry(ids.get(i), owners.get(i)))) {
        faults.add(
            "Id '"
                + ids.get(i)
                + "' does not lead to its vertex "
                + GeneratedIds.ofVertex(owners.get(i)));
      }
    }
  }

  /** Checks that the ids of some edges lead back to them. */
  void edgesLeadBack(List<String> ids, List<EdgeKey> edges) {
    Map<String, byte[]> stored = probe.idRows(ids, true);
    for (int i = 0; i < ids.size(); i++) {
      byte[] row = stored.get(ids.get(i));
      if (row != null
          && !entries(ids.get(i), false, row).contains(new Entry(ids.get(i), edges.get(i)))) {
        faults.add(
            "Id '"
                + ids.get(i)
                + "' does not lead to its edge "
                + GeneratedIds.ofEdge(edges.get(i)));
      }
    }
  }
}
