package io.graphmeta.tx;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns the pending writes of a transaction into rows, and into the scopes that make it conflict
 * with others.
 *
 * <p>What conflicts, and nothing else: giving the same id; changing the same property of the same
 * element (adding different values to a list does not); deleting an element that another changes
 * existence of; using a vertex as the end of a new edge while another deletes it. Belongs to the
 * thread of its transaction.
 */
final class CommitBuilder {
  private final Router router;
  private final WriteBuffer writes;
  private final StagedRows rows;
  private final List<Scope> checks = new ArrayList<>();
  private final ByteWriter value = new ByteWriter(512);
  private final ByteWriter part = new ByteWriter(256);
  private long[] marks = new long[16];
  private int markCount;

  CommitBuilder(Router router, WriteBuffer writes) {
    this.router = router;
    this.writes = writes;
    this.rows =
        new StagedRows(
            Math.min(1 << 20, 512 * (1 + writes.vertices().size() + writes.edges().size())));
  }

  StagedRows rows() {
    return rows;
  }

  List<Scope> checks() {
    return checks;
  }

  long[] checkHashes() {
    long[] hashes = new long[checks.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = checks.get(i).hash();
    }
    return hashes;
  }

  long[] marks() {
    return Arrays.copyOf(marks, markCount);
  }

  CommitBuilder build() {
    writes.vertexIds().forEach(this::giveVertexId);
    writes.edgeIds().forEach(this::giveEdgeId);
    writes.vertices().forEach(this::vertex);
    writes.edges().forEach(this::edge);
    return this;
  }

  private void vertex(long key, PendingElement vertex) {
    byte[] bodySlot = RowKeys.attributeSlot(key, RowKeys.BODY, 0);
    if (!vertex.isCreated()) {
      checks.add(Scope.vertex(key));
    }
    for (PendingElement.Body body : vertex.bodies()) {
      writeBody(body.id(), body.properties());
      rows.add(Family.ATTRIBUTES, bodySlot, body.valid(), value.array(), value.size());
      if (!vertex.isCreated()) {
        mark(Scope.vertex(key));
      }
    }
    vertex.forEachChange(
        (name, valueId, valid, property) -> vertexProperty(key, name, valueId, valid, property));
    if (vertex.isDeleted()) {
      rows.add(Family.ATTRIBUTES, bodySlot, vertex.deletedValid(), RowValues.tombstone(), 1);
      checks.add(Scope.edgesOf(key));
      mark(Scope.vertex(key));
    }
  }

  private void giveVertexId(String id, List<Long> added) {
    ByteWriter keys = new ByteWriter(16);
    for (long earlier : writes.earlierVertices(id)) {
      keys.putLong(earlier);
    }
    added.forEach(keys::putLong);
    rows.addPlain(Family.IDS, RowKeys.vertexIdKey(id), keys.toArray());
    exclusive(Scope.vertexId(id));
  }

  private void giveEdgeId(String id, List<EdgeKey> added) {
    ByteWriter keys = new ByteWriter(RowKeys.EDGE_KEY_BYTES);
    writes
        .earlierEdges(id)
        .forEach(key -> keys.putBytes(RowKeys.edgeKeyBytes(key), 0, RowKeys.EDGE_KEY_BYTES));
    added.forEach(key -> keys.putBytes(RowKeys.edgeKeyBytes(key), 0, RowKeys.EDGE_KEY_BYTES));
    rows.addPlain(Family.IDS, RowKeys.edgeIdKey(id), keys.toArray());
    exclusive(Scope.edgeId(id));
  }

  private void vertexProperty(
      long vertex, String name, long valueId, long valid, @Nullable PropertyRecord property) {
    int keyId = router.define(NameKind.PROPERTY_KEY, name);
    propertyRow(Family.ATTRIBUTES, RowKeys.attributeSlot(vertex, keyId, valueId), valid, property);
    if (valueId == 0) {
      exclusive(Scope.singleValue(vertex, keyId));
      if (router.schema().isMultiValued(name)) {
        checks.add(Scope.values(vertex, keyId));
      }
    } else {
      checks.add(Scope.singleValue(vertex, keyId));
      exclusive(Scope.oneValue(vertex, keyId, valueId));
      mark(Scope.values(vertex, keyId));
    }
  }

  private void edge(EdgeKey key, PendingElement edge) {
    byte[] outSlot = RowKeys.outSlot(key, RowKeys.BODY);
    byte[] inSlot = RowKeys.inSlot(key);
    if (edge.isCreated()) {
      useAsEnd(key.out());
      useAsEnd(key.in());
    } else {
      checks.add(Scope.edge(key));
    }
    for (PendingElement.Body body : edge.bodies()) {
      writeBody(body.id(), body.properties());
      rows.add(Family.OUT, outSlot, body.valid(), value.array(), value.size());
      rows.add(
          Family.IN,
          inSlot,
          body.valid(),
          value.array(),
          RowValues.bodyHeaderLength(value.array(), value.size()));
    }
    edge.forEachChange(
        (name, valueId, valid, property) -> {
          int keyId = router.define(NameKind.PROPERTY_KEY, name);
          propertyRow(Family.OUT, RowKeys.outSlot(key, keyId), valid, property);
          exclusive(Scope.edgeProperty(key, keyId));
        });
    Long end = edge.isDeleted() ? Long.valueOf(edge.deletedValid()) : writes.endOfEdge(key);
    if (end != null) {
      rows.add(Family.OUT, outSlot, end, RowValues.tombstone(), 1);
      rows.add(Family.IN, inSlot, end, RowValues.tombstone(), 1);
      mark(Scope.edge(key));
    }
  }

  private void useAsEnd(long vertex) {
    PendingElement pending = writes.vertex(vertex);
    if (pending == null || !pending.isCreated()) {
      checks.add(Scope.vertex(vertex));
    }
    mark(Scope.edgesOf(vertex));
  }

  private void writeBody(@Nullable String id, Map<String, Object> properties) {
    value.truncate(0);
    RowValues.writeBodyHeader(value, id);
    value.putVarInt(properties.size());
    properties.forEach(
        (name, property) -> {
          part.truncate(0);
          ValueCodec.write(part, property);
          value.putVarInt(router.define(NameKind.PROPERTY_KEY, name));
          value.putVarInt(part.size()).putBytes(part.array(), 0, part.size());
        });
  }

  private void propertyRow(
      Family family, byte[] slot, long valid, @Nullable PropertyRecord property) {
    value.truncate(0);
    if (property == null) {
      value.putByte(RowValues.TOMBSTONE);
    } else {
      Map<Integer, Object> meta = new LinkedHashMap<>();
      property
          .meta()
          .forEach(
              (name, metaValue) -> meta.put(router.define(NameKind.PROPERTY_KEY, name), metaValue));
      RowValues.writeProperty(value, property.userId(), property.value(), meta);
    }
    rows.add(family, slot, valid, value.array(), value.size());
  }

  private void exclusive(Scope scope) {
    checks.add(scope);
    mark(scope);
  }

  private void mark(Scope scope) {
    if (markCount == marks.length) {
      marks = Arrays.copyOf(marks, markCount * 2);
    }
    marks[markCount++] = scope.hash();
  }
}
