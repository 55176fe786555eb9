package io.graphmeta.tx;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Plan;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ChainedAdjacency;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.HistoryDecoder;
import io.graphmeta.reads.PageStream;
import io.graphmeta.reads.PagedScan;
import io.graphmeta.reads.ReadGauge;
import io.graphmeta.reads.StoredReads;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.records.SlotResolver;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.traversal.TraversalClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The one implementation of {@link GraphTransaction}: a snapshot, the reads of it, and a {@link
 * WriteBuffer} that is laid over them. This class answers reads and ends the transaction; {@link
 * ElementWrites} checks and takes the writes.
 */
final class BufferedTransaction implements GraphTransaction {
  private final Router router;
  private final TraversalClient traversals;
  private final TransactionLimits limits;
  private final Views views;
  private final ReadView snapshot;
  private final StoredReads reads;
  private final RecordDecoder decoder;
  private final WriteBuffer writes;
  private final TransactionNames names;
  private final ElementWrites elementWrites;
  private final VariableStore variables;
  private boolean open = true;

  BufferedTransaction(Router router, TraversalClient traversals, TransactionLimits limits) {
    this.router = router;
    this.traversals = traversals;
    this.limits = limits;
    this.views = new Views(router);
    this.snapshot = views.snapshot();
    this.reads = new StoredReads(router);
    this.decoder = new RecordDecoder(router);
    this.writes = new WriteBuffer(limits.maxBytes());
    this.names = new TransactionNames(router);
    this.elementWrites = new ElementWrites(this, router, reads, decoder, writes, names, limits);
    this.variables = new VariableStore(this, router, names, elementWrites);
  }

  @Override
  public ReadView snapshot() {
    return snapshot;
  }

  /** The pending writes if the view includes them and there are any. */
  private @Nullable WriteBuffer overlay(ReadView view) {
    return !writes.isEmpty() && view.equals(snapshot) ? writes : null;
  }

  @Override
  public ReadView view(@Nullable Long validAt, @Nullable Long knownAt) {
    requireOpen();
    return views.at(validAt, knownAt);
  }

  /** What is known at the view is known for good, so that a past read never changes. */
  private ReadView stored(ReadView view) {
    requireOpen();
    return views.reading(view);
  }

