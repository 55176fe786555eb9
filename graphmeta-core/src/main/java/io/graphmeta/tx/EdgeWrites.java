package io.graphmeta.tx;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.time.Stamp;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes writes of edges into the {@link WriteBuffer}. Everything is checked before anything is
 * taken. Belongs to the thread of its transaction.
 */
final class EdgeWrites {
  private final Router router;
  private final WriteBuffer writes;
  private final WriteGate gate;
  private final Lifetimes lifetimes;
  private final LifetimeRules rules;
  private final GivenIds ids;
  private final EdgeEnds ends;
  private final TransactionNames names;

  EdgeWrites(
      Router router,
      WriteBuffer writes,
      WriteGate gate,
      Lifetimes lifetimes,
      LifetimeRules rules,
      GivenIds ids,
      EdgeEnds ends,
      TransactionNames names) {
    this.router = router;
    this.writes = writes;
    this.gate = gate;
    this.lifetimes = lifetimes;
    this.rules = rules;
    this.ids = ids;
    this.ends = ends;
    this.names = names;
  }

  EdgeKey add(
      @Nullable String id, long out, String label, long in, Map<String, ?> properties, long valid) {
    gate.begin(WriteGate.ELEMENT_BYTES);
    gate.label(label);
    rules.requirePast(valid);
    Map<String, Object> checked = gate.values(properties);
    if (id != null) {
      gate.elementId(id);
    }
    boolean isOutLater = ends.canAskLater(out, valid);
    boolean isInLater = ends.canAskLater(in, valid);
    if (!isOutLater) {
      rules.requireVertex(out, valid);
    }
    if (!isInLater) {
      rules.requireVertex(in, valid);
    }
    String asked = id == null || ids.canAskEdgeLater(id, valid) ? null : id;
    List<EdgeKey> earlier = asked == null ? List.of() : ids.earlierEdges(asked);
    EdgeKey extended = asked == null ? null : extended(asked, out, label, in, earlier, valid);
    gate.take();
    if (extended != null) {
      PendingElement edge = writes.edge(extended);
      (edge != null ? edge : writes.existingEdge(extended, id, label)).addBody(valid, id, checked);
      lifetimes.extend(extended, valid);
      return extended;
    }
    int labelId = names.id(NameKind.EDGE_LABEL, label);
    EdgeKey key = new EdgeKey(out, labelId, in, router.newSequence(out));
    PendingElement edge = new PendingElement(true, id, label);
    edge.addBody(valid, id, checked);
    writes.createEdge(key, edge, earlier);
    if (valid != Stamp.AT_COMMIT) {
      endWithVertices(key);
    }
    if (id != null && asked == null) {
      ids.askEdgeLater(id);
    }
    if (isOutLater) {
      ends.askLater(out);
    }
    if (isInLater) {
      ends.askLater(in);
    }
    return key;
  }

  /** An edge of the past ends with the first of its vertices that has ended. */
  private void endWithVertices(EdgeKey key) {
    long end = Math.min(lifetimes.ofVertex(key.out()).end(), lifetimes.ofVertex(key.in()).end());
    if (end != Stamp.MAX) {
      long valid = end == Lifetimes.END_AT_COMMIT ? Stamp.AT_COMMIT : end;
      writes.endEdge(key, valid);
      lifetimes.end(key, valid);
    }
  }

  /** The edge with the id that is to begin earlier; null if a new one is to be made. */
  private @Nullable EdgeKey extended(
      String id, long out, String label, long in, List<EdgeKey> earlier, long valid) {
    EdgeKey behind = ids.edgeBehind(id, earlier, valid);
    if (behind != null
        && (behind.out() != out
            || behind.in() != in
            || behind.labelId() != names.id(NameKind.EDGE_LABEL, label))) {
      throw GraphMetaException.invalid(
          "Edge '"
              + id
              + "' joins other vertices or has another label from "
              + Stamp.format(lifetimes.ofEdge(behind).begin())
              + " on and cannot begin earlier between these");
    }
    return behind;
  }

  PropertyRecord setProperty(EdgeKey edge, String key, Object value, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    rules.requirePast(valid);
    Object checked = gate.value(key, value);
    rules.requireEdge(edge, valid);
    gate.take();
    PropertyRecord property =
        PropertyRecord.single(key, checked, PendingElement.comparable(valid), Stamp.MAX);
    pending(edge).change(key, 0, valid, property);
    return property;
  }

  void removeProperty(EdgeKey edge, String key, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    gate.key(key);
    rules.requirePast(valid);
    rules.requireEdge(edge, valid);
    gate.take();
    pending(edge).change(key, 0, valid, null);
  }

  void remove(EdgeKey edge, long valid) {
    rules.requirePast(valid);
    rules.requireEdge(edge, valid);
    rules.requireEdgeEnds(edge, valid);
    removeExisting(edge, valid);
  }

  /** Deletes an edge that exists at a valid stamp and not behind it. */
  void removeExisting(EdgeKey edge, long valid) {
    PendingElement written = writes.edge(edge);
    if (written != null && written.isNeverSeen(valid)) {
      writes.cancelEdge(edge);
      ends.takenBack();
      lifetimes.forget(edge);
      return;
    }
    gate.take(WriteGate.CHANGE_BYTES);
    pending(edge).delete(valid);
    lifetimes.end(edge, valid);
  }

  /** What the transaction has written to an edge, to write more to it. */
  private PendingElement pending(EdgeKey edge) {
    PendingElement written = writes.edge(edge);
    return written != null
        ? written
        : writes.existingEdge(
            edge, null, router.schema().name(NameKind.EDGE_LABEL, edge.labelId()));
  }
}
