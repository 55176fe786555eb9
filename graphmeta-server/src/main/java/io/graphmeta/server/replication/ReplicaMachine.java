package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/*
 * What is on disk, and where replay begins
 *
 * The store has no log of its own: after a crash it has all rows up to some entry, and the group's log
 * brings the rest again. With the rows of an entry goes, in the same batch, a row with the place of that
 * entry; so whatever the store has kept, it knows from where to go on. Entries are rows with stamps and
 * whole values, so that to apply one again would do no harm, but none is.
 *
 * The log may be cut up to an entry when all before it is on disk here (the store was synced) and the
 * others have it too. The place that is told then is the one that lay in the store before the sync. It
 * is never that of an entry which is not in the store: not of one that changed the members only, and
 * not behind the first piece of a batch whose last piece has not come, since the pieces are kept in
 * memory until they are whole.
 *
 * The log is not cut there, but where the store was some times before, so that a member that was away for
 * a while finds in it what it needs. One that was away for longer, or is new, is told so: the store of
 * another replica takes the place of its own, and with the row in it the place from which to go on. It is
 * no earlier one. Entries up to there may still come from the log that was there before; they are in the
 * store, and are passed over.
 *
 * An empty store without a log copies also where the log of the leader is whole. That is faster than to apply
 * it all, and it keeps out of the log of a new replica what was agreed on before it: a node that was a member
 * once, has lost its replica and is to be one again would read in such entries that it is one, and a process
 * that begins with that vote for a member that knows no better, before the group has taken it in. Whoever has
 * a log that leads on from its store goes on by that, and is given no other store.
 *
 * The store of a group that goes on over a backup has no place, and is not empty: its only member leads, has
 * others copy it, and tells its members, which who copies asks for first, when it has a place.
 *
 * A store of a former generation, which the group has left behind with the majority that it lost, has entries
 * that the group does not have. It counts as empty, and is copied over.
 */

/**
 * The store of a replica, to which entries are applied that the group has agreed on, in their
 * order, by one thread. An entry that cannot be applied ends the replica: nothing behind it is
 * applied.
 */
final class ReplicaMachine extends BaseStateMachine {
  /** The row with the place of the last entry that was applied: term (8 bytes), index (8). */
  private static final byte[] APPLIED_KEY = "replicated".getBytes(StandardCharsets.US_ASCII);

  /** The row with the generation of the group that the store is of: 4 bytes; none for the first. */
  private static final byte[] GENERATION_KEY =
      "replicated-generation".getBytes(StandardCharsets.US_ASCII);

  private static final TermIndex NONE = TermIndex.valueOf(0, -1);

  /** What is told of the life of the replica, by threads of the engine, which must not wait. */
  interface Life {
    /** It leads, and has applied all that was agreed on before. */
    void leads();

    /** It leads no more. */
    void leadsNoMore();

    /** So much was applied since the store was brought to disk last. */
    void hasApplied(long bytesNotOnDisk, long entriesNotOnDisk);

    /** It has ended: its log or store could not be written. */
    void failed(Throwable cause);

    /**
     * The log of the group begins behind the store.
     *
     * @return completes when another store was {@linkplain #replace put in its place}; fails if
     *     that takes longer, and is asked again then
     */
    CompletableFuture<Void> isBehind();
  }

  /** How much was applied. */
  private record Applied(long bytes, long entries) {
    static final Applied NOTHING = new Applied(0, 0);

    Applied withEntry(int more) {
      return new Applied(bytes + more, entries + 1);
    }
  }

  private final int generation;
  private final Life life;
  private final ReplicationLog.Told followed;

  /** Held while something is applied, and while the store is replaced. */
  private final Object applying = new Object();

  private volatile StorageEngine store;

  private final CutPlaces cuts = new CutPlaces();

  /** Where the store was when the engine began with it. */
  private long leastCut = NONE.getIndex();

  /** The place of the last entry that is in the store, and what of the store is on disk. */
  private volatile TermIndex stored;

