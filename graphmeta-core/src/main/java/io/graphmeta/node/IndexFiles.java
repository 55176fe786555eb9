package io.graphmeta.node;

import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.lucene.LuceneIndex;
import io.graphmeta.shard.index.IndexSource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the index of a shard lies: in a directory beside its store, or in memory. It holds nothing
 * that the store does not tell, so it can be removed while the database is closed.
 *
 * @param directory null for memory
 */
record IndexFiles(@Nullable Path directory) implements IndexSource {
  static final IndexFiles IN_MEMORY = new IndexFiles(null);

  /** The index of the shard whose store is in a directory. */
  static IndexFiles beside(Path store) {
    return new IndexFiles(store.resolveSibling(store.getFileName() + "-index"));
  }

  @Override
  public AttributeIndex open() {
    return directory == null ? LuceneIndex.inMemory() : LuceneIndex.open(directory);
  }

  @Override
  public void remove() {
    if (directory != null) {
      LuceneIndex.discard(directory);
    }
  }
}
