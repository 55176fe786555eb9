package io.graphmeta.protocol;

import io.graphmeta.placement.SplitState;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.storage.Family;
import io.graphmeta.transfer.FileEntry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a shard answers. */
public sealed interface Response {
  /** Elements, as far as they fit into a page. */
  record Elements(ElementPage page) implements Response {}

  /** Results of a traversal, as far as they fit into a page. */
  record Results(TraversalPage page) implements Response {}

  /** Where paths lead, as far as it fits into a page. */
  record Paths(PathSteps steps) implements Response {}

  /** A stamp: of the snapshot or the commit. */
  record Stamped(long stamp) implements Response {}

  /**
   * A commit that came second.
   *
   * @param check position in the checks of the commit; or {@link #TOO_OLD} or {@link #UNTOLD} if
   *     the snapshot is older than the shard can tell
   */
  record Conflicted(int check) implements Response {
    /** The commit may have been done, if its message was sent before. */
    public static final int UNTOLD = -1;

    /** The commit was not done, however often its message was sent, and never will be. */
    public static final int TOO_OLD = -2;
  }

  /** The part is durable. */
  record Prepared() implements Response {}

  /**
   * The stamp of a part is not above what the shard has closed.
   *
   * @param closed the stamp at and below which the shard takes nothing any more
   */
  record TooLow(long closed) implements Response {}

  /** Nothing to tell. */
  record Done() implements Response {}

  /** What the shard holds of each transaction, in the order of the request. */
  record Parts(List<PartState> states) implements Response {}

  /** The first of the leased numbers. */
  record Leased(long first) implements Response {}

  /** The partitions of each vertex, in the order of the request. */
  record Splits(List<SplitState> states) implements Response {}

  /** Vertices with many entries in one partition, the largest first. */
  record Hot(List<HotPartition> partitions) implements Response {}

  /** How many transactions with changes of the entries have to end before all are known. */
  record Held(int open) implements Response {}

  /**
   * The term that a replica is in.
   *
   * @param last index of the last entry of its log, or -1
   * @param applied index of the last entry that is in its store, or -1
   */
  record Term(long term, long last, long applied) implements Response {}

  /**
   * How far a replica has come. Of two replicas of a generation the one whose log ends with the
   * later term, or goes further in the same term, has all that the other one could have agreed to.
   *
   * @param generation of the group that it belongs to
   * @param term that it is in
   * @param lastTerm term of the last entry of its log, or -1
   * @param last index of that entry, or -1
   * @param committed index of the last entry that it knows to be agreed on, or -1
   * @param applied index of the last entry that is in its store, or -1
   * @param settled stamp at and below which its store has all commits of the shard, with their
   *     outcomes; 0 if none is known
   * @param members the nodes that its log names last as those of the group, of before and after a
   *     change that is under way, ascending
   */
  record ReplicaState(
      int generation,
      long term,
      long lastTerm,
      long last,
      long committed,
      long applied,
      long settled,
      List<String> members)
      implements Response {
    /** Copies the members. */
    public ReplicaState {
      members = List.copyOf(members);
    }
  }

