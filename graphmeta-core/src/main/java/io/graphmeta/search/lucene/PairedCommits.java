package io.graphmeta.search.lucene;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * Commits of two indexes that count together or not at all. The history is committed first, and
 * keeps its commit before until the other index is committed too. Opening takes the newest commit
 * that both have, so a process that ends between the two goes on from the pair before.
 */
final class PairedCommits {
  private static final String PENDING = "pending_segments";

  private PairedCommits() {}

  /**
   * The commits to open.
   *
   * @param history that of the history; null for an index that was never committed
   * @param current that of what is open; null with the other
   * @param last the number of the newest commit of any of the two
   */
  record Opening(
      CommitState state, @Nullable IndexCommit history, @Nullable IndexCommit current, long last) {}

  /** Finds what was committed last in both. */
  static Opening find(Directory history, Directory current) throws IOException {
    TreeMap<Long, IndexCommit> ofHistory = commits(history);
    TreeMap<Long, IndexCommit> ofCurrent = commits(current);
    long last =
        Math.max(
            ofHistory.isEmpty() ? 0 : ofHistory.lastKey(),
            ofCurrent.isEmpty() ? 0 : ofCurrent.lastKey());
    // The first commit of the history may be there alone, if the other never came.
    if (ofCurrent.isEmpty() && last <= 1) {
      return new Opening(CommitState.NONE, null, null, last);
    }
    for (Map.Entry<Long, IndexCommit> each : ofHistory.descendingMap().entrySet()) {
      IndexCommit other = ofCurrent.get(each.getKey());
      if (other != null) {
        CommitState state = CommitState.of(each.getValue().getUserData());
        return new Opening(state, each.getValue(), other, last);
      }
    }
    throw new CorruptIndexException(
        "The history has commits "
            + ofHistory.keySet()
            + ", and what is open "
            + ofCurrent.keySet()
            + "; expected one that both have",
        history.toString());
  }

  private static TreeMap<Long, IndexCommit> commits(Directory directory) throws IOException {
    TreeMap<Long, IndexCommit> commits = new TreeMap<>();
    if (DirectoryReader.indexExists(directory)) {
      for (IndexCommit commit : DirectoryReader.listCommits(directory)) {
        commits.put(CommitState.of(commit.getUserData()).number(), commit);
      }
      return commits;
    }
    for (String file : directory.listAll()) {
      if (!file.equals(IndexWriter.WRITE_LOCK_NAME) && !file.startsWith(PENDING)) {
        throw new CorruptIndexException(
            "There is " + file + ", and no commit that names it", directory.toString());
      }
    }
    return commits;
  }

  /** Keeps the commits from a number on. Used by the thread that changes the index. */
  static final class Kept extends IndexDeletionPolicy {
    private final long opened;
    private long first;

    /** Keeps but one commit of those that are found at opening. */
    Kept(long opened) {
      this.opened = opened;
    }

    @Override
    public void onInit(List<? extends IndexCommit> commits) throws IOException {
      for (IndexCommit each : commits) {
        if (CommitState.of(each.getUserData()).number() != opened) {
          each.delete();
        }
      }
    }

    @Override
    public void onCommit(List<? extends IndexCommit> commits) throws IOException {
      for (IndexCommit each : commits) {
        if (CommitState.of(each.getUserData()).number() < first) {
          each.delete();
        }
      }
    }

    /** The first that is kept from the next commit on. */
    void keepFrom(long number) {
      first = number;
    }
  }
}
