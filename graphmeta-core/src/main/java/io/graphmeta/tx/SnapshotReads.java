package io.graphmeta.tx;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ChainedAdjacency;
import io.graphmeta.reads.CompletedAdjacency;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.ElementScan;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.StoredAdjacency;
import io.graphmeta.reads.StoredElements;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.records.VertexTimes;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.search.ElementLabel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a transaction, as {@link GraphTransaction} describes them: what is stored at a view
 * and, if the view is the snapshot, the {@link Overlay} of the writes of the transaction. The
 * vertex of the variables is left out. Belongs to the thread of its transaction.
 */
final class SnapshotReads {
  private static final int CHANGED_BATCH = 1024;
  private static final Comparator<EdgeKey> EDGES_IN_ORDER =
      Comparator.comparing(EdgeKey::out, Long::compareUnsigned)
          .thenComparingInt(EdgeKey::labelId)
          .thenComparing(EdgeKey::in, Long::compareUnsigned)
          .thenComparingLong(EdgeKey::sequence);

  private final Router router;
  private final Views views;
  private final StoredElements stored;
  private final RecordDecoder decoder;
  private final TransactionLimits limits;
  private @Nullable Overlay ownWrites;
  private Runnable settling = () -> {};
  private final SeenVertices seen = new SeenVertices();

  SnapshotReads(StoredElements stored, Views views, TransactionLimits limits) {
    this.router = stored.router();
    this.views = views;
    this.stored = stored;
    this.decoder = stored.decoder();
    this.limits = limits;
  }

  /**
   * Lays the writes of the transaction over what is read afterwards.
   *
   * @param settle asks what the writes left to be asked, before a read that may see two elements of
   *     one id
   */
  void show(Overlay writes, Runnable settle) {
    ownWrites = writes;
    settling = settle;
  }

  /** The view of the transaction. */
  ReadView snapshot() {
    return views.snapshot();
  }

  /** The vertices that were read at the snapshot. */
  SeenVertices seen() {
    return seen;
  }

  /** The writes of the transaction if the view includes them and there are any. */
  private @Nullable Overlay overlay(ReadView view) {
    return includesWrites(view) ? ownWrites : null;
  }

  /** As {@link #overlay}, for a read that may come to two elements of one id. */
  private @Nullable Overlay settledOverlay(ReadView view) {
    Overlay writes = overlay(view);
    if (writes != null) {
      settling.run();
    }
    return writes;
  }

  /** True if the transaction has written something that the view includes. */
  boolean includesWrites(ReadView view) {
    Overlay writes = ownWrites;
    return writes != null && !writes.isEmpty() && view.equals(views.snapshot());
  }

  // Vertices

  List<@Nullable VertexRecord> verticesById(Collection<String> wanted, ReadView view) {
    ReadView from = views.reading(view);
    limits.checkFrontier(wanted.size());
    Overlay overlay = overlay(view);
    VertexRecord[] found = new VertexRecord[wanted.size()];
    List<String> unknown = new ArrayList<>(wanted.size());
    int[] unknownAt = new int[wanted.size()];
    long[] keys = new long[wanted.size()];
    int[] keysAt = new int[wanted.size()];
    int known = 0;
    int at = 0;
    for (String id : wanted) {
      Long own = overlay == null ? null : overlay.newVertexWithId(id);
      if (own != null) {
        settling.run();
      }
      if (GeneratedIds.isReserved(id) || own != null) {
        long key = own != null ? own : GeneratedIds.parseVertex(id);
        if (key != 0) {
          keysAt[known] = at;
          keys[known++] = key;
        }
      } else {
        unknownAt[unknown.size()] = at;
        unknown.add(id);
      }
      at++;
    }
    if (known > 0) {
      List<@Nullable VertexRecord> read = vertices(Arrays.copyOf(keys, known), view);
      for (int i = 0; i < known; i++) {
        found[keysAt[i]] = read.get(i);
      }
    }
    if (!unknown.isEmpty()) {
      boolean now = from.equals(views.snapshot());
      stored
          .lookup()
          .verticesById(
              unknown,
              from,
              (page, e, position) -> {
                note(page, e, now);
                found[unknownAt[position]] = unlessHidden(page, e, overlay);
              });
    }
    return Arrays.asList(found);
  }

