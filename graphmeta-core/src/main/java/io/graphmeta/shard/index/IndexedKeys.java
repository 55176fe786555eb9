package io.graphmeta.shard.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.codec.IndexRows;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which properties of which labels are indexed, so that changes of them are listed. Safe for use by
 * many threads.
 *
 * <p>A definition counts from when it is staged, before it is known whether its transaction
 * commits: what is appended behind it is listed. It counts until the follower has seen, at a
 * resolved stamp, that there is no such index. To list too much does no harm.
 */
public final class IndexedKeys {
  private static final BitSet[] NONE = {};

  @GuardedBy("this")
  private final Map<Long, IndexDefinition> definitions = new HashMap<>();

  /** By the id of a label of vertices: the ids of property keys. What is in it is not changed. */
  private volatile BitSet[] ofVertices = NONE;

  /** Likewise, by the id of a label of edges. */
  private volatile BitSet[] ofEdges = NONE;

  /** The greatest stamp that a row of a definition was staged with. */
  private volatile long newestStaged;

  /** How often the store was cleared. */
  private volatile int clears;

  /** Takes in what a store holds, dropped indexes too. */
  public synchronized void load(StorageEngine storage) {
    byte[] prefix = IndexRows.prefix();
    try (RowCursor cursor = storage.cursor(Family.META, Scope.FAMILY)) {
      for (boolean more = cursor.seek(prefix, prefix.length);
          more && IndexRows.isDefinition(cursor.key(), 0, cursor.keyLength());
          more = cursor.next()) {
        add(IndexRows.read(cursor.key(), cursor.keyLength(), cursor.value(), cursor.valueLength()));
        newestStaged = Math.max(newestStaged, IndexRows.stamp(cursor.key(), cursor.keyLength()));
      }
    }
    rebuild();
  }

  /**
   * A row is about to be appended.
   *
   * @param stamp of its transaction
   */
  public synchronized void stage(
      long stamp, byte[] rows, int slotAt, int slotLength, int valueAt, int valueLength) {
    byte[] prefix = IndexRows.prefix();
    String name =
        new String(
            rows, slotAt + prefix.length, slotLength - prefix.length, StandardCharsets.UTF_8);
    add(IndexRows.read(stamp, name, rows, valueAt, valueLength));
    rebuild();
    newestStaged = Math.max(newestStaged, stamp);
  }

  /** The store was cleared, with all definitions. */
  public synchronized void cleared() {
    clears++;
  }

  @GuardedBy("this")
  private void add(@Nullable IndexDefinition definition) {
    if (definition != null) {
      definitions.put(definition.number(), definition);
    }
  }

  @GuardedBy("this")
  private void rebuild() {
    ofVertices = keys(ElementKind.VERTEX);
    ofEdges = keys(ElementKind.EDGE);
  }

  @GuardedBy("this")
  private BitSet[] keys(ElementKind kind) {
    List<IndexDefinition> ofKind =
        definitions.values().stream().filter(each -> each.element() == kind).toList();
    if (ofKind.isEmpty()) {
      return NONE;
    }
    int most = ofKind.stream().mapToInt(IndexDefinition::labelId).max().orElse(0);
    BitSet[] keys = new BitSet[most + 1];
    for (IndexDefinition definition : ofKind) {
      BitSet ofLabel = keys[definition.labelId()];
      if (ofLabel == null) {
        ofLabel = new BitSet();
        keys[definition.labelId()] = ofLabel;
      }
      ofLabel.set(IndexDefinition.ID); // the body, which has the id and ends all
      ofLabel.set(definition.keyId());
    }
    return keys;
  }

  /**
   * Forgets definitions at and below a resolved stamp that are not there at it.
   *
   * @param present numbers of those that are
   */
  synchronized void retain(long resolved, Set<Long> present) {
    if (definitions.keySet().removeIf(number -> number <= resolved && !present.contains(number))) {
      rebuild();
    }
  }

  /** Whether nothing is indexed. */
  public boolean isEmpty() {
    return ofVertices.length == 0 && ofEdges.length == 0;
  }

  /**
   * The greatest stamp that a row of a definition was staged with. Who has read the definitions at
   * a resolved stamp that is not below it has seen all.
   */
  long newestStaged() {
    return newestStaged;
  }

  /** How often the store was cleared. */
  int clears() {
    return clears;
  }

  /** Whether a property of the vertices of a label is indexed; 0 for their bodies. */
  public boolean covers(int labelId, int propertyKeyId) {
    return covers(ofVertices, labelId, propertyKeyId);
  }

  /** Whether a property of the edges of a label is indexed; 0 for their bodies. */
  boolean coversEdges(int labelId, int propertyKeyId) {
    return covers(ofEdges, labelId, propertyKeyId);
  }

  private static boolean covers(BitSet[] keys, int labelId, int propertyKeyId) {
    return labelId < keys.length && keys[labelId] != null && keys[labelId].get(propertyKeyId);
  }

  /** The ids of the labels of edges of which a property is indexed. */
  IntStream edgeLabelIds() {
    BitSet[] keys = ofEdges;
    return IntStream.range(0, keys.length).filter(labelId -> keys[labelId] != null);
  }
}
