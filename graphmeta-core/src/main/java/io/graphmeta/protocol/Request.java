package io.graphmeta.protocol;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.storage.Family;
import io.graphmeta.transfer.FileRange;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a shard can be asked. Each names the response that answers it; an error answers any. */
public sealed interface Request {
  /**
   * What can be sent again, whatever became of it: it changes nothing, or nothing that a second
   * time would change again, and no later run of the shard answers it wrongly.
   */
  interface Repeatable {}

  /** What a shard is told: the sender goes on at once, and nothing depends on the answer. */
  interface Unawaited {}

  /** What reads the graph from one point in its times. */
  interface OfView {
    /** The point. */
    ReadView view();
  }

  /**
   * What reads rows of all times, for a caller who looks at them from a point in their times that
   * the shard is not told.
   */
  interface OfAllTimes {}

  /** What is asked of a replica, and not of the shard that it may lead. */
  interface OfReplica {}

  /**
   * A stamp at and below which everything on the shard is complete, not below the one that the
   * client has seen. Answer: {@link Response.Stamped}.
   */
  record Snapshot(long seen) implements Request, Repeatable {}

  /**
   * Asks who leads a shard to note in its log that all at and below a stamp is decided and there,
   * as soon as it is, so that the replicas tell it. A shard at rest notes nothing of its own
   * accord. Answer: {@link Response.Done}, which does not wait for the note.
   */
  record NoteSettled(long stamp) implements Request, Repeatable {}

  /**
   * Vertices by id, each at most once. Answer: {@link Response.Elements}; sources are positions in
   * the list.
   *
   * @param fromIndex where to go on
   */
  record FindVertices(List<String> ids, ReadView view, int fromIndex)
      implements Request, OfView, Repeatable {}

  /**
   * Edges by id given by a user. Answer: {@link Response.Elements}; sources are positions in the
   * list.
   *
   * @param fromIndex where to go on
   */
  record FindEdges(List<String> ids, ReadView view, int fromIndex)
      implements Request, OfView, Repeatable {}

  /**
   * Vertices by key. Answer: {@link Response.Elements}; sources are positions in the array.
   *
   * @param fromIndex where to go on
   */
  record ReadVertices(long[] keys, ReadView view, Detail detail, int fromIndex)
      implements Request, OfView, Repeatable {}

  /**
   * Edges by key, where the entries of their sources are. Answer: {@link Response.Elements};
   * sources are positions in the list. {@code MISPLACED} if one of them belongs to another shard.
   */
  record ReadEdges(List<EdgeKey> keys, ReadView view, Detail detail, int fromIndex)
      implements Request, OfView, Repeatable {}

  /**
   * The edges of vertices in one direction. Answer: {@link Response.Elements}; sources are
   * positions in the frontier.
   *
   * @param outgoing true for the edges that leave, false for those that enter
   * @param labelIds edge labels in rising order; empty for all
   * @param from where to go on
   * @param partOnly whether only what lies on this shard is asked for; else the answer refers to
   *     the other shards that have edges of a vertex, which its home knows
   */
  record Expand(
      long[] frontier,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      Detail detail,
      Position from,
      boolean partOnly)
      implements Request, OfView, Repeatable {}

  /**
   * All vertices of a label. Answer: {@link Response.Elements}.
   *
   * @param labelId the label, or 0 for all
   */
  record ScanVertices(int labelId, ReadView view, Detail detail, Position from)
      implements Request, OfView, Repeatable {}

  /**
   * The vertices of a label that a condition may be true of: all of them, and perhaps others, by
   * rising keys. A shard with indexes that serve the condition reads those that these name, else it
   * scans; the caller tests the condition in any case. Answer: {@link Response.Elements}.
   *
   * @param names the ids of the names in the condition
   */
  record SearchVertices(
      int labelId, Condition where, PlanNames names, ReadView view, Detail detail, Position from)
      implements Request, OfView, Repeatable {}