  List<@Nullable VertexRecord> vertices(long[] keys, ReadView view) {
    List<@Nullable VertexRecord> found = withHidden(keys, view);
    for (int i = 0; i < keys.length; i++) {
      VertexRecord vertex = found.get(i);
      if (vertex != null && VariablesVertex.is(vertex)) {
        found.set(i, null);
      }
    }
    return found;
  }

  /** A vertex by the id that it is stored with, that of the variables too. */
  @Nullable VertexRecord vertexByStoredId(String id, ReadView view) {
    ReadView from = views.reading(view);
    Overlay overlay = overlay(view);
    Long own = overlay == null ? null : overlay.newVertexWithId(id);
    if (own != null) {
      return withHidden(new long[] {own}, view).get(0);
    }
    VertexRecord[] found = new VertexRecord[1];
    stored
        .lookup()
        .verticesById(
            List.of(id), from, (page, e, position) -> found[0] = vertex(page, e, overlay));
    return found[0];
  }

  /** Vertices by key, that of the variables too. */
  private List<@Nullable VertexRecord> withHidden(long[] keys, ReadView view) {
    ReadView from = views.reading(view);
    limits.checkFrontier(keys.length);
    Overlay overlay = overlay(view);
    VertexRecord[] found = new VertexRecord[keys.length];
    if (keys.length > 0) {
      boolean now = from.equals(views.snapshot());
      stored
          .lookup()
          .vertices(
              keys,
              from,
              Detail.PROPERTIES,
              (page, e, position) -> {
                note(page, e, now);
                found[position] = vertex(page, e, overlay);
              });
    }
    for (int i = 0; overlay != null && i < keys.length; i++) {
      VertexRecord created = overlay.newVertex(keys[i]);
      if (created != null) {
        found[i] = created;
      }
    }
    return Arrays.asList(found);
  }

  /** Notes a vertex that was read, if it was at the snapshot. */
  private void note(ElementPage page, int e, boolean now) {
    if (now) {
      seen.add(page.owner(e));
    }
  }

  private @Nullable VertexRecord unlessHidden(ElementPage page, int e, @Nullable Overlay overlay) {
    VertexRecord vertex = vertex(page, e, overlay);
    return vertex == null || VariablesVertex.is(vertex) ? null : vertex;
  }

  private @Nullable VertexRecord vertex(ElementPage page, int e, @Nullable Overlay overlay) {
    return overlay == null ? decoder.vertex(page, e, null) : overlay.vertex(page, e);
  }

  ElementCursor<VertexRecord> scanVertices(
      Set<String> labels, @Nullable Condition where, ReadView view) {
    ReadView from = views.reading(view);
    Overlay overlay = settledOverlay(view);
    int @Nullable [] labelIds =
        labels.isEmpty() && where != null
            ? searchedLabelIds(where, from)
            : labelIds(NameKind.VERTEX_LABEL, labels, from);
    ElementScan.ElementDecoder<VertexRecord> decoding = (page, e) -> unlessHidden(page, e, overlay);
    if (where == null || labelIds == null) {
      ElementCursor<VertexRecord> scan =
          ElementScan.vertices(router, labelIds, from, Detail.PROPERTIES, decoding);
      return overlay == null ? scan : new OverlaidScan<>(scan, overlay.newVertices(labels));
    }
    ElementCursor<VertexRecord> found =
        ElementScan.vertices(router, labelIds, where, from, Detail.PROPERTIES, decoding);
    if (overlay == null) {
      return found;
    }
    // No index knows what the transaction has made of them.
    ElementCursor<VertexRecord> stored =
        new WithChanged<>(
            found,
            VertexRecord::key,
            overlay.changedVertices(labelIds),
            Long::compareUnsigned,
            Math.min(CHANGED_BATCH, limits.maxFrontier()),
            keys -> vertices(keys.stream().mapToLong(Long::longValue).toArray(), view));
    return new OverlaidScan<>(stored, overlay.newVertices(labels));
  }