  void requireOpen() {
    if (!open) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The transaction has ended; begin another");
    }
  }

  @Override
  public List<@Nullable VertexRecord> verticesById(Collection<String> ids, ReadView view) {
    ReadView from = stored(view);
    limits.checkFrontier(ids.size());
    WriteBuffer overlay = overlay(view);
    VertexRecord[] found = new VertexRecord[ids.size()];
    List<String> unknown = new ArrayList<>(ids.size());
    int[] unknownAt = new int[ids.size()];
    long[] keys = new long[ids.size()];
    int[] keysAt = new int[ids.size()];
    int known = 0;
    int at = 0;
    for (String id : ids) {
      Long own = overlay == null ? null : newVertexWithId(overlay, id);
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
      reads.verticesById(
          unknown,
          from,
          (page, e, position) -> found[unknownAt[position]] = vertex(page, e, overlay));
    }
    return Arrays.asList(found);
  }

  @Override
  public List<@Nullable VertexRecord> vertices(long[] keys, ReadView view) {
    List<@Nullable VertexRecord> found = read(keys, view);
    for (int i = 0; i < keys.length; i++) {
      if (variables.isHidden(keys[i])) {
        found.set(i, null);
      }
    }
    return found;
  }

  /** A vertex by its id, the hidden one too. */
  @Nullable VertexRecord vertexByStoredId(String id, ReadView view) {
    ReadView from = stored(view);
    WriteBuffer overlay = overlay(view);
    Long own = overlay == null ? null : newVertexWithId(overlay, id);
    if (own != null) {
      return read(new long[] {own}, view).get(0);
    }
    VertexRecord[] found = new VertexRecord[1];
    reads.verticesById(
        List.of(id), from, (page, e, position) -> found[0] = decoded(page, e, overlay));
    return found[0];
  }

  private List<@Nullable VertexRecord> read(long[] keys, ReadView view) {
    ReadView from = stored(view);
    limits.checkFrontier(keys.length);
    WriteBuffer overlay = overlay(view);
    VertexRecord[] found = new VertexRecord[keys.length];
    if (keys.length > 0) {
      reads.vertices(
          keys,
          from,
          Detail.PROPERTIES,
          (page, e, position) -> found[position] = decoded(page, e, overlay));
    }
    for (int i = 0; overlay != null && i < keys.length; i++) {
      PendingElement pending = overlay.newVertex(keys[i]);
      if (pending != null) {
        found[i] = pendingVertex(keys[i], pending);
      }
    }
    return Arrays.asList(found);
  }

  private static @Nullable Long newVertexWithId(WriteBuffer overlay, String id) {
    for (Long key : overlay.verticesWithId(id)) {
      if (overlay.newVertex(key) != null) {
        return key;
      }
    }
    return null;
  }

  private static @Nullable EdgeKey newEdgeWithId(WriteBuffer overlay, String id) {
    for (EdgeKey key : overlay.edgesWithId(id)) {
      if (overlay.newEdge(key) != null) {
        return key;
      }
    }
    return null;
  }

  private @Nullable VertexRecord vertex(ElementPage page, int e, @Nullable WriteBuffer overlay) {
    return variables.isHidden(page.owner(e)) ? null : decoded(page, e, overlay);
  }

  private @Nullable VertexRecord decoded(ElementPage page, int e, @Nullable WriteBuffer overlay) {
    PendingElement pending = overlay == null ? null : overlay.vertex(page.owner(e));
    return pending != null && pending.isDeleted()
        ? null
        : decoder.vertex(page, e, PendingElement.changes(pending, Stamp.MAX));
  }

  /**
   * The properties of a vertex that is there at a valid stamp, the writes of this transaction
   * included.
   */
  List<PropertyRecord> propertiesAt(long vertex, long validStamp) {
    if (validStamp == Stamp.AT_COMMIT) {
      VertexRecord now = read(new long[] {vertex}, snapshot).get(0);
      return now == null ? List.of() : now.properties();
    }
    PendingElement pending = writes.vertex(vertex);
    List<PropertyRecord> found = new ArrayList<>();
    if (pending != null && pending.isCreated()) {
      SlotResolver slots = new SlotResolver();
      pending.offerTo(slots, validStamp);
      found.addAll(slots.resolve());
    } else {
      reads.vertices(
          new long[] {vertex},
          new ReadView(validStamp, snapshot.knownAt()),
          Detail.PROPERTIES,
          (page, e, position) ->
              found.addAll(
                  decoder
                      .vertex(page, e, PendingElement.changes(pending, validStamp))
                      .properties()));
    }
    return found;
  }

  private static VertexRecord pendingVertex(long key, PendingElement pending) {
    SlotResolver slots = new SlotResolver();
    pending.offerTo(slots, Stamp.MAX);
    return new VertexRecord(
        key, pending.givenId(), pending.label(), slots.resolve(), pending.firstValid(), Stamp.MAX);
  }

  static EdgeRecord pendingEdge(EdgeKey key, PendingElement pending) {
    SlotResolver slots = new SlotResolver();
    pending.offerTo(slots, Stamp.MAX);
    return new EdgeRecord(
        key, pending.givenId(), pending.label(), slots.resolve(), pending.firstValid(), Stamp.MAX);
  }

  @Override
  public List<@Nullable EdgeRecord> edgesById(Collection<String> ids, ReadView view) {
    ReadView from = stored(view);
    limits.checkFrontier(ids.size());
    WriteBuffer overlay = overlay(view);
    EdgeRecord[] found = new EdgeRecord[ids.size()];
    List<String> unknown = new ArrayList<>();
    List<Integer> unknownAt = new ArrayList<>();
    List<EdgeKey> keys = new ArrayList<>();
    List<Integer> keysAt = new ArrayList<>();
    int at = 0;
    for (String id : ids) {
      EdgeKey key = GeneratedIds.parseEdge(id);
      if (key == null && overlay != null) {
        key = newEdgeWithId(overlay, id);
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
      reads.edgesById(
          unknown,
          from,
          (page, e, position) -> found[unknownAt.get(position)] = edge(page, e, overlay));
    }
    return Arrays.asList(found);
  }

  @Override
  public List<@Nullable EdgeRecord> edges(Collection<EdgeKey> keys, ReadView view) {
    ReadView from = stored(view);
    limits.checkFrontier(keys.size());
    WriteBuffer overlay = overlay(view);
    EdgeRecord[] found = new EdgeRecord[keys.size()];
    List<EdgeKey> list = List.copyOf(keys);
    if (!list.isEmpty()) {
      reads.edges(
          list,
          from,
          Detail.PROPERTIES,
          (page, e, position) -> found[position] = edge(page, e, overlay));
    }
    for (int i = 0; overlay != null && i < found.length; i++) {
      PendingElement pending = overlay.newEdge(list.get(i));
      if (pending != null) {
        found[i] = pendingEdge(list.get(i), pending);
      }
    }
    return Arrays.asList(found);
  }

  private @Nullable EdgeRecord edge(ElementPage page, int e, @Nullable WriteBuffer overlay) {
    PendingElement pending =
        overlay == null ? null : overlay.edge(RecordDecoder.edgeKey(page, e, true));
    return pending != null && pending.isDeleted()
        ? null
        : decoder.edge(page, e, true, true, PendingElement.changes(pending, Stamp.MAX));
  }

  @Override
  public AdjacencyCursor expand(Expansion expansion, ReadView view) {
    ReadView from = stored(view);
    limits.checkFrontier(expansion.frontier().length);
    int[] labelIds = labelIds(NameKind.EDGE_LABEL, expansion.labels());
    WriteBuffer overlay = overlay(view);
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
      @Nullable WriteBuffer overlay) {
    AdjacencyCursor cursor =
        new PagedAdjacency(router, decoder, expansion, outgoing, labelIds, from, overlay);
    // Properties lie with the source: entering edges are completed by a second read, a batch at a
    // time.
    return outgoing || !expansion.withProperties()
        ? cursor
        : new CompletedAdjacency(cursor, this, from, overlay != null);
  }

  /** Complete records of stored and pending edges at a view that was made for stored reads. */
  List<@Nullable EdgeRecord> complete(List<EdgeKey> keys, ReadView from, boolean withPending) {
    return edges(keys, withPending ? snapshot : from);
  }

  private int @Nullable [] labelIds(NameKind kind, Set<String> labels) {
    if (labels.isEmpty()) {
      return null;
    }
    TreeSet<Integer> ids = new TreeSet<>();
    for (String label : labels) {
      int id = router.schema().id(kind, label);
      if (id != 0) {
        ids.add(id);
      }
    }
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public ElementCursor<VertexRecord> scanVertices(Set<String> labels, ReadView view) {
    ReadView from = stored(view);
    WriteBuffer overlay = overlay(view);
    List<VertexRecord> added = new ArrayList<>();
    if (overlay != null) {
      overlay
          .vertices()
          .forEach(
              (key, pending) -> {
                if (overlay.newVertex(key) != null
                    && !variables.isHidden(key)
                    && (labels.isEmpty() || labels.contains(pending.label()))) {
                  added.add(pendingVertex(key, pending));
                }
              });
    }
    return new PagedScan<>(
        router,
        vertexRanges(labels, from, Detail.PROPERTIES),
        (page, e) -> vertex(page, e, overlay),
        added,
        ReadGauge::told);
  }

  private List<PageStream.PageRequest> vertexRanges(
      Set<String> labels, ReadView from, Detail detail) {
    int[] known = labelIds(NameKind.VERTEX_LABEL, labels);
    List<PageStream.PageRequest> ranges = new ArrayList<>();
    for (int labelId : known == null ? new int[] {0} : known) {
      ranges.add(position -> new Request.ScanVertices(labelId, from, detail, position));
    }
    return ranges;
  }

  @Override
  public ElementCursor<EdgeRecord> scanEdges(Set<String> labels, ReadView view) {
    ReadView from = stored(view);
    WriteBuffer overlay = overlay(view);
    List<EdgeRecord> added = new ArrayList<>();
    if (overlay != null) {
      for (EdgeKey key : overlay.newEdgeKeys()) {
        PendingElement pending = Objects.requireNonNull(overlay.edge(key));
        if (labels.isEmpty() || labels.contains(pending.label())) {
          added.add(pendingEdge(key, pending));
        }
      }
    }
    return new PagedScan<>(
        router,
        edgeRanges(labels, from, Detail.PROPERTIES),
        (page, e) -> edge(page, e, overlay),
        added,
        ReadGauge::told);
  }

  private List<PageStream.PageRequest> edgeRanges(
      Set<String> labels, ReadView from, Detail detail) {
    int[] known = labelIds(NameKind.EDGE_LABEL, labels);
    if (known != null && known.length == 0) {
      return List.of();
    }
    Set<Integer> labelIds = new TreeSet<>();
    for (int i = 0; known != null && i < known.length; i++) {
      labelIds.add(known[i]);
    }
    return List.of(position -> new Request.ScanEdges(labelIds, from, detail, position));
  }

  @Override
  public long countVertices(Set<String> labels, ReadView view) {
    ReadView from = stored(view);
    if (overlay(view) != null) {
      return count(scanVertices(labels, view));
    }
    return count(
        new PagedScan<>(
            router,
            vertexRanges(labels, from, Detail.KEYS),
            (page, e) -> variables.isHidden(page.owner(e)) ? null : page,
            List.of(),
            page -> {}));
  }

  @Override
  public long countEdges(Set<String> labels, ReadView view) {
    ReadView from = stored(view);
    if (overlay(view) != null) {
      return count(scanEdges(labels, view));
    }
    return count(
        new PagedScan<>(
            router,
            edgeRanges(labels, from, Detail.KEYS),
            (page, e) -> page,
            List.of(),
            page -> {}));
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

  @Override
  public String vertexLabel(long key) {
    String fresh = names.nameOfNew(NameKind.VERTEX_LABEL, VertexKeys.labelId(key));
    return fresh != null ? fresh : decoder.vertexLabel(key);
  }

  @Override
  public List<ElementVersion> vertexHistory(long key) {
    requireOpen();
    List<ElementVersion> versions = new ArrayList<>();
    reads.vertices(
        new long[] {key},
        snapshot,
        Detail.HISTORY,
        (page, e, position) -> HistoryDecoder.decode(decoder, page, e, versions));
    return HistoryDecoder.newestFirst(versions);
  }

  @Override
  public List<ElementVersion> edgeHistory(EdgeKey key) {
    requireOpen();
    List<ElementVersion> versions = new ArrayList<>();
    reads.edges(
        List.of(key),
        snapshot,
        Detail.HISTORY,
        (page, e, position) -> HistoryDecoder.decode(decoder, page, e, versions));
    return HistoryDecoder.newestFirst(versions);
  }

  @Override
  public long[] vertexKeys(Collection<String> ids) {
    requireOpen();
    limits.checkFrontier(ids.size());
    long[] keys = reads.vertexKeys(List.copyOf(ids));
    limits.checkFrontier(keys.length);
    return keys;
  }

  @Override
  public long[] incarnations(String id) {
    requireOpen();
    long generated = GeneratedIds.parseVertex(id);
    long[] given = generated == 0 ? reads.incarnations(id) : new long[] {generated};
    // What is not committed, or was later than the snapshot, never was.
    boolean[] there = new boolean[given.length];
    reads.vertices(given, snapshot, Detail.BODIES, (page, e, position) -> there[position] = true);
    return IntStream.range(0, given.length)
        .filter(i -> there[i])
        .mapToLong(i -> given[i])
        .toArray();
  }

  @Override
  public long addVertex(
      @Nullable String id, String label, Map<String, ?> properties, long validStamp) {
    requireOpen();
    return elementWrites.addVertex(id, label, properties, validStamp);
  }

  @Override
  public EdgeKey addEdge(
      @Nullable String id,
      long out,
      String label,
      long in,
      Map<String, ?> properties,
      long validStamp) {
    requireOpen();
    return elementWrites.addEdge(id, out, label, in, properties, validStamp);
  }

  @Override
  public PropertyRecord setVertexProperty(
      long vertex,
      String key,
      Object value,
      Cardinality cardinality,
      Map<String, ?> meta,
      @Nullable String userId,
      long validStamp) {
    requireOpen();
    return elementWrites.setVertexProperty(
        vertex, key, value, cardinality, meta, userId, validStamp);
  }

  @Override
  public PropertyRecord setMetaProperties(
      long vertex, String key, long valueId, Map<String, ?> meta, long validStamp) {
    requireOpen();
    return elementWrites.setMetaProperties(vertex, key, valueId, meta, validStamp);
  }

  @Override
  public void removeVertexProperty(long vertex, String key, long valueId, long validStamp) {
    requireOpen();
    elementWrites.removeVertexProperty(vertex, key, valueId, validStamp);
  }

  @Override
  public PropertyRecord setEdgeProperty(EdgeKey edge, String key, Object value, long validStamp) {
    requireOpen();
    return elementWrites.setEdgeProperty(edge, key, value, validStamp);
  }

  @Override
  public void removeEdgeProperty(EdgeKey edge, String key, long validStamp) {
    requireOpen();
    elementWrites.removeEdgeProperty(edge, key, validStamp);
  }

  @Override
  public void removeVertex(long vertex, long validStamp) {
    requireOpen();
    elementWrites.removeVertex(vertex, validStamp);
  }

  @Override
  public void removeEdge(EdgeKey edge, long validStamp) {
    requireOpen();
    elementWrites.removeEdge(edge, validStamp);
  }

  @Override
  public Map<String, Object> variables(ReadView view) {
    requireOpen();
    return variables.read(view);
  }

  @Override
  public void setVariable(String name, Object value) {
    requireOpen();
    variables.set(name, value);
  }

  @Override
  public void removeVariable(String name) {
    requireOpen();
    variables.remove(name);
  }

  @Override
  public String propertyId(long vertex, PropertyRecord property) {
    if (property.userId() != null) {
      return property.userId();
    }
    int keyId = names.id(NameKind.PROPERTY_KEY, property.key());
    return GeneratedIds.ofProperty(vertex, keyId, property.valueId());
  }

  @Override
  public PlanCursor run(Plan plan, Seeds seeds, ReadView view, Engine engine) {
    ReadView from = stored(view);
    if (overlay(view) != null) {
      throw GraphMetaException.invalid(
          "A plan was to be run in a transaction with writes, at the view that includes them;"
              + " expected a transaction without, or a view of the past");
    }
    return traversals.run(plan, seeds, from, engine);
  }

  @Override
  public boolean hasWrites() {
    return !writes.isEmpty();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public long commit() {
    requireOpen();
    open = false;
    if (writes.isEmpty()) {
      return snapshot.knownAt();
    }
    return new TransactionCommit(
            router, writes, names, snapshot, reads, decoder, limits.splitThreshold())
        .run();
  }

  @Override
  public void rollback() {
    open = false;
  }

  @Override
  public void close() {
    open = false;
  }
}
