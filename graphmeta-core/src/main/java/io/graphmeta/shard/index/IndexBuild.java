package io.graphmeta.shard.index;

import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.List;
import java.util.function.Consumer;

/** Reads the elements with a label into an index, some at a time. Belongs to one thread. */
final class IndexBuild {
  private final StorageEngine storage;
  private final SplitTable splits;
  private final long resolved;

  /**
   * A build.
   *
   * @param resolved what is committed up to this stamp is read, of what belongs here at it
   */
  IndexBuild(StorageEngine storage, SplitTable splits, long resolved) {
    this.storage = storage;
    this.splits = splits;
    this.resolved = resolved;
  }

  /**
   * Goes on with a definition.
   *
   * @param most the number of elements, and of steps on the way to them
   * @return whether there are more elements
   */
  boolean go(TrackedDefinition tracked, int most, Consumer<IndexedVersion> into) {
    IndexDefinition definition = tracked.definition;
    byte[] target = tracked.next();
    int read = 0;
    try (ElementWalk walk = new ElementWalk(storage, splits, resolved, definition.label());
        ElementVersions versions =
            new ElementVersions(storage, definition.element(), resolved, into)) {
      for (int steps = 0; target != null; steps++) {
        byte[] place = walk.step(target);
        if (place != null && steps == most) {
          tracked.goOnWith(place, read);
          return true;
        }
        target = place;
        if (place != null && walk.isAtElement()) {
          versions.read(place, List.of(definition), 0);
          read++;
          target = ElementWalk.after(place);
        }
      }
    }
    tracked.built(read);
    return false;
  }
}