  ElementCursor<VertexTimes> scanVertices(Set<String> labels, Condition where, ViewSpan span) {
    ViewSpan from = new ViewSpan(span.validFrom(), views.reading(span.last()));
    int @Nullable [] labelIds = labelIds(NameKind.VERTEX_LABEL, labels, from.last());
    if (labelIds == null) {
      throw GraphMetaException.invalid("No label was given; expected the labels to search");
    }
    HiddenLabel hidden = new HiddenLabel();
    return ElementScan.during(
        router,
        labelIds,
        where,
        from,
        (page, e) -> hidden.isOf(page.owner(e)) ? null : new VertexTimes(decoder, page, e, from));
  }

  List<@Nullable VertexTimes> vertices(long[] keys, ViewSpan span) {
    ViewSpan from = new ViewSpan(span.validFrom(), views.reading(span.last()));
    limits.checkFrontier(keys.length);
    VertexTimes[] found = new VertexTimes[keys.length];
    stored
        .lookup()
        .vertices(
            keys,
            from.last(),
            Detail.HISTORY,
            (page, e, position) -> found[position] = new VertexTimes(decoder, page, e, from));
    return Arrays.asList(found);
  }

  long countVertices(Set<String> labels, ReadView view) {
    ReadView from = views.reading(view);
    if (includesWrites(view)) {
      return count(scanVertices(labels, null, view));
    }
    HiddenLabel hidden = new HiddenLabel();
    return count(
        ElementScan.vertices(
            router,
            labelIds(NameKind.VERTEX_LABEL, labels, from),
            from,
            Detail.KEYS,
            (page, e) -> hidden.isOf(page.owner(e)) ? null : page));
  }

  /** Tells the vertex of the variables by its key. A scan has the vertices of a label in a row. */
  private final class HiddenLabel {
    private int lastId;
    private boolean lastHidden;

    boolean isOf(long vertex) {
      int id = VertexKeys.labelId(vertex);
      if (id != lastId) {
        lastId = id;
        lastHidden = VariablesVertex.isLabel(decoder.vertexLabel(vertex));
      }
      return lastHidden;
    }
  }

  private static long count(ElementCursor<?> elements) {
    try (elements) {
      long count = 0;
      while (elements.next() != null) {
        count++;
      }
      return count;
    }
  }

  /**
   * The ids of the labels that are defined, in rising order; null for all labels. A label that this
   * client does not know may have been defined by another client.
   */
  private int @Nullable [] labelIds(NameKind kind, Set<String> labels, ReadView from) {
    if (labels.isEmpty()) {
      return null;
    }
    int[] known = defined(router.schema(), kind, labels);
    return known.length == labels.size()
        ? known
        : defined(router.schemaAt(from.snapshot()), kind, labels);
  }

  private static int @Nullable [] ids(@Nullable List<SchemaName> names) {
    return names == null ? null : names.stream().mapToInt(SchemaName::id).toArray();
  }

  /**
   * The ids of all labels of vertices, in rising order, if an index of one of them narrows a
   * condition down; null if none does, and one scan reads all.
   */
  private int @Nullable [] searchedLabelIds(Condition where, ReadView from) {
    boolean isNarrowed =
        router.schema().names(NameKind.VERTEX_LABEL).stream()
            .anyMatch(
                label -> router.indexClause(ElementLabel.ofVertices(label.id()), where) != null);
    return isNarrowed
        ? router.schemaAt(from.snapshot()).names(NameKind.VERTEX_LABEL).stream()
            .filter(label -> !VariablesVertex.isLabel(label.name()))
            .mapToInt(SchemaName::id)
            .toArray()
        : null;
  }