  /**
   * The nodes that have a say in what a shard agrees on.
   *
   * @param nodes their names, ascending
   */
  record Members(List<String> nodes) implements Response {
    /** Copies the names. */
    public Members {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * How much a page of rows has.
   *
   * @param virtualNodes what belongs to each, by rising numbers
   * @param sides vertices with entries, by rising keys
   * @param keptRows rows that do not belong here: of entries that were moved away or are being
   *     copied
   * @param keptBytes their size
   * @param next where to go on, or null at the end
   */
  record RowSizes(
      List<VirtualNodeSize> virtualNodes,
      List<SideSize> sides,
      long keptRows,
      long keptBytes,
      Request.@Nullable Position next)
      implements Response {}

  /** All names. */
  record Schema(SchemaImage image) implements Response {}

  /**
   * What a shard did of a traversal.
   *
   * @param level that it ran last
   * @param levels what it did at each level that it ran, in order
   * @param pending elements that it still holds, for this level or the next
   * @param sentTo shards that it has sent elements to, for the next level
   * @param elsewhere how those are to whom it has sent elements on within the level, and who have
   *     not been asked themselves
   * @param unfinished whether the level goes on: it took too long for one request
   * @param scanLeft whether the scan that the traversal begins with is not at its end
   * @param page first results
   * @param found ways to results so far; of a plan that counts, the count
   */
  record LevelDone(
      int level,
      List<LevelWork> levels,
      long pending,
      int[] sentTo,
      List<PartsDone> elsewhere,
      boolean unfinished,
      boolean scanLeft,
      TraversalPage page,
      long found)
      implements Response {
    /** Whether nothing is left to do or to fetch on the one shard that there is. */
    public boolean isOver() {
      return pending == 0 && !unfinished && !scanLeft && !page.more();
    }

    /** The same with what other shards told. */
    public LevelDone with(List<PartsDone> others) {
      return new LevelDone(
          level, levels, pending, sentTo, others, unfinished, scanLeft, page, found);
    }
  }

  /**
   * What a shard did of what another one sent on to it within a level.
   *
   * @param shard whose word it is
   * @param work what it did
   * @param pending elements that it holds for the next level
   * @param sentTo shards that it has sent elements to, for the next level
   * @param unfinished whether some of it is left to do: it took too long for one request
   * @param found ways to results so far; of a plan that counts, the count
   */
  record PartsDone(
      int shard,
      int level,
      LevelWork work,
      long pending,
      int[] sentTo,
      boolean unfinished,
      long found)
      implements Response {}

  /**
   * How a shard is doing, of a traversal without levels.
   *
   * @param runs what it did since it told last, in order
   * @param workedOff messages of other shards that came and of which nothing is left to do
   * @param sent messages that it has sent to each shard
   * @param idle whether it has nothing to do
   * @param found ways to results so far; of a plan that counts, the count
   */
  record Progress(List<LevelWork> runs, long workedOff, long[] sent, boolean idle, long found)
      implements Response {}

  /**
   * Raw rows.
   *
   * @param next where to go on, or null at the end
   */
  record Rows(byte[][] keys, byte[][] values, Request.@Nullable Position next)
      implements Response {}

  /**
   * The indexes that are defined, by rising numbers.
   *
   * @param fault why the shard scans although indexes are defined and built, or empty
   */
  record Indexes(List<IndexState> states, String fault) implements Response {
    /** Copies the list. */
    public Indexes {
      states = List.copyOf(states);
    }
  }

  /**
   * What the comparison of an index with the store has found of some vertices.
   *
   * @param built false if the shard has no such index to ask now; all else is empty then
   * @param stamp up to which everything is in the index
   * @param versions versions that were compared
   * @param missing versions up to the stamp that the index does not name where they count
   * @param wider versions that the index names where they do not count any more
   * @param surplus versions of the index that the store does not have
   * @param examples the first differences, in words
   * @param next where to go on, or null at the end
   */
  record ComparedIndex(
      boolean built,
      long stamp,
      long versions,
      long missing,
      long wider,
      long surplus,
      List<String> examples,
      Request.@Nullable Position next)
      implements Response {
    /** Copies the list. */
    public ComparedIndex {
      examples = List.copyOf(examples);
    }
  }

  /**
   * Files of a checkpoint, by their names.
   *
   * @param format the version of the stored format that they are of
   * @param next position of the first that is not among them; 0 at the end
   */
  record Files(int format, List<FileEntry> files, int next) implements Response {
    /** Copies the list. */
    public Files {
      files = List.copyOf(files);
    }
  }

  /**
   * A range of bytes of a file.
   *
   * @param offset of the first of them in the file
   * @param checksum as {@link io.graphmeta.transfer.FileRange#checksum} has it
   */
  record FileBytes(long offset, int checksum, byte[] bytes) implements Response {}

  /** The SHA-256 of a range of bytes of a file. */
  record FileSum(byte[] sha256) implements Response {}

  /**
   * Sizes of a shard.
   *
   * @param rows rows of each family, estimated
   * @param resolvedStamp the stamp at and below which all is complete
   * @param openIntents parts of transactions whose outcome is not known yet
   * @param oldestOpenMillis age of the oldest of them, in milliseconds
   * @param decidedIntents parts whose outcome is known here, but not yet durably everywhere
   * @param syncs how often writes were brought to disk since the store was opened
   * @param fault why it takes no commits, or empty
   * @param adjacency the cache of neighbours
   */
  record Status(
      long bytesOnDisk,
      Map<Family, Long> rows,
      long resolvedStamp,
      int openIntents,
      long oldestOpenMillis,
      int decidedIntents,
      long syncs,
      String fault,
      AdjacencyStatistics adjacency)
      implements Response {}
}
