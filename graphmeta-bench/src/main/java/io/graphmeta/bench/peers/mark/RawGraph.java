package io.graphmeta.bench.peers.mark;

import io.graphmeta.bench.engine.KeyFormat;
import io.graphmeta.bench.engine.RawStore;
import io.graphmeta.bench.peers.runner.everyday.Data;
import io.graphmeta.bench.peers.runner.everyday.EverydayGraph;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Vertices and edges as rows that a program without a graph database would write to RocksDB, with
 * the families and options of the engine. The key of a vertex is the hash of its id, so that
 * nothing must be looked up but whether an id is free. There are no versions, conflicts or
 * snapshots. Paths and distinct steps are not asked for. The system property {@link #SYNC} has each
 * commit wait for the disk.
 */
public final class RawGraph implements EverydayGraph {
  /** System property: {@code true} to wait for the disk. */
  public static final String SYNC = "graphmeta.bench.sync";

  private @Nullable RawStore store;

  @Override
  public void create(Path directory) throws IOException {
    open(directory);
  }

  @Override
  public void open(Path directory) throws IOException {
    store =
        new RawStore(directory, KeyFormat.HASH_WITHOUT_IDS.fixedBytes(), Boolean.getBoolean(SYNC));
  }

  @Override
  public void close() {
    store().close();
    store = null;
  }

  private RawStore store() {
    if (store == null) {
      throw new IllegalStateException("The store is not open");
    }
    return store;
  }

  @Override
  public Session session() {
    return new RawSession(store());
  }

  /** The key of a vertex. */
  static byte[] key(int number) {
    return KeyFormat.HASH_WITHOUT_IDS.vertexKey(number, KeyFormat.idBytes(Data.id(number)));
  }
}