  /**
   * The vertices of a label that a condition may be true of at one of some views: all of them, and
   * perhaps others, by rising keys, deleted ones too. Of each come the versions that one of the
   * views sees, tombstones included, and perhaps older ones of its body. Answer: {@link
   * Response.Elements}.
   *
   * @param names the ids of the names in the condition
   */
  record SearchDuring(int labelId, Condition where, PlanNames names, ViewSpan views, Position from)
      implements Request, OfView, Repeatable {
    @Override
    public ReadView view() {
      return views.last();
    }
  }

  /** All edges with one of the labels, or all for none. Answer: {@link Response.Elements}. */
  record ScanEdges(Set<Integer> labelIds, ReadView view, Detail detail, Position from)
      implements Request, OfView, Repeatable {}

  /**
   * The edges with some labels that a condition may be true of, as {@link SearchVertices} has
   * vertices: all of those whose properties lie on the shard. Answer: {@link Response.Elements}.
   *
   * @param labelIds at least one
   * @param names the ids of the names in the condition
   */
  record SearchEdges(
      Set<Integer> labelIds,
      Condition where,
      PlanNames names,
      ReadView view,
      Detail detail,
      Position from)
      implements Request, OfView, Repeatable {}

  /**
   * All elements that ids were ever given to, as stored. Answer: {@link Response.Rows} of one value
   * for each id, or of none, and where to go on.
   *
   * @param fromIndex where to go on
   */
  record Incarnations(List<String> ids, boolean edges, int fromIndex)
      implements Request, OfAllTimes, Repeatable {}

  /** Raw rows of a family in key order. Answer: {@link Response.Rows}. */
  record ScanRows(Family family, Position from) implements Request, OfAllTimes, Repeatable {}

  /**
   * Raw rows by key. Answer: {@link Response.Rows}, with an empty array for a key that is not
   * there.
   */
  record ProbeRows(Family family, byte[][] keys) implements Request, OfAllTimes, Repeatable {}

  /**
   * All writes of a transaction that writes to one shard. Answer: {@link Response.Stamped} or
   * {@link Response.Conflicted}. Sent again under the same token it is answered again, not done
   * again.
   *
   * @param token tells this commit from all others
   * @param snapshot the stamp that the transaction has read at
   * @param seen the highest stamp that the client has seen
   * @param checks scopes in which nothing may have been marked since the snapshot
   * @param marks scopes that this commit changes
   */
  record Commit(StagedRows rows, long token, long snapshot, long seen, long[] checks, long[] marks)
      implements Request {}

  /**
   * One shard's part of a transaction over several. It becomes an intent: durable, but seen by no
   * reader until the outcome is known. Answer: {@link Response.Prepared}; {@link Response.TooLow},
   * {@link Response.Conflicted} or {@code MISPLACED} from a shard that will never hold this part.
   *
   * @param id the transaction, with the stamp that it is to be committed at
   * @param participants all shards that get a part, in rising order
   * @param snapshot the stamp that the transaction has read at
   * @param checks scopes of this shard in which nothing may have been marked since the snapshot
   * @param marks scopes of this shard that the transaction changes
   * @param replaces an earlier attempt to commit the same transaction, which is undone; or null
   */
  record Prepare(
      TransactionId id,
      int[] participants,
      StagedRows rows,
      long snapshot,
      long[] checks,
      long[] marks,
      @Nullable TransactionId replaces)
      implements Request {}

  /** The outcome of a transaction over several shards. Answer: {@link Response.Done}. */
  record Resolve(TransactionId id, boolean committed) implements Request, Unawaited {}

  /**
   * What the shard holds of transactions. A shard that answers that it holds no part of one will
   * never hold one. Answer: {@link Response.Parts}.
   */
  record Inquire(List<TransactionId> ids) implements Request, Repeatable {}

  /**
   * The stamp at and below which the shard knows the outcome of all its parts, on disk. Answer:
   * {@link Response.Stamped}.
   */
  record ReadWatermark() implements Request, Repeatable {}

