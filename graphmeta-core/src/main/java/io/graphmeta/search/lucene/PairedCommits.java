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
   * @param state what they say; of a new index, what its first commit will say
   * @param history that of the history; null for a new index
   * @param current that of what is open; null with the other
   */
  record Opening(CommitState state, @Nullable IndexCommit history, @Nullable IndexCommit current) {}

  /** Finds what was committed last in both. */
  static Opening find(Directory history, Directory current) throws IOException {
    TreeMap<Long, IndexCommit> ofHistory = commits(history);
    TreeMap<Long, IndexCommit> ofCurrent = commits(current);
    if (ofCurrent.isEmpty() && holdNothing(ofHistory)) {
      long last = ofHistory.isEmpty() ? 0 : ofHistory.lastKey();
      return new Opening(new CommitState(last + 1, 0, List.of()), null, null);
    }
    for (Map.Entry<Long, IndexCommit> each : ofHistory.descendingMap().entrySet()) {
      IndexCommit other = ofCurrent.get(each.getKey());
      if (other != null) {
        return new Opening(CommitState.of(each.getValue().getUserData()), each.getValue(), other);
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

  /** Whether there is nothing, or the first commit of what the process did not make whole. */
  private static boolean holdNothing(TreeMap<Long, IndexCommit> commits) throws IOException {
    for (IndexCommit each : commits.values()) {
      if (CommitState.of(each.getUserData()).stamp() > 0) {
        return false;
      }
    }
    return true;
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
