package io.graphmeta.tx;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.StoredElements;
import io.graphmeta.records.VertexTimes;
import io.graphmeta.schema.NameKind;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.traversal.TraversalClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one implementation of {@link GraphTransaction}: puts the parts of a transaction together and
 * passes each call to the part that answers it, as long as the transaction is open. Reads go to
 * {@link SnapshotReads}, which lay the {@link Overlay} of its writes over what is stored; writes go
 * to {@link ElementWrites}, which check them and take them into the {@link WriteBuffer}; {@link
 * TransactionCommit} sends the buffer to the shards.
 */
final class BufferedTransaction implements GraphTransaction {
  private final StoredElements stored;
  private final TraversalClient traversals;
  private final TransactionLimits limits;
  private final Views views;
  private final SnapshotReads reads;
  private @Nullable Writing writing; // made with the first write: most transactions only read

  /** The writing side: what is written, the names it is written with, and who checks it. */
  private record Writing(WriteBuffer buffer, TransactionNames names, ElementWrites writes) {}

  BufferedTransaction(StoredElements stored, TraversalClient traversals, TransactionLimits limits) {
    this.stored = stored;
    this.traversals = traversals;
    this.limits = limits;
    this.views = new Views(stored.router());
    this.reads = new SnapshotReads(stored, views, limits);
  }

  /** The writing side, as long as the transaction is open. */
  private ElementWrites writes() {
    views.requireOpen();
    return writing().writes;
  }

  private Writing writing() {
    Writing made = writing;
    if (made == null) {
      WriteBuffer buffer = new WriteBuffer(limits.maxBytes());
      TransactionNames names = new TransactionNames(stored.router());
      ElementWrites writes = new ElementWrites(stored, reads, buffer, names, limits);
      reads.show(new Overlay(buffer, stored.decoder()), writes::settle);
      made = new Writing(buffer, names, writes);
      writing = made;
    }
    return made;
  }

  @Override
  public ReadView snapshot() {
    return views.snapshot();
  }

  @Override
  public ReadView view(@Nullable Long validAt, @Nullable Long knownAt) {
    return views.at(validAt, knownAt);
  }

  @Override
  public List<@Nullable VertexRecord> verticesById(Collection<String> ids, ReadView view) {
    return reads.verticesById(ids, view);
  }

  @Override
  public List<@Nullable VertexRecord> vertices(long[] keys, ReadView view) {
    return reads.vertices(keys, view);
  }

  @Override
  public List<@Nullable EdgeRecord> edgesById(Collection<String> ids, ReadView view) {
    return reads.edgesById(ids, view);
  }

  @Override
  public List<@Nullable EdgeRecord> edges(Collection<EdgeKey> keys, ReadView view) {
    return reads.edges(keys, view);
  }

  @Override
  public AdjacencyCursor expand(Expansion expansion, ReadView view) {
    return reads.expand(expansion, view);
  }

  @Override
  public ElementCursor<VertexRecord> scanVertices(
      Set<String> labels, @Nullable Condition where, ReadView view) {
    return reads.scanVertices(labels, where, view);
  }

  @Override
  public ElementCursor<VertexTimes> scanVertices(
      Set<String> labels, Condition where, ViewSpan views) {
    return reads.scanVertices(labels, where, views);
  }

  @Override
  public List<@Nullable VertexTimes> vertices(long[] keys, ViewSpan views) {
    return reads.vertices(keys, views);
  }

  @Override
  public ElementCursor<EdgeRecord> scanEdges(
      Set<String> labels, @Nullable Condition where, ReadView view) {
    return reads.scanEdges(labels, where, view);
  }

  @Override
  public long countVertices(Set<String> labels, ReadView view) {
    return reads.countVertices(labels, view);
  }

  @Override
  public long countEdges(Set<String> labels, ReadView view) {
    return reads.countEdges(labels, view);
  }

  @Override
  public PlanCursor run(Plan plan, Seeds seeds, ReadView view, Engine engine, Demand demand) {
    return traversals.run(plan, seeds, reads.ofPlan(view), engine, demand);
  }

  @Override
  public String vertexLabel(long key) {
    Writing made = writing;
    return made == null ? stored.decoder().vertexLabel(key) : made.names.vertexLabel(key);
  }

  @Override
  public List<ElementVersion> vertexHistory(long key) {
    return reads.vertexHistory(key);
  }

  @Override
  public List<ElementVersion> edgeHistory(EdgeKey key) {
    return reads.edgeHistory(key);
  }

  @Override
  public long[] vertexKeys(Collection<String> ids) {
    return reads.vertexKeys(ids);
  }

  @Override
  public long[] incarnations(String id) {
    return reads.incarnations(id);
  }

  @Override
  public void lookUpIds(Collection<String> vertexIds, Collection<String> edgeIds) {
    writes().ids().lookUp(vertexIds, edgeIds);
  }

  @Override
  public long addVertex(
      @Nullable String id, String label, Map<String, ?> properties, long validStamp) {
    return writes().vertices().add(id, label, properties, validStamp);
  }

  @Override
  public EdgeKey addEdge(
      @Nullable String id,
      long out,
      String label,
      long in,
      Map<String, ?> properties,
      long validStamp) {
    return writes().edges().add(id, out, label, in, properties, validStamp);
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
    return writes().properties().set(vertex, key, value, cardinality, meta, userId, validStamp);
  }

  @Override
  public PropertyRecord setMetaProperties(
      long vertex, String key, long valueId, Map<String, ?> meta, long validStamp) {
    return writes().properties().setMeta(vertex, key, valueId, meta, validStamp);
  }

  @Override
  public void removeVertexProperty(long vertex, String key, long valueId, long validStamp) {
    writes().properties().remove(vertex, key, valueId, validStamp);
  }

  @Override
  public PropertyRecord setEdgeProperty(EdgeKey edge, String key, Object value, long validStamp) {
    return writes().edges().setProperty(edge, key, value, validStamp);
  }

  @Override
  public void removeEdgeProperty(EdgeKey edge, String key, long validStamp) {
    writes().edges().removeProperty(edge, key, validStamp);
  }

  @Override
  public void removeVertex(long vertex, long validStamp) {
    writes().vertices().remove(vertex, validStamp);
  }

  @Override
  public void removeEdge(EdgeKey edge, long validStamp) {
    writes().edges().remove(edge, validStamp);
  }

  @Override
  public Map<String, Object> variables(ReadView view) {
    return writes().variables().read(view);
  }

  @Override
  public void setVariable(String name, Object value) {
    writes().variables().set(name, value);
  }

  @Override
  public void removeVariable(String name) {
    writes().variables().remove(name);
  }

  @Override
  public String propertyId(long vertex, PropertyRecord property) {
    if (property.userId() != null) {
      return property.userId();
    }
    int keyId = writing().names.id(NameKind.PROPERTY_KEY, property.key());
    return GeneratedIds.ofProperty(vertex, keyId, property.valueId());
  }

  @Override
  public boolean hasWrites() {
    return writing != null && !writing.buffer.isEmpty();
  }

  @Override
  public boolean isOpen() {
    return views.isOpen();
  }

  @Override
  public long commit() {
    views.requireOpen();
    views.end();
    Writing made = writing;
    if (made == null || made.buffer.isEmpty()) {
      return views.snapshot().knownAt();
    }
    made.writes.settle();
    return new TransactionCommit(
            stored, made.buffer, made.names, views.snapshot(), limits.splitThreshold())
        .run();
  }

  @Override
  public void rollback() {
    views.end();
  }

  @Override
  public void close() {
    views.end();
  }
}
