package io.graphmeta.shard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The dictionaries as rows of META: {@code 'n' | kind 1 | id 2 -> flags 1 | name}. A definition is
 * as durable as asked for before it is answered; with one shard, where the log keeps order, it need
 * not be synced. Safe for use by many threads.
 */
final class SchemaStore {
  private static final int MULTI_VALUED = 1;

  private final ReplicationLog log;
  private final Durability durability;
  private final int maxNames;

  /** The definition appended last. */
  @GuardedBy("this")
  private CompletableFuture<Void> durable = CompletableFuture.completedFuture(null);

  @GuardedBy("this")
  private SchemaImage image;

  SchemaStore(StorageEngine storage, ReplicationLog log, Durability durability, int maxNames) {
    this.log = log;
    this.maxNames = maxNames;
    this.durability = durability;
    this.image = SchemaImage.of(load(storage));
  }

  /** The names, when all of them are durable. */
  synchronized CompletableFuture<SchemaImage> read() {
    SchemaImage read = image;
    return durable.thenApply(done -> read);
  }

  /** Defines names with their ids, all or none; those that are there with theirs stay. */
  synchronized CompletableFuture<SchemaImage> define(SchemaImage wanted) {
    List<SchemaName> entries = new ArrayList<>(image.entries());
    List<SchemaName> changed = new ArrayList<>();
    int[] added = new int[NameKind.values().length];
    for (SchemaName name : wanted.entries()) {
      name.kind().check(name.name());
      if (image.id(name.kind(), name.name()) == 0) {
        requireFree(name);
        requireRoom(name, image.count(name.kind()) + ++added[name.kind().ordinal()]);
        entries.add(name);
        changed.add(name);
      } else {
        requireSame(name);
        if (name.multiValued() && !image.isMultiValued(name.name())) {
          entries.replaceAll(
              each -> each.kind() == name.kind() && each.id() == name.id() ? name : each);
          changed.add(name);
        }
      }
    }
    if (!changed.isEmpty()) {
      SchemaImage grown = SchemaImage.of(entries);
      durable = store(changed);
      image = grown;
    }
    return read();
  }

  @GuardedBy("this")
  private void requireFree(SchemaName name) {
    if (image.has(name.kind(), name.id())) {
      throw new GraphMetaException(
          ErrorCode.CONFLICT,
          "The id "
              + name.id()
              + " for '"
              + name.name()
              + "' among the "
              + name.kind().plural()
              + " was given to '"
              + image.name(name.kind(), name.id())
              + "' meanwhile; run the transaction again");
    }
  }

  @GuardedBy("this")
  private void requireSame(SchemaName name) {
    int id = image.id(name.kind(), name.name());
    if (id != name.id()) {
      throw new GraphMetaException(
          ErrorCode.CONFLICT,
          "Another transaction defined '"
              + name.name()
              + "' among the "
              + name.kind().plural()
              + " with id "
              + id
              + ", not "
              + name.id()
              + "; run this one again");
    }
  }

  private void requireRoom(SchemaName name, int count) {
    NameKind kind = name.kind();
    int limit = Math.min(maxNames, kind.maxId());
    if (count > limit) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "'"
              + name.name()
              + "' would be one more than the limit of "
              + limit
              + " "
              + kind.plural()
              + "; put what differs from element to element into values"
              + (limit < kind.maxId()
                  ? ", or raise graphmeta.max-names (up to " + kind.maxId() + ")"
                  : ""));
    }
  }

  private CompletableFuture<Void> store(List<SchemaName> names) {
    RowBatch batch = new RowBatch(128);
    for (SchemaName name : names) {
      byte[] key = {'n', (byte) name.kind().ordinal(), (byte) (name.id() >>> 8), (byte) name.id()};
      ByteWriter value =
          new ByteWriter(64).putByte(name.multiValued() ? MULTI_VALUED : 0).putText(name.name());
      batch.put(Family.META, key, value.toArray());
    }
    return log.append(batch, durability);
  }

  /** The names that a store has. */
  static List<SchemaName> load(StorageEngine storage) {
    List<SchemaName> entries = new ArrayList<>();
    byte[] prefix = {'n'};
    try (RowCursor cursor = storage.cursor(Family.META, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(prefix, 1);
          more && cursor.key()[0] == 'n';
          more = cursor.next()) {
        if (cursor.keyLength() != 4) {
          throw new GraphMetaException(
              ErrorCode.CORRUPTION, "A schema key of " + cursor.keyLength() + " bytes; expected 4");
        }
        byte[] key = cursor.key();
        NameKind kind = NameKind.values()[key[1]];
        int id = (key[2] & 0xff) << 8 | key[3] & 0xff;
        byte[] value = cursor.value();
        ByteReader in = new ByteReader(value, 0, cursor.valueLength());
        boolean multiValued = (in.getByte() & MULTI_VALUED) != 0;
        entries.add(new SchemaName(kind, id, in.getText(), multiValued));
      }
    }
    return entries;
  }

  /** Forgets all names, after the store was cleared. */
  synchronized void clear() {
    image = SchemaImage.EMPTY;
  }
}
