package io.graphmeta.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Moments in the life of an index at which a process is killed, by methods that it comes to. */
enum KillPlace {
  /** Wherever it is by then. */
  ANY_MOMENT(),
  FILES_ARE_OPENED("io.graphmeta.search.lucene.PairedCommits.find"),
  COMMITS_ARE_CHOSEN("io.graphmeta.search.lucene.PairedCommits$Kept.onInit"),
  NOTHING_IS_NOTED("io.graphmeta.shard.index.ListedChanges.reach"),
  NOTE_IS_NOT_SYNCED("io.graphmeta.storage.rocksdb.RocksDbStorage.sync<IndexFollower.commit"),
  NOTE_IS_SYNCED("io.graphmeta.search.lucene.LuceneIndex.commit<IndexFollower.commit"),
  HISTORY_IS_PENDING("org.apache.lucene.index.SegmentInfos.finishCommit"),
  BETWEEN_BOTH_COMMITS(
      "io.graphmeta.search.lucene.LuceneIndex.commit<IndexFollower.commit",
      "org.apache.lucene.index.IndexWriter.commit<LuceneIndex.commit",
      "org.apache.lucene.index.IndexWriter.commit<LuceneIndex.commit"),
  BOTH_ARE_COMMITTED(
      "io.graphmeta.search.lucene.LuceneIndex.commit<IndexFollower.commit",
      "org.apache.lucene.index.IndexWriter.deleteUnusedFiles<LuceneIndex.commit"),
  COMMIT_IS_KNOWN("io.graphmeta.shard.index.IndexFollower.recovered"),
  LIST_IS_TO_BE_DELETED("io.graphmeta.log.LocalLog.append<ListedChanges.delete"),
  A_MERGE_BEGINS("org.apache.lucene.index.SegmentMerger.merge"),
  A_MERGE_ENDS("org.apache.lucene.index.IndexWriter.commitMerge"),
  INDEX_IS_STAGED("io.graphmeta.shard.index.IndexedKeys.stage"),
  A_BUILD_BEGINS("io.graphmeta.shard.index.IndexBuild.go"),
  IN_A_BUILD("io.graphmeta.shard.index.TrackedDefinition.goOnWith"),
  A_PART_IS_COMMITTED(
      "io.graphmeta.shard.index.TrackedDefinition.goOnWith",
      "io.graphmeta.shard.index.IndexFollower.recovered"),
  IT_IS_BUILT("io.graphmeta.shard.index.TrackedDefinition.built"),
  IT_IS_TO_BE_REMOVED("io.graphmeta.search.lucene.LuceneIndex.drop"),
  EDGES_WERE_MOVED("io.graphmeta.shard.index.ElementWalk.visitEntries<ListedElements.putInto"),
  BEHIND_CREATE("io.graphmeta.engine.IndexedWrites.created"),
  BEHIND_DROP("io.graphmeta.engine.IndexedWrites.dropped"),
  BEHIND_REBUILD("io.graphmeta.engine.IndexedWrites.rebuilt");

  private final List<Step> steps;

  KillPlace(String... steps) {
    this.steps = List.of(steps).stream().map(Step::parse).toList();
  }

  /**
   * A method that a thread comes to.
   *
   * @param caller the simple name of the class and the method that calls it; empty for any
   */
  record Step(String className, String method, String caller) {
    private static Step parse(String text) {
      int from = text.indexOf('<');
      String place = from < 0 ? text : text.substring(0, from);
      int dot = place.lastIndexOf('.');
      return new Step(
          place.substring(0, dot),
          place.substring(dot + 1),
          from < 0 ? "" : text.substring(from + 1));
    }
  }

  /**
   * Those that {@code -Dgraphmeta.index-crash.places=P,Q} names; without it all, and some times any
   * moment.
   */
  static List<KillPlace> chosen() {
    String names = System.getProperty("graphmeta.index-crash.places", "");
    if (!names.isEmpty()) {
      return Arrays.stream(names.split(",")).map(KillPlace::valueOf).toList();
    }
    List<KillPlace> all = new ArrayList<>(List.of(values()));
    all.addAll(Collections.nCopies(all.size() / 4, ANY_MOMENT));
    return all;
  }

  /** One after the other, by one thread; none for a moment that no method has. */
  List<Step> steps() {
    return steps;
  }

  /** Whether a process comes to it before it has written anything. */
  boolean isAtOpening() {
    return this == FILES_ARE_OPENED || this == COMMITS_ARE_CHOSEN;
  }
}
