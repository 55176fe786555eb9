package io.graphmeta.tx;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexSide;
import io.graphmeta.placement.SplitState;
import io.graphmeta.protocol.Scope;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.router.CommitPart;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns the pending writes of a transaction into rows, and into the scopes that make it conflict
 * with others; each row and scope to the shard of the vertex or id that it belongs to.
 *
 * <p>What conflicts, and nothing else: giving the same id; changing the same property of the same
 * element (adding values to a list does not, nor adding different values to a set); deleting an
 * element that another changes existence of; using a vertex as the end of a new edge while another
 * deletes it. Belongs to the thread of its transaction.
 */
final class CommitBuilder {
  private final Router router;
  private final WriteBuffer writes;
  private final TransactionNames names;
  private final long snapshot;
  private final int splitThreshold;

  /** The partitions of new vertices that begin with many edges. */
  private final Map<VertexSide, SplitState> spread = new HashMap<>();

  private final Part[] parts;

  /** The existing vertex that was checked and marked last as the end of a new edge. */
  private long usedLast;

  private final ByteWriter value = new ByteWriter(512);
  private final ByteWriter part = new ByteWriter(256);

  /** For the writes of a transaction with a snapshot. */
  CommitBuilder(
      Router router,
      WriteBuffer writes,
      TransactionNames names,
      long snapshot,
      int splitThreshold) {
    this.splitThreshold = splitThreshold;
    this.router = router;
    this.writes = writes;
    this.names = names;
    this.snapshot = snapshot;
    this.parts = new Part[router.shards()];
  }

  /** What one shard gets, with the scopes in words for the case of a conflict. */
  static final class Part {
    private final int shard;
    private final StagedRows rows;
    private final List<Scope> checks = new ArrayList<>();
    private long[] marks = new long[16];
    private int markCount;

    Part(int shard, int expectedBytes) {
      this.shard = shard;
      this.rows = new StagedRows(expectedBytes);
    }

    Scope check(int position) {
      return checks.get(position);
    }

    CommitPart toSend() {
      long[] hashes = new long[checks.size()];
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = checks.get(i).hash();
      }
      return new CommitPart(shard, rows, hashes, Arrays.copyOf(marks, markCount));
    }

    private void check(Scope scope) {
      checks.add(scope);
    }

    private void mark(Scope scope) {
      if (markCount == marks.length) {
        marks = Arrays.copyOf(marks, markCount * 2);
      }
      marks[markCount++] = scope.hash();
    }

