package io.graphmeta.router;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Ids for names that transactions of this client use and that are not defined yet. All transactions
 * find the same id for the same name, so that they do not conflict when they commit. The shards
 * know nothing of a name before a commit defines it with its id. A name is forgotten, the one used
 * longest ago first, when there is no other id left or when there are too many names; a transaction
 * that commits with an id that was forgotten is refused if another name has got the id. Safe for
 * use by many threads.
 */
final class NewNames {
  private static final int MAX_NAMES = 4096;

  @GuardedBy("this")
  private final EnumMap<NameKind, LinkedHashMap<String, Integer>> ids =
      new EnumMap<>(NameKind.class);

  NewNames() {
    for (NameKind kind : NameKind.values()) {
      ids.put(kind, new LinkedHashMap<>(16, 0.75f, true));
    }
  }

  /**
   * The id of a name: the one that it is defined with, or the least that is free.
   *
   * @param newest the schema, read with the lock held: a name that one thread forgets here because
   *     it is defined is found in the schema by the next thread
   */
  synchronized int id(Supplier<SchemaImage> newest, NameKind kind, String name) {
    SchemaImage schema = newest.get();
    int defined = schema.id(kind, name);
    if (defined != 0) {
      return defined;
    }
    Map<String, Integer> ofKind = ofKind(kind);
    Integer known = ofKind.get(name);
    if (known != null && !schema.has(kind, known)) {
      return known;
    }
    ofKind.values().removeIf(id -> schema.has(kind, id));
    if (ofKind.size() >= MAX_NAMES) {
      forgetOldest(ofKind);
    }
    int id = free(schema, kind);
    if (id > kind.maxId() && !ofKind.isEmpty()) {
      forgetOldest(ofKind);
      id = free(schema, kind);
    }
    if (id > kind.maxId()) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "'"
              + name
              + "' would be one more than the limit of "
              + kind.maxId()
              + " "
              + kind.plural()
              + "; use one that there is");
    }
    ofKind.put(name, id);
    return id;
  }

  @GuardedBy("this")
  private int free(SchemaImage schema, NameKind kind) {
    BitSet taken = new BitSet();
    ofKind(kind).values().forEach(taken::set);
    int id = taken.nextClearBit(1);
    while (schema.has(kind, id)) {
      id = taken.nextClearBit(id + 1);
    }
    return id;
  }

  private static void forgetOldest(Map<String, Integer> ofKind) {
    Iterator<Integer> oldest = ofKind.values().iterator();
    oldest.next();
    oldest.remove();
  }

  /** Forgets all of them. */
  synchronized void clear() {
    ids.values().forEach(Map::clear);
  }

  @GuardedBy("this")
  private Map<String, Integer> ofKind(NameKind kind) {
    return Objects.requireNonNull(ids.get(kind));
  }
}