  /**
   * Numbers that no other client gets from this shard. Answer: {@link Response.Leased}.
   *
   * @param atLeast the least number wanted; those below that were not leased never are
   */
  record Lease(SequenceKind kind, int count, long atLeast) implements Request, Repeatable {}

  /**
   * The partitions of vertices, asked at their home. Answer: {@link Response.Splits}.
   *
   * @param outgoing true for the edges that leave, false for those that enter
   */
  record ReadSplits(long[] vertices, boolean outgoing) implements Request, Repeatable {}

  /**
   * How much there is of a family, in pages; of the edges of a vertex too if there are many.
   * Answer: {@link Response.RowSizes}.
   *
   * @param family of vertices, or of edges at one of their ends
   * @param view what is counted as an element; the bytes are those of all versions
   * @param lastVertex the last vertex, by the unsigned order of keys, whose rows are counted
   * @param atLeast vertices with fewer entries are not told one by one; those that have entries on
   *     other shards, or on another page, are told in any case
   */
  record MeasureRows(Family family, ReadView view, Position from, long lastVertex, long atLeast)
      implements Request, OfView, Repeatable {}

  /**
   * Vertices of which a partition on this shard has more entries than the threshold, the largest
   * first. Answer: {@link Response.Hot}.
   */
  record ReadHot(int most) implements Request, Repeatable {}

  /**
   * A step of the shard that gives entries away. Answer: {@link Response.Rows}, a row without a
   * value for one that is not there any more.
   *
   * @param from where to go on, for {@link GiveStep#READ}
   * @param number counts the answers to {@link GiveStep#CHANGES}; one that is asked for again comes
   *     again
   */
  record GiveEntries(MoveId move, GiveStep step, Position from, int number) implements Request {}

  /**
   * Rows for the shard that takes entries over; the first message removes what an earlier move has
   * left. Answer: {@link Response.Done}. One that comes again is not done again.
   *
   * @param number counts the messages, from 0
   * @param values an empty one for a row that is to be removed
   */
  record TakeEntries(MoveId move, int number, byte[][] keys, byte[][] values) implements Request {}

  /**
   * Lets the shard that gives entries away take no more changes of them for a moment. Answer:
   * {@link Response.Held}.
   */
  record HoldEntries(MoveId move) implements Request {}

  /** Ends a move on a shard, before the split or behind it. Answer: {@link Response.Done}. */
  record EndMove(MoveId move) implements Request {}

  /**
   * Defines names, which get the ids that they have here, and makes property keys multi-valued; all
   * or none. Those that are defined so already stay. Answer: {@link Response.Schema} with all
   * names.
   */
  record Define(SchemaImage names) implements Request {}

  /** All names. Answer: {@link Response.Schema}. */
  record ReadSchema() implements Request, Repeatable {}

  /** The indexes that are defined. Answer: {@link Response.Indexes}. */
  record ReadIndexes() implements Request, OfAllTimes, Repeatable {}

  /**
   * Compares what an index holds of some vertices with what the store has of them. Answer: {@link
   * Response.ComparedIndex}.
   *
   * @param number of the index
   * @param from where to go on
   */
  record CompareIndex(long number, Position from) implements Request, OfAllTimes, Repeatable {}

  /**
   * The rows of a family that no view at or above the horizons of their labels can see, by rising
   * keys. Answer: {@link Response.Rows}.
   *
   * @param horizons up to which the shard is to be complete
   * @param family of vertices, or of edges at one of their ends
   * @param from where to go on
   */
  record ReadExpired(Horizons horizons, Family family, Position from)
      implements Request, Repeatable {}

  /**
   * From now on the shard refuses views below horizons, since an archive is to be all that has what
   * only these can see. Answer: {@link Response.Done} when that is on disk. One that comes again is
   * not done again.
   */
  record NoteDropped(String archive, Horizons horizons) implements Request, Repeatable {}

