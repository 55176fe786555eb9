package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.List;
import java.util.function.Consumer;

/** Reads the vertices of a label into an index, some at a time. Belongs to one thread. */
final class IndexBuild {
  private final StorageEngine storage;
  private final long resolved;

  /**
   * A build.
   *
   * @param resolved what is committed up to this stamp is read
   */
  IndexBuild(StorageEngine storage, long resolved) {
    this.storage = storage;
    this.resolved = resolved;
  }

  /**
   * Goes on with a definition.
   *
   * @return whether there are more vertices
   */
  boolean go(TrackedDefinition tracked, int most, Consumer<IndexedVersion> into) {
    IndexDefinition definition = tracked.definition;
    byte[] target = tracked.next();
    if (target.length == 0) {
      target = key(VertexKeys.firstOfLabel(definition.labelId()));
    }
    try (RowCursor vertices = storage.cursor(Family.ATTRIBUTES, Scope.FAMILY);
        VertexVersions versions = new VertexVersions(storage, resolved, into)) {
      for (int read = 0; ; read++) {
        boolean found = vertices.seek(target, target.length);
        long vertex = found ? BigEndian.getLong(vertices.key(), 0) : 0;
        if (!found || VertexKeys.labelId(vertex) != definition.labelId()) {
          tracked.built(read);
          return false;
        }
        if (read == most) {
          tracked.goOnWith(key(vertex), read);
          return true;
        }
        versions.read(vertex, List.of(definition), 0);
        if (vertex == -1) {
          tracked.built(read + 1L);
          return false;
        }
        target = key(vertex + 1);
      }
    }
  }

  private static byte[] key(long vertex) {
    byte[] key = new byte[8];
    BigEndian.putLong(key, 0, vertex);
    return key;
  }
}
