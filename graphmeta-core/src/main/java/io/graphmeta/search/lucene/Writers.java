package io.graphmeta.search.lucene;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/** How Lucene writes: with which memory, which threads, and from which commit on. */
final class Writers {
  /** Documents that wait to be written, of each of the two indexes. */
  private static final double BUFFER_MIB = 16;

  /** Merges that may wait before the thread that writes waits for them, and those that run. */
  private static final int MAX_WAITING_MERGES = 4;

  private static final int MERGE_THREADS = 1;

  private Writers() {}

  /** Opens an index at a commit; without one, a new index in the place of what may be there. */
  static IndexWriter open(
      Directory directory,
      @Nullable IndexCommit commit,
      IndexDeletionPolicy kept,
      MergeScheduler merges)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setOpenMode(
                commit == null
                    ? IndexWriterConfig.OpenMode.CREATE
                    : IndexWriterConfig.OpenMode.APPEND)
            .setIndexDeletionPolicy(kept)
            .setMergeScheduler(merges)
            .setRAMBufferSizeMB(BUFFER_MIB)
            // What is published should be seen soon; small segments are merged afterwards.
            .setMaxFullFlushMergeWaitMillis(0)
            .setCommitOnClose(false);
    if (commit != null) {
      config.setIndexCommit(commit);
    }
    return new IndexWriter(directory, config);
  }

  /** Merges in threads of Lucene's own. What fails there fails the next change of the index. */
  static Supplier<MergeScheduler> mergesBeside() {
    return () -> {
      ConcurrentMergeScheduler merges =
          new ConcurrentMergeScheduler() {
            @Override
            protected void handleMergeException(Throwable failure) {
              // The writer has noted it, and is closed.
            }
          };
      merges.setMaxMergesAndThreads(MAX_WAITING_MERGES, MERGE_THREADS);
      return merges;
    };
  }
}
