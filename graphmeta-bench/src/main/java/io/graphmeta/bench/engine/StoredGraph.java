package io.graphmeta.bench.engine;

import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Writes the edges of a graph as the rows that transactions would leave behind, without the
 * transactions: what is measured here is reading. Stamps are those of steps of a history, one step
 * for each version.
 */
final class StoredGraph {
  static final int LABEL = 1;
  private static final int PROPERTY_KEY = 1;
  private static final int BATCH_BYTES = 4 << 20;
  private static final long FIRST_STAMP = 1L << 60;

  private final StorageEngine storage;
  private final RMatGraph graph;
  private final int payloadBytes;
  private final SplittableRandom random = new SplittableRandom(5);
  private final RowBatch batch = new RowBatch(BATCH_BYTES + 4096);

  StoredGraph(StorageEngine storage, RMatGraph graph, int payloadBytes) {
    this.storage = storage;
    this.graph = graph;
    this.payloadBytes = payloadBytes;
  }

  static long vertexKey(int number) {
    return VertexKeys.pack(1, number + 1L, (int) (number * 0x9E37_79B9L >>> 22) & 1023);
  }

  /** The stamp of a step of the history; step 0 is the first version of everything. */
  static long stamp(int step) {
    return FIRST_STAMP + ((long) step << 32);
  }

  /** Writes each edge once. */
  void writeEdges() {
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      putEdge(edge, edge + 1L, stamp(0));
    }
    flush();
  }

  /**
   * Writes the edges of their sources once more, without properties, into the family of entering
   * edges: a table of the topology as seen from the sources, in a store of its own.
   */
  void writeTopology() {
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      ByteWriter header = new ByteWriter(4);
      RowValues.writeBodyHeader(header, null);
      put(Family.IN, RowKeys.outBodySlot(key(edge, edge + 1L)), stamp(0), header);
    }
    flush();
  }

  /** Writes the edges of their sources alone. */
  void writeOutgoing() {
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      putOutgoing(key(edge, edge + 1L), stamp(0));
    }
    flush();
  }

  /** Writes a version of a property of each edge. */
  void writeProperties(int step) {
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      ByteWriter value = new ByteWriter(payloadBytes + 8);
      RowValues.writeProperty(value, null, payload(), Map.of(), false);
      put(Family.OUT, RowKeys.outSlot(key(edge, edge + 1L), PROPERTY_KEY), stamp(step), value);
    }
    flush();
  }

  /** Ends each edge and creates it again as another edge, which is what a new run does. */
  void writeAgain(int step) {
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      EdgeKey before = key(edge, sequence(edge, step - 1));
      ByteWriter tombstone = new ByteWriter(1).putByte(RowValues.TOMBSTONE);
      put(Family.OUT, RowKeys.outBodySlot(before), stamp(step), tombstone);
      put(Family.IN, RowKeys.inSlot(before), stamp(step), tombstone);
      putEdge(edge, sequence(edge, step), stamp(step));
    }
    flush();
  }

  private long sequence(int edge, int step) {
    return (long) step * graph.edgeCount() + edge + 1L;
  }

  private EdgeKey key(int edge, long sequence) {
    return new EdgeKey(
        vertexKey(graph.source(edge)), LABEL, vertexKey(graph.destination(edge)), sequence);
  }

  private void putEdge(int edge, long sequence, long stamp) {
    EdgeKey key = key(edge, sequence);
    ByteWriter header = new ByteWriter(4);
    RowValues.writeBodyHeader(header, null);
    put(Family.IN, RowKeys.inSlot(key), stamp, header);
    putOutgoing(key, stamp);
  }

  private void putOutgoing(EdgeKey key, long stamp) {
    ByteWriter body = new ByteWriter(payloadBytes + 16);
    RowValues.writeBodyHeader(body, null);
    ByteWriter value = new ByteWriter(payloadBytes + 8);
    RowValues.writeProperty(value, null, payload(), Map.of(), false);
    body.putVarInt(1).putVarInt(PROPERTY_KEY).putVarInt(value.size() - 1);
    body.putBytes(value.array(), 1, value.size() - 1);
    put(Family.OUT, RowKeys.outBodySlot(key), stamp, body);
  }

  /** Letters that no compression guesses. */
  private String payload() {
    char[] text = new char[payloadBytes];
    for (int i = 0; i < text.length; i++) {
      text[i] = (char) ('0' + random.nextInt(64));
    }
    return new String(text);
  }

  private void put(Family family, byte[] slot, long stamp, ByteWriter value) {
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    int length = RowKeys.appendStamps(key, slot.length, stamp, stamp);
    batch.put(family, key, length, value.array(), 0, value.size());
    if (batch.sizeBytes() >= BATCH_BYTES) {
      flush();
    }
  }

  private void flush() {
    storage.write(batch, Durability.BACKGROUND);
    batch.clear();
  }
}