  private volatile TermIndex onDisk;

  /** What was applied by this process, what of it is on disk, and what was when the log was cut. */
  private Applied applied = Applied.NOTHING;

  private Applied appliedOnDisk = Applied.NOTHING;
  private @Nullable Applied appliedAtCut;

  private volatile @Nullable ProposedLog proposed;
  private boolean ended;

  /** The pieces of a batch that came so far. */
  private byte @Nullable [] pieces;

  private long piecesLog;
  private long piecesPosition;
  private int piecesBytes;

  /**
   * Over a store.
   *
   * @param followed is told of what no log of this replica has proposed
   */
  ReplicaMachine(StorageEngine store, int generation, Life life, ReplicationLog.Told followed) {
    this.store = store;
    this.generation = generation;
    this.life = life;
    this.followed = followed;
    this.stored = placeIn(store);
    this.onDisk = stored;
  }

  /** The generation of the group that a store is of. */
  private static int generationIn(StorageEngine store) {
    byte[] row = store.get(Family.META, GENERATION_KEY);
    return row == null ? 0 : ByteBuffer.wrap(row).getInt();
  }

  /**
   * Makes a store, which is not followed by a replica now, that of a later generation, and brings
   * it to disk.
   *
   * @return the index of the last entry that is in it, or -1
   */
  static long goOn(StorageEngine store, int generation) {
    RowBatch row = new RowBatch(64);
    row.put(
        Family.META, GENERATION_KEY, ByteBuffer.allocate(Integer.BYTES).putInt(generation).array());
    store.write(row, Durability.BACKGROUND);
    store.sync();
    byte[] place = store.get(Family.META, APPLIED_KEY);
    return place == null ? -1 : ByteBuffer.wrap(place).getLong(Long.BYTES);
  }

  /**
   * Makes a store, which is not followed by a replica now, what a group of a generation begins
   * with, and brings it to disk. It has no place in the log of another group any more.
   */
  static void begin(StorageEngine store, int generation) {
    RowBatch row = new RowBatch(128);
    row.delete(Family.META, APPLIED_KEY);
    store.write(row, Durability.BACKGROUND);
    goOn(store, generation);
  }

  /** Places are those of one generation: a store of another one is as good as empty. */
  private TermIndex placeIn(StorageEngine store) {
    byte[] row = store.get(Family.META, APPLIED_KEY);
    if (row == null || generationIn(store) != generation) {
      return NONE;
    }
    ByteBuffer place = ByteBuffer.wrap(row);
    return TermIndex.valueOf(place.getLong(), place.getLong());
  }

  /** Has a log told of what it has proposed, from now on; null for none. */
  void follow(@Nullable ProposedLog log) {
    proposed = log;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    if (stored.getIndex() >= 0) {
      setLastAppliedTermIndex(stored);
    }
    leastCut = stored.getIndex();
    cuts.keepIn(storage.getStorageDir().getStateMachineDir().toPath().resolve("cuts"));
    getLifeCycle().startAndTransition(() -> {});
  }