  private static int[] defined(SchemaImage schema, NameKind kind, Set<String> labels) {
    int[] ids = new int[labels.size()];
    int count = 0;
    for (String label : labels) {
      int id = schema.id(kind, label);
      if (id != 0) {
        ids[count++] = id;
      }
    }
    int[] defined = count == ids.length ? ids : Arrays.copyOf(ids, count);
    Arrays.sort(defined);
    return defined;
  }

  List<ElementVersion> vertexHistory(long key) {
    views.requireOpen();
    return stored.history().ofVertex(key, views.snapshot());
  }

  long[] vertexKeys(Collection<String> wanted) {
    views.requireOpen();
    limits.checkFrontier(wanted.size());
    long[] keys = stored.ids().vertices(List.copyOf(wanted));
    limits.checkFrontier(keys.length);
    return keys;
  }

  long[] incarnations(String id) {
    views.requireOpen();
    long generated = GeneratedIds.parseVertex(id);
    long[] given = generated == 0 ? stored.ids().vertices(id) : new long[] {generated};
    // What is not committed, or was later than the snapshot, never was.
    boolean[] there = new boolean[given.length];
    stored
        .lookup()
        .vertices(
            given, views.snapshot(), Detail.BODIES, (page, e, position) -> there[position] = true);
    return IntStream.range(0, given.length)
        .filter(i -> there[i])
        .mapToLong(i -> given[i])
        .toArray();
  }

  // Edges

  List<@Nullable EdgeRecord> edgesById(Collection<String> wanted, ReadView view) {
    ReadView from = views.reading(view);
    limits.checkFrontier(wanted.size());
    Overlay overlay = overlay(view);
    EdgeRecord[] found = new EdgeRecord[wanted.size()];
    List<String> unknown = new ArrayList<>();
    List<Integer> unknownAt = new ArrayList<>();
    List<EdgeKey> keys = new ArrayList<>();
    List<Integer> keysAt = new ArrayList<>();
    int at = 0;
    for (String id : wanted) {
      EdgeKey key = GeneratedIds.parseEdge(id);
      if (key == null && overlay != null) {
        key = overlay.newEdgeWithId(id);
        if (key != null) {
          settling.run();
        }
      }
      if (key != null) {
        keys.add(key);
        keysAt.add(at);
      } else if (!GeneratedIds.isReserved(id)) {
        unknown.add(id);
        unknownAt.add(at);
      }
      at++;
    }
    if (!keys.isEmpty()) {
      List<@Nullable EdgeRecord> read = edges(keys, view);
      for (int i = 0; i < read.size(); i++) {
        found[keysAt.get(i)] = read.get(i);
      }
    }
    if (!unknown.isEmpty()) {
      stored
          .lookup()
          .edgesById(
              unknown,
              from,
              (page, e, position) -> found[unknownAt.get(position)] = edge(page, e, overlay));
    }
    return Arrays.asList(found);
  }

  List<@Nullable EdgeRecord> edges(Collection<EdgeKey> keys, ReadView view) {
    ReadView from = views.reading(view);
    limits.checkFrontier(keys.size());
    Overlay overlay = overlay(view);
    EdgeRecord[] found = new EdgeRecord[keys.size()];
    List<EdgeKey> list = List.copyOf(keys);
    if (!list.isEmpty()) {
      stored
          .lookup()
          .edges(
              list,
              from,
              Detail.PROPERTIES,
              (page, e, position) -> found[position] = edge(page, e, overlay));
    }
    for (int i = 0; overlay != null && i < found.length; i++) {
      EdgeRecord created = overlay.newEdge(list.get(i));
      if (created != null) {
        found[i] = created;
      }
    }
    return Arrays.asList(found);
  }

  private @Nullable EdgeRecord edge(ElementPage page, int e, @Nullable Overlay overlay) {
    return overlay == null ? decoder.edge(page, e, true, true, null) : overlay.edge(page, e);
  }