  /**
   * Removes rows that an archive has, which the shard has {@linkplain NoteDropped noted}. Answer:
   * {@link Response.Done}.
   *
   * @param family of vertices, or of edges at one of their ends
   */
  record DropRows(String archive, Family family, byte[][] keys) implements Request, Repeatable {}

  /**
   * All rows that an archive has were removed: what is made of them is made anew, and their room is
   * given back in time. Answer: {@link Response.Done}.
   */
  record EndDropping(String archive) implements Request, Repeatable {}

  /** Sizes. Answer: {@link Response.Status}. */
  record ReadStatus() implements Request, Repeatable {}

  /**
   * Begins a traversal; if no other shard is concerned, runs it too. Answer: {@link
   * Response.LevelDone}.
   *
   * @param names the ids of the names in the plan
   * @param seeds what arrives here of what the traversal begins with
   * @param manner how levels follow one another
   */
  record StartTraversal(
      TraversalId id,
      Plan plan,
      PlanNames names,
      ReadView view,
      List<FrontierPart> seeds,
      Manner manner)
      implements Request, OfView {}

  /**
   * Elements that a level begins with, or that are to be worked on within a level that is run. Of
   * these the answer comes when that is done, and all that it led to is where it belongs: {@link
   * Response.PartsDone}, unless the client or another shard is told the same. Else it is {@link
   * Response.Done}. One that comes again is not counted again.
   *
   * @param level that they are for
   * @param from the shard that sends it
   * @param number counts what that shard sends of this traversal
   */
  record Deliver(TraversalId id, int level, int from, int number, List<FrontierPart> parts)
      implements Request {}

  /**
   * Runs a level, or goes on with one that is not done. Answer: {@link Response.LevelDone}. One
   * that comes again is answered again, not run again.
   *
   * @param number counts the runs that the client asks this shard for
   * @param level from 0
   * @param scan whether to go on with the scan that the traversal begins with
   */
  record RunLevel(TraversalId id, int number, int level, Manner manner, boolean scan)
      implements Request {}

  /**
   * How a shard is doing, of a traversal without levels: answered when there is something new to
   * tell and the shard has nothing left to do, or after a while. Of other traversals: what was done
   * since the last level. Answer: {@link Response.Progress}.
   *
   * @param enough whether nothing more is to be done
   */
  record FollowTraversal(TraversalId id, boolean enough) implements Request {}

  /**
   * The next results of a traversal. Answer: {@link Response.Results}. One that comes again is
   * answered again.
   *
   * @param number counts the pages that the client asks this shard for
   */
  record FetchResults(TraversalId id, int number) implements Request {}

  /**
   * Where the ends of paths lead, of a traversal of which the client keeps the paths; the shard
   * keeps nothing of it. Answer: {@link Response.Paths}.
   *
   * @param names the ids of the names in the plan
   * @param part elements at a position, each once
   * @param fromIndex the first that is to be answered
   * @param skip how many elements that follow it were answered before
   */
  record ExtendPaths(
      Plan plan, PlanNames names, ReadView view, FrontierPart part, int fromIndex, long skip)
      implements Request, OfView, Repeatable {}

  /**
   * Which of some vertices have an edge in the part of their edges that lies on this shard. Answer:
   * {@link Response.Elements} of those, without rows; sources are positions in the array.
   *
   * @param labelIds edge labels in rising order; empty for all
   */
  record FindConnected(long[] vertices, Direction direction, int[] labelIds, ReadView view)
      implements Request, OfView, Repeatable {}

  /** Forgets a traversal. Answer: {@link Response.Done}. */
  record EndTraversal(TraversalId id) implements Request {}

  /** Removes everything. Answer: {@link Response.Stamped}. */
  record Clear() implements Request {}

  /**
   * Which term of its group a replica of the shard is in, and how far its log goes, whether it
   * leads or not. Answered by {@link Response.Term}.
   */
  record ReadTerm() implements Request, OfReplica, Repeatable {}

