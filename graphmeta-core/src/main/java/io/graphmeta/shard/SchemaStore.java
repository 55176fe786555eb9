package io.graphmeta.shard;

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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The dictionaries as rows of META: {@code 'n' | kind 1 | id 2 -> flags 1 | name}. A definition is
 * as durable as asked for before its id is given out; with one server, where the log keeps order,
 * it need not be synced. Safe for use by many threads.
 */
final class SchemaStore {
  private static final int MULTI_VALUED = 1;

  private final ReplicationLog log;
  private final Durability durability;

  /** The definition appended last. */
  private CompletableFuture<Void> durable = CompletableFuture.completedFuture(null);

  private SchemaImage image;

  SchemaStore(StorageEngine storage, ReplicationLog log, Durability durability) {
    this.log = log;
    this.durability = durability;
    this.image = SchemaImage.of(load(storage));
  }

  /** The names, when all of them are durable. */
  synchronized CompletableFuture<SchemaImage> read() {
    SchemaImage read = image;
    return durable.thenApply(done -> read);
  }

  synchronized CompletableFuture<SchemaImage> define(
      NameKind kind, String name, boolean multiValued) {
    int id = image.id(kind, name);
    if (id != 0 && (!multiValued || image.isMultiValued(name))) {
      return read();
    }
    List<SchemaName> entries = new ArrayList<>(image.entries());
    SchemaName entry;
    if (id == 0) {
      entry = new SchemaName(kind, nextId(kind, name), name, multiValued);
      entries.add(entry);
    } else {
      entry = new SchemaName(kind, id, name, true);
      entries.replaceAll(each -> each.kind() == kind && each.id() == id ? entry : each);
    }
    durable = store(entry);
    image = SchemaImage.of(entries);
    return read();
  }

  private int nextId(NameKind kind, String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > SchemaName.MAX_BYTES) {
      throw GraphMetaException.invalid(
          "A name of "
              + bytes
              + " bytes among the "
              + kind.plural()
              + "; expected 1 to "
              + SchemaName.MAX_BYTES);
    }
    int id = image.names(kind, 1).size() + 1;
    if (id > kind.maxId()) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "'"
              + name
              + "' would be one more than the limit of "
              + kind.maxId()
              + " "
              + kind.plural());
    }
    return id;
  }

  private CompletableFuture<Void> store(SchemaName entry) {
    byte[] key = {'n', (byte) entry.kind().ordinal(), (byte) (entry.id() >>> 8), (byte) entry.id()};
    ByteWriter value =
        new ByteWriter(64).putByte(entry.multiValued() ? MULTI_VALUED : 0).putText(entry.name());
    RowBatch batch = new RowBatch(128);
    batch.put(Family.META, key, value.toArray());
    return log.append(batch, durability);
  }

  private static List<SchemaName> load(StorageEngine storage) {
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