  AdjacencyCursor expand(Expansion expansion, ReadView view) {
    ReadView from = views.reading(view);
    limits.checkFrontier(expansion.frontier().length);
    int[] labelIds = labelIds(NameKind.EDGE_LABEL, expansion.labels(), from);
    Overlay overlay = settledOverlay(view);
    if (expansion.direction() != Direction.BOTH) {
      return direction(expansion, expansion.direction() == Direction.OUT, labelIds, from, overlay);
    }
    return new ChainedAdjacency(
        direction(expansion, true, labelIds, from, overlay),
        direction(expansion, false, labelIds, from, overlay));
  }

  private AdjacencyCursor direction(
      Expansion expansion,
      boolean outgoing,
      int @Nullable [] labelIds,
      ReadView from,
      @Nullable Overlay overlay) {
    StoredAdjacency edges =
        new StoredAdjacency(router, decoder, expansion, outgoing, labelIds, from);
    AdjacencyCursor cursor =
        overlay == null ? edges : new OverlaidAdjacency(edges, expansion, overlay);
    if (outgoing || !expansion.withProperties()) {
      return cursor;
    }
    ReadView completing = overlay == null ? from : views.snapshot();
    return new CompletedAdjacency(cursor, keys -> edges(keys, completing));
  }

  ElementCursor<EdgeRecord> scanEdges(
      Set<String> labels, @Nullable Condition where, ReadView view) {
    ReadView from = views.reading(view);
    Overlay overlay = settledOverlay(view);
    int @Nullable [] labelIds =
        labels.isEmpty() && where != null
            ? ids(router.searchedEdgeLabels(where, from.snapshot()))
            : labelIds(NameKind.EDGE_LABEL, labels, from);
    ElementScan.ElementDecoder<EdgeRecord> decoding = (page, e) -> edge(page, e, overlay);
    if (where == null || labelIds == null) {
      ElementCursor<EdgeRecord> scan =
          ElementScan.edges(router, labelIds, from, Detail.PROPERTIES, decoding);
      return overlay == null ? scan : new OverlaidScan<>(scan, overlay.newEdges(labels));
    }
    ElementCursor<EdgeRecord> found =
        ElementScan.edges(router, labelIds, where, from, Detail.PROPERTIES, decoding);
    if (overlay == null) {
      return found;
    }
    // No index knows what the transaction has made of them.
    ElementCursor<EdgeRecord> stored =
        new WithChanged<>(
            found,
            EdgeRecord::key,
            overlay.changedEdges(labelIds),
            EDGES_IN_ORDER,
            Math.min(CHANGED_BATCH, limits.maxFrontier()),
            keys -> edges(keys, view));
    return new OverlaidScan<>(stored, overlay.newEdges(labels));
  }

  long countEdges(Set<String> labels, ReadView view) {
    ReadView from = views.reading(view);
    if (includesWrites(view)) {
      return count(scanEdges(labels, null, view));
    }
    return count(
        ElementScan.edges(
            router,
            labelIds(NameKind.EDGE_LABEL, labels, from),
            from,
            Detail.KEYS,
            (page, e) -> page));
  }

  List<ElementVersion> edgeHistory(EdgeKey key) {
    views.requireOpen();
    return stored.history().ofEdge(key, views.snapshot());
  }

  /** Visits every edge that a vertex ever had, as known at the snapshot; a loop comes twice. */
  void edgesEver(long vertex, Consumer<EdgeKey> visitor) {
    stored.history().edgesEver(vertex, views.snapshot(), visitor);
  }

  /**
   * The view to run a plan at.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the view includes writes of the
   *     transaction, which no shard has seen
   */
  ReadView ofPlan(ReadView view) {
    ReadView from = views.reading(view);
    if (includesWrites(view)) {
      throw GraphMetaException.invalid(
          "A plan was to be run in a transaction with writes, at the view that includes them;"
              + " expected a transaction without, or a view of the past");
    }
    return from;
  }
}