  /**
   * Lets the replica of another node lead the shard. Answer, when that one leads: {@link
   * Response.Done}. {@code INVALID_ARGUMENT} if that node has no replica of the shard, {@code
   * NOT_LEADER} if who is asked does not lead or the other did not come to.
   */
  record HandOver(String node) implements Request, OfReplica, Repeatable {}

  /**
   * Asks which nodes the group of the shard consists of. Answer: {@link Response.Members}. {@code
   * NOT_LEADER} if who is asked does not lead, {@code UNAVAILABLE} while the members change.
   */
  record ReadMembers() implements Request, OfReplica, Repeatable {}

  /**
   * How far a replica of the shard has come, whether it leads, follows or has nobody to follow.
   * Answered by {@link Response.ReplicaState}.
   */
  record ReadReplica() implements Request, OfReplica, Repeatable {}

  /**
   * Whether the disk of a replica of the shard has room for commits, whether it leads or not.
   * Answer: {@link Response.Done}; {@code STORAGE_FAILURE} if it has none.
   */
  record RequireRoom() implements Request, OfReplica, Repeatable {}

  /**
   * What is asked of the files of a store: answered by the process that has it open, whether its
   * shard leads or not.
   */
  interface OfFiles {}

  /**
   * Takes a checkpoint of the store and keeps it for a while after it was last asked for. One that
   * is kept under this number already stays. Answer: {@link Response.Done}. {@code
   * SNAPSHOT_TOO_OLD} if rows that a view of the stamp needs may have been removed; {@code
   * OVERLOADED} if as many checkpoints are kept as may.
   *
   * @param stamp that the shard is to have resolved before; 0 for none
   * @param checkpoint a number that no other checkpoint has
   * @param keepMillis how long it is kept, in milliseconds
   */
  record TakeCheckpoint(long stamp, long checkpoint, long keepMillis)
      implements Request, OfFiles, Repeatable {}

  /**
   * The files of a checkpoint, by their names. Answer: {@link Response.Files}. {@code
   * CHECKPOINT_LOST} if it is not kept any more, as of all that follows.
   *
   * @param from position of the first that is wanted
   */
  record ListFiles(long checkpoint, int from) implements Request, OfFiles, Repeatable {}

  /**
   * A range of bytes of a file; at the end of the file it is shorter. Answer: {@link
   * Response.FileBytes}.
   *
   * @param length 1 to {@link FileRange#MAX_BYTES}
   */
  record ReadFile(long checkpoint, String name, long offset, int length)
      implements Request, OfFiles, Repeatable {}

  /**
   * What a range of a file holds, in short. Answer: {@link Response.FileSum}.
   *
   * @param length 1 to {@link FileRange#MAX_SUMMED_BYTES}
   */
  record SumFile(long checkpoint, String name, long offset, int length)
      implements Request, OfFiles, Repeatable {}

  /**
   * Keeps a checkpoint for longer, or lets go of it. Answer: {@link Response.Done}.
   *
   * @param keepMillis how long it is kept from now on, in milliseconds; 0: no longer
   */
  record KeepCheckpoint(long checkpoint, long keepMillis) implements Request, OfFiles, Repeatable {}

  /**
   * A read of a replica, whether it leads or not. Answered as the read is, if the replica has all
   * that lies at or below the snapshot of its view; else {@code NOT_LEADER}.
   *
   * @param read one that {@linkplain #isOfReplicas replicas answer}
   */
  record FollowerRead(Request read) implements Request, OfReplica, Repeatable {
    /** Takes such a read alone. */
    public FollowerRead {
      if (!isOfReplicas(read)) {
        throw GraphMetaException.invalid(
            "A "
                + read.getClass().getSimpleName()
                + " is not answered by a replica; expected a read of one view");
      }
    }

    /** Whether replicas answer a request: it reads one view, and leaves nothing behind. */
    public static boolean isOfReplicas(Request request) {
      return request instanceof FindVertices
          || request instanceof FindEdges
          || request instanceof ReadVertices
          || request instanceof ReadEdges
          || request instanceof Expand
          || request instanceof ScanVertices
          || request instanceof ScanEdges;
    }
  }