  // Another store in the place of this one

  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex first) {
    try {
      return toGoOnAt(first);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e); // the engine would wait for an answer for ever
    }
  }

  private CompletableFuture<TermIndex> toGoOnAt(TermIndex first) {
    if (goesOnByItsLog(first)) {
      return CompletableFuture.completedFuture(null);
    }
    if (stored.getIndex() >= 0 && reaches(first)) {
      return CompletableFuture.completedFuture(reached());
    }
    return life.isBehind()
        .thenApply(
            replaced -> {
              if (!reaches(first)) {
                throw new IllegalStateException(
                    "The log begins at " + first + " now, behind the copy at " + stored);
              }
              return reached();
            });
  }

  /**
   * Whether the log here leads on from the store to where that of the leader begins. A leader asks
   * again when its thread for this member has failed; to tell it of a store then would have the
   * engine here forget what its log has behind the store, and end. It is told where to go on
   * instead.
   *
   * <p>A leader cuts its log only behind what was agreed on. So where the first entry that it has
   * left is also in the log here, all before that one was agreed on, and is the same here (Raft,
   * the Log Matching Property), although the store may not have it yet.
   */
  private boolean goesOnByItsLog(TermIndex first) {
    if (!getServer().isDone()) {
      return false;
    }
    RaftLog log = log();
    TermIndex last = log.getLastEntryTermIndex();
    long agreed = stored.getIndex();
    if (last == null || last.getIndex() < agreed || log.getStartIndex() > agreed + 1) {
      return false;
    }
    if (!reaches(first)) {
      if (!first.equals(log.getTermIndex(first.getIndex()))) {
        return false;
      }
      agreed = first.getIndex() - 1;
    }
    if (agreed >= 0) {
      log.updateSnapshotIndex(agreed); // the leader is told this the next time that it asks
    }
    return true;
  }

  private RaftLog log() {
    try {
      return getServer().join().getDivision(getGroupId()).getRaftLog();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean reaches(TermIndex first) {
    return stored.getIndex() >= first.getIndex() - 1;
  }

  /** Where the store is, as the engine is told it: null for an empty one. */
  private @Nullable TermIndex reached() {
    return stored.getIndex() < 0 ? null : stored;
  }

  /**
   * Goes on over a copy, unless it has come by the log meanwhile: then its own store may be ahead
   * of the copy, or under what leads.
   */
  void replace(Leadership.Copy copy) {
    synchronized (applying) {
      if (ended || proposed != null || stored.getIndex() >= copy.index()) {
        return;
      }
      try {
        TermIndex before = stored;
        store = copy.placed().get();
        TermIndex place = placeIn(store);
        if (generationIn(store) != generation) {
          throw GraphMetaException.internal(
              "The copy is of generation " + generationIn(store) + ", and not of " + generation);
        }
        if (place.compareTo(before) < 0) {
          throw GraphMetaException.internal("The copy is at " + place + ", behind " + before);
        }
        stored = place;
        onDisk = place;
        cuts.clear();
        appliedOnDisk = applied;
        pieces = null;
      } catch (RuntimeException | Error e) {
        life.failed(e);
        throw e;
      }
    }
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() {
    synchronized (applying) {
      onDisk = stored;
      leastCut = stored.getIndex();
      setLastAppliedTermIndex(stored);
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    synchronized (applying) {
      if (TermIndex.valueOf(term, index).compareTo(getLastAppliedTermIndex()) > 0) {
        super.notifyTermIndexUpdated(term, index);
      }
    }
  }

  // Entries

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    TermIndex place = onDisk;
    return place.getIndex() < 0 ? null : new FileListSnapshotInfo(List.of(), place);
  }

  /** Brings to disk what is in the store now. Entries are applied meanwhile. */
  void bringToDisk() {
    StorageEngine synced;
    TermIndex place;
    Applied there;
    synchronized (applying) {
      synced = store;
      place = stored;
      there = applied;
    }
    synced.sync();
    synchronized (applying) {
      if (store == synced) { // not that of another replica, which was on disk before
        onDisk = place.compareTo(onDisk) > 0 ? place : onDisk;
        appliedOnDisk = there;
      }
    }
  }

  /**
   * Whether so many bytes or entries were brought to disk behind the last place where the log may
   * be cut. A process that has just begun does not know, and cuts: one that is started again and
   * again would not cut otherwise.
   */
  boolean isToCut(long bytes, long entries) {
    synchronized (applying) {
      return appliedAtCut == null
          || appliedOnDisk.bytes - appliedAtCut.bytes >= bytes
          || appliedOnDisk.entries - appliedAtCut.entries >= entries;
    }
  }

  /** Takes what is on disk as a place where the log may be cut some times later. */
  @Override
  public long takeSnapshot() throws IOException {
    synchronized (applying) {
      appliedAtCut = appliedOnDisk;
      long cut = cuts.add(onDisk);
      if (cut > leastCut) {
        return cut;
      }
      // The engine does not bear an index below that of the store that it began with.
      if (cut >= 0) {
        log().purge(cut);
      }
      return NONE.getIndex();
    }
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    try {
      synchronized (applying) {
        apply(transaction.getLogEntry());
      }
      return CompletableFuture.completedFuture(Message.EMPTY);
    } catch (RuntimeException | Error e) {
      life.failed(e);
      throw e; // the engine would go on behind an entry whose future fails
    }
  }

  /** Applies the next entry that the group has agreed on, unless the store has it. */
  void apply(LogEntryProto entry) {
    TermIndex place = TermIndex.valueOf(entry);
    if (place.getIndex() <= stored.getIndex()) {
      return; // it is in the store that was copied
    }
    ByteBuffer bytes = entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer();
    applied = applied.withEntry(bytes.remaining());
    EntryForm.Content content = EntryForm.read(bytes);
    List<byte[]> batches = content.isPiece() ? join(content) : content.batches();
    if (!content.isPiece()) {
      pieces = null; // their log has ended without the last one
    }
    if (batches != null) {
      apply(content, batches, place);
    }
    updateLastAppliedTermIndex(place);
    life.hasApplied(applied.bytes - appliedOnDisk.bytes, applied.entries - appliedOnDisk.entries);
  }

  /** The batch, if this was its last piece. */
  private @Nullable List<byte[]> join(EntryForm.Content piece) {
    byte[] joined = pieces;
    if (piece.from() == 0) {
      joined = new byte[piece.wholeBytes()];
      pieces = joined;
      piecesLog = piece.log();
      piecesPosition = piece.position();
      piecesBytes = 0;
    }
    byte[] bytes = piece.batches().get(0);
    if (joined == null
        || piecesLog != piece.log()
        || piecesPosition != piece.position()
        || piecesBytes != piece.from()
        || joined.length != piece.wholeBytes()) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A piece of batch "
              + piece.position()
              + " at byte "
              + piece.from()
              + " came behind byte "
              + piecesBytes
              + " of batch "
              + piecesPosition);
    }
    System.arraycopy(bytes, 0, joined, piecesBytes, bytes.length);
    piecesBytes += bytes.length;
    if (piecesBytes < joined.length) {
      return null;
    }
    pieces = null;
    return List.of(joined);
  }

  private void apply(EntryForm.Content content, List<byte[]> batches, TermIndex place) {
    long bytes = batches.stream().mapToLong(batch -> batch.length).sum();
    RowBatch rows = new RowBatch((int) Math.min(Integer.MAX_VALUE / 2, bytes + 64));
    batches.forEach(batch -> rows.putCopied(batch, 0, batch.length));
    byte[] row =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(place.getTerm())
            .putLong(place.getIndex())
            .array();
    rows.put(Family.META, APPLIED_KEY, row);
    ProposedLog log = proposed;
    if (log != null && log.number() != content.log()) {
      // Who reads over that log must not see what another one has written: it ends before.
      life.leadsNoMore();
      log = null;
    }
    if (log == null) {
      followed.ordered(rows);
    }
    store.write(rows, Durability.BACKGROUND);
    stored = place;
    if (log == null) {
      followed.applied(rows);
    } else {
      log.applied(content.position(), each(batches));
    }
  }

  private static List<RowBatch> each(List<byte[]> batches) {
    List<RowBatch> all = new ArrayList<>(batches.size());
    for (byte[] batch : batches) {
      RowBatch rows = new RowBatch(batch.length);
      rows.putCopied(batch, 0, batch.length);
      all.add(rows);
    }
    return all;
  }

  /** No entries come any more, and it leads no more. */
  void endTerm() {
    synchronized (applying) {
      ended = true;
    }
    life.leadsNoMore();
  }

  @Override
  public void notifyLeaderReady() {
    life.leads();
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    life.leadsNoMore();
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
    life.failed(cause);
  }

  /** The index of the last entry that is in the store, or -1. */
  long storedIndex() {
    return stored.getIndex();
  }
}