    private void exclusive(Scope scope) {
      check(scope);
      mark(scope);
    }
  }

  /** The parts of the shards that get one. */
  List<Part> parts() {
    List<Part> made = new ArrayList<>(parts.length);
    for (Part part : parts) {
      if (part != null) {
        made.add(part);
      }
    }
    return made;
  }

  private Part part(long vertex) {
    return partOf(parts.length == 1 ? 0 : router.home(vertex));
  }

  private Part partOf(int shard) {
    if (parts[shard] == null) {
      int elements = 1 + writes.vertices().size() + writes.edges().size();
      parts[shard] = new Part(shard, Math.min(1 << 20, 512 * elements / parts.length + 512));
    }
    return parts[shard];
  }

  CommitBuilder build() {
    if (parts.length > 1 && writes.edges().size() > splitThreshold) {
      writes.vertices().forEach(this::spread);
    }
    writes.vertexIds().forEach(this::giveVertexId);
    writes.edgeIds().forEach(this::giveEdgeId);
    writes.vertices().forEach(this::vertex);
    writes.edges().forEach(this::edge);
    return this;
  }

  /** Spreads the edges of a new vertex, if it has so many. */
  private void spread(long key, PendingElement vertex) {
    if (!vertex.isCreated()) {
      return;
    }
    for (boolean outgoing : new boolean[] {true, false}) {
      long[] others = writes.newNeighbours(key, outgoing);
      SplitState state = router.places().spread(key, others, splitThreshold);
      if (state.equals(router.places().initial())) {
        continue;
      }
      spread.put(new VertexSide(key, outgoing), state);
      for (int i = 0; i < state.size(); i++) {
        Part part = partOf(router.places().holder(key, state.partition(i)));
        for (int born = 1; born < state.size(); born++) {
          byte[] slot = SplitRows.slot(key, outgoing, state.partition(born));
          part.rows.add(Family.SPLITS, slot, 0, SplitRows.spreadValue(), 1);
        }
      }
    }
  }

  private void vertex(long key, PendingElement vertex) {
    Part part = part(key);
    byte[] bodySlot = RowKeys.vertexBodySlot(key);
    if (vertex.isCreated()) {
      names.write(NameKind.VERTEX_LABEL, vertex.label());
    } else {
      part.check(Scope.vertex(key));
      if (vertex.hasChanges()) {
        part.mark(Scope.propertiesOf(key));
      }
    }
    for (PendingElement.Body body : vertex.bodies()) {
      writeBody(body.id(), body.properties());
      part.rows.add(Family.ATTRIBUTES, bodySlot, body.valid(), value.array(), value.size());
      if (!vertex.isCreated()) {
        part.mark(Scope.vertex(key));
      }
    }
    vertex.forEachChange(
        (name, valueId, valid, property) ->
            vertexProperty(part, key, name, valueId, valid, property));
    if (vertex.isDeleted()) {
      part.rows.add(Family.ATTRIBUTES, bodySlot, vertex.deletedValid(), RowValues.tombstone(), 1);
      part.check(Scope.propertiesOf(key)); // or one could be stamped after the end
      endOnAllShards(key);
    }
  }

  /**
   * Marks the end of a vertex on every shard where edges can be added to it. The check of the
   * newest split shows the home that this client knows of that split; the home refuses a commit
   * that does not. The state is read once, so that the shards and the check agree, also if another
   * thread learns of a split meanwhile.
   */
  private void endOnAllShards(long vertex) {
    BitSet shards = new BitSet();
    shards.set(router.home(vertex));
    for (boolean outgoing : new boolean[] {true, false}) {
      SplitState state = router.splits(vertex, outgoing);
      if (state.newest() > 0) {
        part(vertex).check(Scope.split(vertex, outgoing, state.newest()));
      }
      for (int i = 0; i < state.size(); i++) {
        shards.set(router.places().holder(vertex, state.partition(i)));
      }
    }
    shards.stream()
        .forEach(
            shard -> {
              Part part = partOf(shard);
              part.check(Scope.edgesOf(vertex));
              part.mark(Scope.vertex(vertex));
            });
  }

  private void giveVertexId(String id, List<Long> added) {
    ByteWriter keys = new ByteWriter(16);
    for (long earlier : writes.earlierVertices(id)) {
      keys.putLong(earlier);
    }
    added.forEach(keys::putLong);
    Part part = partOf(router.home(id));
    part.rows.addPlain(Family.IDS, RowKeys.vertexIdKey(id), keys.toArray());
    part.exclusive(Scope.vertexId(id));
  }

  private void giveEdgeId(String id, List<EdgeKey> added) {
    ByteWriter keys = new ByteWriter(RowKeys.EDGE_KEY_BYTES);
    writes
        .earlierEdges(id)
        .forEach(key -> keys.putBytes(RowKeys.edgeKeyBytes(key), 0, RowKeys.EDGE_KEY_BYTES));
    added.forEach(key -> keys.putBytes(RowKeys.edgeKeyBytes(key), 0, RowKeys.EDGE_KEY_BYTES));
    Part part = partOf(router.home(id));
    part.rows.addPlain(Family.IDS, RowKeys.edgeIdKey(id), keys.toArray());
    part.exclusive(Scope.edgeId(id));
  }

  private void vertexProperty(
      Part part,
      long vertex,
      String name,
      long valueId,
      long valid,
      @Nullable PropertyRecord property) {
    int keyId = names.write(NameKind.PROPERTY_KEY, name);
    propertyRow(
        part, Family.ATTRIBUTES, RowKeys.attributeSlot(vertex, keyId, valueId), valid, property);
    if (valueId == 0) {
      part.exclusive(Scope.singleValue(vertex, keyId));
      if (names.isMultiValued(name)) {
        part.check(Scope.values(vertex, keyId));
      }
    } else {
      part.check(Scope.singleValue(vertex, keyId));
      part.exclusive(Scope.oneValue(vertex, keyId, valueId));
      part.mark(Scope.values(vertex, keyId));
    }
    if (property != null && property.ofSet()) {
      part.exclusive(Scope.setValue(vertex, keyId, property.value()));
    }
  }

  private void edge(EdgeKey key, PendingElement edge) {
    Part out = entryPart(key.out(), true, key.in());
    Part in = entryPart(key.in(), false, key.out());
    byte[] outSlot = RowKeys.outBodySlot(key);
    byte[] inSlot = RowKeys.inSlot(key);
    if (edge.isCreated()) {
      names.write(NameKind.EDGE_LABEL, edge.label());
      useAsEnd(out, key.out(), true, key.in());
      useAsEnd(in, key.in(), false, key.out());
    } else {
      out.check(Scope.edge(key));
      if (edge.hasChanges()) {
        out.mark(Scope.propertiesOf(key));
      }
      if (!edge.bodies().isEmpty() && parts.length > 1) {
        requireUnmoved(key);
      }
    }
    for (PendingElement.Body body : edge.bodies()) {
      writeBody(body.id(), body.properties());
      out.rows.add(Family.OUT, outSlot, body.valid(), value.array(), value.size());
      in.rows.add(
          Family.IN,
          inSlot,
          body.valid(),
          value.array(),
          RowValues.bodyHeaderLength(value.array(), value.size()));
    }
    edge.forEachChange(
        (name, valueId, valid, property) -> {
          int keyId = names.write(NameKind.PROPERTY_KEY, name);
          propertyRow(out, Family.OUT, RowKeys.outSlot(key, keyId), valid, property);
          out.exclusive(Scope.edgeProperty(key, keyId));
        });
    Long end = edge.isDeleted() ? Long.valueOf(edge.deletedValid()) : writes.endOfEdge(key);
    if (end != null) {
      out.rows.add(Family.OUT, outSlot, end, RowValues.tombstone(), 1);
      in.rows.add(Family.IN, inSlot, end, RowValues.tombstone(), 1);
      out.check(Scope.propertiesOf(key));
      out.mark(Scope.edge(key));
    }
  }

  /**
   * Refuses to change an edge of which an entry was moved after the snapshot. Changes of the edge
   * before the move were marked on the shard that held the entry then, which is not asked.
   */
  private void requireUnmoved(EdgeKey key) {
    long since =
        Math.max(
            router.entrySince(key.out(), true, key.in()),
            router.entrySince(key.in(), false, key.out()));
    if (since > snapshot) {
      router.saw(since); // the next transaction begins behind it
      throw new GraphMetaException(
          ErrorCode.SNAPSHOT_TOO_OLD,
          "Edge "
              + GeneratedIds.ofEdge(key)
              + " was moved to another shard at "
              + Stamp.format(since)
              + ", after the transaction began; run it again");
    }
  }

  private Part entryPart(long owner, boolean outgoing, long other) {
    if (parts.length == 1) {
      return partOf(0);
    }
    SplitState spreadNow = spread.isEmpty() ? null : spread.get(new VertexSide(owner, outgoing));
    return partOf(
        spreadNow == null
            ? router.entryShard(owner, outgoing, other)
            : router.places().shard(spreadNow, owner, other));
  }

  /**
   * Checks on the shard of the entry that the vertex is not deleted; its deletion marks all. A
   * vertex of this transaction needs neither check nor mark: a transaction that could delete it
   * sees it in its snapshot, and so begins behind this commit.
   */
  private void useAsEnd(Part part, long vertex, boolean outgoing, long other) {
    PendingElement pending = writes.vertex(vertex);
    if (pending != null && pending.isCreated()) {
      return;
    }
    if (parts.length == 1) {
      if (usedLast != vertex) { // edges of one vertex are mostly added in a row
        usedLast = vertex;
        part.check(Scope.vertex(vertex));
        part.mark(Scope.edgesOf(vertex));
      }
      return;
    }
    part.check(Scope.vertex(vertex));
    part.mark(Scope.edgesOf(vertex));
    long since = router.entrySince(vertex, outgoing, other);
    if (since > snapshot) {
      part.check(Scope.split(vertex, outgoing, since));
      part(vertex).check(Scope.vertex(vertex)); // a deletion before the split is marked there
    }
  }

  private void writeBody(@Nullable String id, Map<String, Object> properties) {
    value.truncate(0);
    RowValues.writeBodyHeader(value, id);
    value.putVarInt(properties.size());
    properties.forEach(
        (name, property) -> {
          part.truncate(0);
          ValueCodec.write(part, property);
          value.putVarInt(names.write(NameKind.PROPERTY_KEY, name));
          value.putVarInt(part.size()).putBytes(part.array(), 0, part.size());
        });
  }

  private void propertyRow(
      Part part, Family family, byte[] slot, long valid, @Nullable PropertyRecord property) {
    value.truncate(0);
    if (property == null) {
      value.putByte(RowValues.TOMBSTONE);
    } else {
      Map<Integer, Object> meta = new LinkedHashMap<>();
      property
          .meta()
          .forEach(
              (name, metaValue) -> meta.put(names.write(NameKind.PROPERTY_KEY, name), metaValue));
      RowValues.writeProperty(value, property.userId(), property.value(), meta, property.ofSet());
    }
    part.rows.add(family, slot, valid, value.array(), value.size());
  }
}