  /**
   * A message of a traversal whose shards are replicas, whether these lead or not. Answered as the
   * message is, if the replica has all that lies at or below the snapshot of the traversal; else
   * {@code NOT_LEADER}.
   *
   * @param message one {@linkplain #isOfTraversals of a traversal}
   * @param nodes of the replicas, one for each shard in the order of their numbers, with a message
   *     on which the replica asks others; else empty
   */
  record FollowerTraversal(Request message, List<String> nodes) implements Request, OfReplica {
    /** Takes such a message alone. */
    public FollowerTraversal {
      if (!isOfTraversals(message)) {
        throw GraphMetaException.invalid(
            "A "
                + message.getClass().getSimpleName()
                + " is not asked of the replicas of a traversal; expected a message of one");
      }
    }

    /** A message on its way to one of the replicas on some nodes. */
    public static FollowerTraversal of(Request message, List<String> nodes) {
      boolean leadsOn = message instanceof StartTraversal || message instanceof ExtendPaths;
      return new FollowerTraversal(message, leadsOn ? nodes : List.of());
    }

    /** Whether a request is a message of traversals. */
    public static boolean isOfTraversals(Request request) {
      return request instanceof StartTraversal
          || request instanceof Deliver
          || request instanceof RunLevel
          || request instanceof FollowTraversal
          || request instanceof FetchResults
          || request instanceof EndTraversal
          || request instanceof ExtendPaths
          || request instanceof FindConnected;
    }
  }

  /** How much of each element is wanted. The ordinal is sent: append only. */
  enum Detail {
    /** Existence and id. */
    KEYS,
    /** All properties too. */
    PROPERTIES,
    /**
     * When it existed: every version of its body known by the view's known stamp, tombstones
     * included.
     */
    BODIES,
    /**
     * Every version known by the view's known stamp, whatever its valid stamp, tombstones included.
     */
    HISTORY
  }

  /** How the levels of a traversal follow one another. The ordinal is sent: append only. */
  enum Manner {
    /** The client starts each level. */
    STEPWISE,
    /** No other shard has anything to do: go on as long as nothing is sent to one. */
    ALONE,
    /** The client starts each level, and shards read ahead while they wait for it. */
    AHEAD,
    /** There are no levels: what arrives is worked on at once. */
    ASYNC,
    /**
     * In slices: part of the elements go on while the rest waits, until results are found. On the
     * only shard one follows another; else the client starts each.
     */
    SLICES,
    /** The same, and shards read ahead what the next slice will need. */
    SLICES_AHEAD;

    /** Whether levels are levels: all that came to them is gone on with before what it leads to. */
    public boolean isInLevels() {
      return this == STEPWISE || this == ALONE || this == AHEAD;
    }

    /** Whether it is in slices. */
    public boolean isInSlices() {
      return this == SLICES || this == SLICES_AHEAD;
    }

    /** Whether shards read ahead while they wait. */
    public boolean readsAhead() {
      return this == AHEAD || this == SLICES_AHEAD;
    }
  }

  /** What is asked of entries that are given away. The ordinal is sent: append only. */
  enum GiveStep {
    /** Begin: take note of every change from now on. */
    BEGIN,
    /** Show rows of the entries, in pages. */
    READ,
    /** Show rows that have changed since the last answer. */
    CHANGES
  }

  /** What a lease is of. The ordinal is sent: append only. */
  enum SequenceKind {
    /** Counters in vertex keys. */
    VERTEX_COUNTER,
    /** Sequences of edges and ids of values. */
    EDGE_SEQUENCE
  }

  /**
   * Where a paged answer goes on.
   *
   * @param index position in the request
   * @param key the key of the first row not yet answered; empty for the start
   */
  record Position(int index, byte[] key) {
    /** The start. */
    public static final Position START = new Position(0, new byte[0]);
  }
}
