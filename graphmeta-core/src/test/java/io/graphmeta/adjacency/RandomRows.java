package io.graphmeta.adjacency;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a shard writes, at random: live vertices, edges and ids and backfills, deletions of both
 * kinds, bodies put twice, versions of properties, parts of transactions that lie open for a while
 * and are then committed or undone. One thread writes; {@link #resolved} is for all.
 */
public final class RandomRows {
  public static final int VERTICES = 12;
  private static final int LABELS = 3;
  private static final int MAX_OPEN = 3;
  private static final byte[] BODY = {0, 0};
  private static final byte[] IN_BODY = {0};
  private static final byte[] PROPERTY = {0, 2};

  private final StorageEngine storage;
  private final AdjacencyCache cache;
  private final Random random;
  private final List<EdgeKey> edges = new ArrayList<>();

  /** What undoes the parts whose outcome is open, by stamp. */
  private final TreeMap<Long, RowBatch> open = new TreeMap<>();

  /** What ids lead to. */
  private final Map<ByteBuffer, byte[]> leading = new HashMap<>();

  private RowBatch batch = new RowBatch(64);
  private RowBatch undo = new RowBatch(64);
  private long now = 100;
  private long sequence;
  private volatile long resolved = 100;

  /** Writes to a store, and tells a cache. */
  public RandomRows(StorageEngine storage, AdjacencyCache cache, Random random) {
    this.storage = storage;
    this.cache = cache;
    this.random = random;
  }

  /** The key of a vertex. */
  public static long vertex(int number) {
    return VertexKeys.pack(1 + number % 2, 1 + number / 2, number * 7);
  }

  /** The id that leads to a vertex, once it was written. */
  public static String id(int number) {
    return "id-" + number;
  }

  /** The id that leads to one of the first edges, once it was written. */
  public static String edgeId(int number) {
    return "edge-" + number;
  }

  /** Some edge that was written, or null. One thread, the one that writes. */
  public @Nullable EdgeKey edge(Random choice) {
    return edges.isEmpty() ? null : edges.get(choice.nextInt(edges.size()));
  }

  /** The newest stamp that a snapshot can have. */
  long resolved() {
    return resolved;
  }

  /** A view that can be asked for now, mostly the present. */
  public ReadView view(Random choice) {
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
  public void step() {
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
    if (random.nextInt(3) == 0) {
      writeOfVertex(random.nextInt(VERTICES));
      return;
    }
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
      if (edges.size() < VERTICES) {
        leadTo(RowKeys.edgeIdKey(edgeId(edges.size())), RowKeys.edgeKeyBytes(edge));
      }
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

  private void writeOfVertex(int number) {
    long vertex = vertex(number);
    int kind = random.nextInt(8);
    if (kind < 4) {
      byte[] body = {0, 1, (byte) (1 + random.nextInt(3)), 2, 3, (byte) random.nextInt(100)};
      put(Family.ATTRIBUTES, RowKeys.vertexBodySlot(vertex), valid(), body);
      byte[] key = new byte[8];
      BigEndian.putLong(key, 0, vertex);
      leadTo(RowKeys.vertexIdKey(id(number)), key);
    } else if (kind == 4) {
      byte[] slot = RowKeys.vertexBodySlot(vertex);
      put(Family.ATTRIBUTES, slot, valid(), RowValues.tombstone());
    } else {
      int valueId = random.nextInt(3);
      for (int versions = random.nextInt(12); versions >= 0; versions--) {
        put(
            Family.ATTRIBUTES,
            RowKeys.attributeSlot(vertex, 1 + random.nextInt(3), valueId),
            valid(),
            random.nextInt(4) == 0 ? RowValues.tombstone() : PROPERTY);
      }
    }
  }

  /** Lets an id lead to one more element, for good: nobody sees an element that is undone. */
  private void leadTo(byte[] id, byte[] element) {
    ByteBuffer key = ByteBuffer.wrap(id);
    byte[] stored = leading.getOrDefault(key, new byte[0]);
    byte[] more = Arrays.copyOf(stored, stored.length + element.length);
    System.arraycopy(element, 0, more, stored.length, element.length);
    leading.put(key, more);
    batch.put(Family.IDS, id, more);
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
    put(Family.OUT, RowKeys.outBodySlot(edge), valid, value);
    put(Family.IN, RowKeys.inSlot(edge), valid, value == BODY ? IN_BODY : value);
  }

  private void put(Family family, byte[] slot, long valid, byte[] value) {
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    byte[] whole = Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, valid, now));
    batch.put(family, whole, value);
    undo.delete(family, whole);
  }

  /** Removes everything. */
  public void clear() {
    storage.clear();
    cache.clear();
    edges.clear();
    leading.clear();
    open.clear();
    now++;
    resolved = now;
  }

  /** The number of edges of each kind that were written, for a failure. */
  Map<String, Integer> sizes() {
    return Map.of("edges", edges.size(), "open", open.size());
  }
}
