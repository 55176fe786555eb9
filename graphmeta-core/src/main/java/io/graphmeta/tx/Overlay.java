package io.graphmeta.tx;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.records.SlotResolver;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a transaction as its own reads see them: stored elements with their changes,
 * without those that it has deleted, and the elements that it has created. What was written at a
 * stamp in the past shows in the present, if nothing later stands over it. Belongs to the thread of
 * its transaction.
 */
final class Overlay {
  private final WriteBuffer writes;
  private final RecordDecoder decoder;

  Overlay(WriteBuffer writes, RecordDecoder decoder) {
    this.writes = writes;
    this.decoder = decoder;
  }

  /** True if the transaction has written nothing. */
  boolean isEmpty() {
    return writes.isEmpty();
  }

  // Stored elements

  /** A stored vertex with its changes; null if it was deleted. */
  @Nullable VertexRecord vertex(ElementPage page, int e) {
    PendingElement pending = writes.vertex(page.owner(e));
    return pending != null && pending.isDeleted()
        ? null
        : decoder.vertex(page, e, PendingElement.changes(pending, Stamp.MAX));
  }

  /** The keys of the stored vertices of some labels that this transaction has changed. */
  List<Long> changedVertices(int[] labelIds) {
    List<Long> changed = new ArrayList<>();
    writes
        .vertices()
        .forEach(
            (key, pending) -> {
              if (isChanged(pending, labelIds, VertexKeys.labelId(key))) {
                changed.add(key);
              }
            });
    return changed;
  }

  /** The keys of the stored edges of some labels that this transaction has changed. */
  List<EdgeKey> changedEdges(int[] labelIds) {
    List<EdgeKey> changed = new ArrayList<>();
    writes
        .edges()
        .forEach(
            (key, pending) -> {
              if (isChanged(pending, labelIds, key.labelId())) {
                changed.add(key);
              }
            });
    return changed;
  }

  private static boolean isChanged(PendingElement pending, int[] labelIds, int labelId) {
    return !pending.isCreated()
        && !pending.isDeleted()
        && Arrays.binarySearch(labelIds, labelId) >= 0;
  }

  /** A stored edge with its changes, read at its source; null if it was deleted. */
  @Nullable EdgeRecord edge(ElementPage page, int e) {
    PendingElement pending = writes.edge(RecordDecoder.edgeKey(page, e, true));
    return pending != null && pending.isDeleted()
        ? null
        : decoder.edge(page, e, true, true, PendingElement.changes(pending, Stamp.MAX));
  }

  /** True if something was written to any edge. */
  boolean hasEdges() {
    return !writes.edges().isEmpty();
  }

  /** True if an edge was deleted. */
  boolean isDeleted(EdgeKey key) {
    PendingElement pending = writes.edge(key);
    return pending != null && pending.isDeleted();
  }

  /** What offers the changes of an edge; null if it was not changed. */
  @Nullable Consumer<SlotResolver> changes(EdgeKey key) {
    return PendingElement.changes(writes.edge(key), Stamp.MAX);
  }

  // Created elements

  /** The vertex that this transaction has created with a key and that exists, or null. */
  @Nullable VertexRecord newVertex(long key) {
    PendingElement pending = writes.newVertex(key);
    return pending == null ? null : record(key, pending);
  }

  /**
   * The key of the vertex that this transaction has created with an id and that exists, or null.
   */
  @Nullable Long newVertexWithId(String id) {
    for (Long key : writes.verticesWithId(id)) {
      if (writes.newVertex(key) != null) {
        return key;
      }
    }
    return null;
  }

  /**
   * The vertices that this transaction has created, with one of some labels; of all labels if none
   * is given. Without that of the variables.
   */
  List<VertexRecord> newVertices(Set<String> labels) {
    List<VertexRecord> found = new ArrayList<>();
    writes
        .vertices()
        .forEach(
            (key, pending) -> {
              if (writes.newVertex(key) != null
                  && !VariablesVertex.isLabel(pending.label())
                  && (labels.isEmpty() || labels.contains(pending.label()))) {
                found.add(record(key, pending));
              }
            });
    return found;
  }

  private static VertexRecord record(long key, PendingElement pending) {
    SlotResolver slots = new SlotResolver();
    pending.offerTo(slots, Stamp.MAX);
    return new VertexRecord(
        key, pending.givenId(), pending.label(), slots.resolve(), pending.firstValid(), Stamp.MAX);
  }

  /** The edge that this transaction has created with a key and that exists, or null. */
  @Nullable EdgeRecord newEdge(EdgeKey key) {
    PendingElement pending = writes.newEdge(key);
    return pending == null ? null : record(key, pending);
  }

  /** The key of the edge that this transaction has created with an id and that exists, or null. */
  @Nullable EdgeKey newEdgeWithId(String id) {
    for (EdgeKey key : writes.edgesWithId(id)) {
      if (writes.newEdge(key) != null) {
        return key;
      }
    }
    return null;
  }

  /**
   * The edges that this transaction has created, with one of some labels; of all labels if none is
   * given.
   */
  List<EdgeRecord> newEdges(Set<String> labels) {
    List<EdgeRecord> found = new ArrayList<>();
    for (EdgeKey key : writes.newEdgeKeys()) {
      PendingElement pending = Objects.requireNonNull(writes.edge(key));
      if (labels.isEmpty() || labels.contains(pending.label())) {
        found.add(record(key, pending));
      }
    }
    return found;
  }

  /** True if this transaction has created an edge. */
  boolean hasNewEdges() {
    return writes.hasNewEdges();
  }

  /** The edges that this transaction has created at a vertex, oldest first. */
  List<EdgeKey> newEdges(long vertex, boolean outgoing) {
    return List.copyOf(writes.newEdges(vertex, outgoing));
  }

  /** True if an edge that this transaction has created exists and has one of some labels. */
  boolean isNewEdge(EdgeKey key, Set<String> labels) {
    PendingElement edge = writes.newEdge(key);
    return edge != null && (labels.isEmpty() || labels.contains(edge.label()));
  }

  /** An edge that this transaction has created, also if it was deleted since. */
  EdgeRecord createdEdge(EdgeKey key) {
    return record(key, Objects.requireNonNull(writes.edge(key)));
  }

  private static EdgeRecord record(EdgeKey key, PendingElement pending) {
    SlotResolver slots = new SlotResolver();
    pending.offerTo(slots, Stamp.MAX);
    return new EdgeRecord(
        key, pending.givenId(), pending.label(), slots.resolve(), pending.firstValid(), Stamp.MAX);
  }
}
