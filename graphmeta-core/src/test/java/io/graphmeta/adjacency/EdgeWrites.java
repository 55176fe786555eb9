package io.graphmeta.adjacency;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What a server writes of edges, at random: live edges and backfills, deletions of both kinds,
 * bodies put twice, versions of properties, parts of transactions that lie open for a while and are
 * then committed or undone. One thread writes; {@link #resolved} is for all.
 */
final class EdgeWrites {
  static final int VERTICES = 12;
  static final int LABELS = 3;
  private static final int MAX_OPEN = 3;
  private static final byte[] BODY = {0, 0};
  private static final byte[] PROPERTY = {0, 2};

  private final StorageEngine storage;
  private final AdjacencyCache cache;
  private final Random random;
  private final List<EdgeKey> edges = new ArrayList<>();

  /** What undoes the parts whose outcome is open, by stamp. */
  private final TreeMap<Long, RowBatch> open = new TreeMap<>();

  private RowBatch batch = new RowBatch(64);
  private RowBatch undo = new RowBatch(64);
  private long now = 100;
  private long sequence;
  private volatile long resolved = 100;

  EdgeWrites(StorageEngine storage, AdjacencyCache cache, Random random) {
    this.storage = storage;
    this.cache = cache;
    this.random = random;
  }

  static long vertex(int number) {
    return VertexKeys.pack(1 + number % 2, 1 + number / 2, number * 7);
  }

  /** The newest stamp that a snapshot can have. */
  long resolved() {
    return resolved;
  }

  /** A view that can be asked for now, mostly the present. */
  ReadView view(Random choice) {
    long newest = resolved;
    long known = choice.nextInt(3) > 0 ? newest : 1 + choice.nextLong(newest);
    long valid =
        switch (choice.nextInt(4)) {
          case 0 -> 1 + choice.nextLong(newest);
          case 1 -> Long.MAX_VALUE;
          default -> known;
        };
    return new ReadView(valid, known);
  }

  /** Writes a transaction, or ends one that is open. */
  void step() {
    if (open.size() == MAX_OPEN || (!open.isEmpty() && random.nextInt(3) == 0)) {
      endOne();
    } else {
      batch = new RowBatch(64);
      undo = new RowBatch(64);
      now += 1 + random.nextInt(3);
      for (int rows = 1 + random.nextInt(4); rows > 0; rows--) {
        writeOne();
      }
      apply(batch);
      if (random.nextInt(4) == 0) {
        open.put(now, undo);
      }
    }
    resolved = open.isEmpty() ? now : open.firstKey() - 1;
  }

  private void endOne() {
    List<Long> stamps = new ArrayList<>(open.keySet());
    RowBatch undoing = open.remove(stamps.get(random.nextInt(stamps.size())));
    if (undoing != null && random.nextBoolean()) {
      apply(undoing);
    }
  }

  private void apply(RowBatch written) {
    storage.write(written, Durability.BACKGROUND);
    cache.changed(written);
  }

  private void writeOne() {
    int kind = random.nextInt(10);
    if (kind < 4 || edges.isEmpty()) {
      EdgeKey edge =
          new EdgeKey(
              vertex(random.nextInt(VERTICES)),
              1 + random.nextInt(LABELS),
              vertex(random.nextInt(VERTICES)),
              ++sequence);
      edges.add(edge);
      putBodies(edge, BODY);
    } else if (kind < 6) {
      putBodies(anyEdge(), RowValues.tombstone());
    } else if (kind < 7) {
      putBodies(anyEdge(), BODY);
    } else {
      EdgeKey edge = anyEdge();
      for (int versions = random.nextInt(12); versions >= 0; versions--) {
        put(Family.OUT, RowKeys.outSlot(edge, 1 + random.nextInt(3)), valid(), PROPERTY);
      }
    }
  }

  private EdgeKey anyEdge() {
    int last = edges.size() - 1;
    return edges.get(
        random.nextBoolean()
            ? last - random.nextInt(Math.min(8, edges.size()))
            : random.nextInt(edges.size()));
  }

  private long valid() {
    return random.nextInt(4) == 0 ? 1 + random.nextLong(now) : now;
  }

  private void putBodies(EdgeKey edge, byte[] value) {
    long valid = valid();
    put(Family.OUT, RowKeys.outSlot(edge, RowKeys.BODY), valid, value);
    put(Family.IN, RowKeys.inSlot(edge), valid, value);
  }

  private void put(Family family, byte[] slot, long valid, byte[] value) {
    byte[] key = java.util.Arrays.copyOf(slot, slot.length + 16);
    byte[] whole = java.util.Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, valid, now));
    batch.put(family, whole, value);
    undo.delete(family, whole);
  }

  /** Removes everything. */
  void clear() {
    storage.clear();
    cache.clear();
    edges.clear();
    open.clear();
    now++;
    resolved = now;
  }

  /** The number of edges of each kind that were written, for a failure. */
  Map<String, Integer> sizes() {
    return Map.of("edges", edges.size(), "open", open.size());
  }
}
