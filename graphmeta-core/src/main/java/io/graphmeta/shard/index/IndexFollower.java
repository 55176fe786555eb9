package io.graphmeta.shard.index;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.IndexState;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.IndexProgress;
import io.graphmeta.search.AttributeIndex.IndexSizes;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Why candidates hold all that match
 *
 * The resolved stamp R of a shard has the property that what is committed at and below it is in the
 * store, decided, and all there is: nothing comes there any more. So what is read at R is final, and
 * all that is later is told by the list of changes above R. Let P be the stamp that the index was
 * published with.
 *
 * 1. What the index holds is true. Only rows committed at or below a resolved stamp are read, so
 *    that no version in the index was ended by what is undone later. It may hold rows above P; they
 *    are true too.
 *
 * 2. For a definition that is served, the index holds every version with a committed stamp at or
 *    below P. A version that is there and got another next statement later keeps its end, which is
 *    still a statement that hides it: it is found too often, never too rarely.
 *
 * 3. What is committed above P, of what the definition covers, is in the list above P. A definition
 *    counts for the list from when it is staged. What was appended before that may have any stamp
 *    that is not resolved yet, because parts of transactions bring theirs. So nothing is built until
 *    the resolved stamp has passed all that was appended when the definition was first seen. From
 *    then on each stamp above the resolved one is of something that was listed.
 *
 * 4. While it is built, vertices before the place reached hold everything up to P, and the list
 *    moves them on like all others. Vertices behind it are read later, at a later stamp.
 *
 * 5. Who asks opens the list first, then asks the index, which tells its P with the candidates, and
 *    then reads the list above P. The list is deleted up to the committed stamp, which is at or
 *    below each P that is published from then on; so what was deleted before the list was opened is
 *    in the index that is asked.
 *
 * 6. A definition is taken from what is served before anything of it is dropped; and who asks looks
 *    again afterwards whether all that was asked is still served.
 *
 * Edges are indexed where their properties lie, which changes with splits. Which edges belong here
 * depends on the snapshot S of a reader (split.SplitTable), and rows that come by a move keep their
 * stamps, far below P. So for edges 2 and 3 are said of those that belong here:
 *
 * 7. The transaction of a split lists, with its stamp s, all edges of the vertex, on the shard that
 *    gives, the one that takes, and the home of the vertex. When the resolved stamp R has passed s
 *    everything that was moved is in the store, since the taker has all messages of a move before it
 *    takes part in the split. Then all that the index has of the edges of the vertex is removed, and
 *    all that belong here at R are put in with all their versions. What is written of an edge on its
 *    new shard is stamped above s, and listed as everything is.
 *
 * 8. So, for a definition that is served, the index holds every version with a committed stamp at or
 *    below P of the edges that belong here at P, but of those that were moved away by a split above
 *    P: these it may have removed already, since steps read at R, and R may be above P.
 *
 * 9. A reader with the snapshot S scans if there is a split above S that moved entries which leave
 *    (it looks after it has asked the index: what removed something was known before). Otherwise
 *    nothing was moved away since S. An edge that belongs here at S either belongs here at P, and 8
 *    and 3 tell all of its versions; or it came by a split above P and at or below S, which the list
 *    has: then the edges of that vertex which belong here at S are candidates, read from the store.
 *    So the list is read up to S, although the view may know less.
 *
 * 10. An edge of which a change is listed is put in only if it belongs here at R: if it was moved
 *    away since, the row of the split removes it, in this step or a later one, and puts nothing
 *    back. A build reads what belongs here at its R, which is above all splits that were not listed
 *    for the definition, by the argument of 3.
 *
 * 11. All that the index has was read at some resolved stamp, and what is committed above that was
 *    passed over. So of a version that was committed above the greatest of these stamps the index
 *    has nothing; and since each element is read once at one stamp, the version comes once. It is
 *    added. Any other takes the place of what the index may have of it. All that an index has when
 *    it is opened was in the store, and so is not above the newest that was appended there.
 *
 * Candidates that do not belong here at S are passed over when they are confirmed, as a scan does.
 *
 * On disk: the note that the index reaches C is in the log of the store behind all that is committed
 * at or below C. Then the store is synced, and then the index is committed with C. So an index that
 * has a greater C than the note is of a store that was taken back since, whose stamps may be given
 * again; and one with a lesser C than the beginning of the list misses changes. Both are built anew.
 * The list is deleted only up to C.
 */

/**
 * Keeps the index of a shard up to its store, by steps that one thread calls, and tells others what
 * of it can be asked. What fails here fails no commit: queries scan, and it is tried again.
 */
public final class IndexFollower {
  private static final Logger LOG = LoggerFactory.getLogger(IndexFollower.class);
  private static final int ROWS_IN_STEP = 10_000;
  private static final int ELEMENTS_IN_STEP = 1_000;
  private static final long COMMIT_MILLIS = 5_000;
  private static final long COMMIT_ROWS = 200_000;
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;

  /** How long who asks for the state of the indexes waits for the first step. */
  private static final long FIRST_STEP_MILLIS = 1_000;

  private final int shard;
  private final StorageEngine storage;
  private final IndexedKeys indexed;
  private final LongSupplier resolvedStamp;
  private final LongSupplier newestAppended;
  private final ListedChanges list;
  private final SplitTable splits;

  /** By their numbers. */
  private final TreeMap<Long, TrackedDefinition> tracked = new TreeMap<>();

  private @Nullable AttributeIndex index;

  /** The stamp that the definitions were read at. */
  private long definedAt;

  private int clearsSeen;

  /** The stamp at and below which all changes were put into the index. */
  private long followedTo;

  /** The greatest stamp at which anything was read that the index has. */
  private long readTo;

  private boolean unpublished;
  private boolean uncommitted;

  /** The note of what is about to be committed, while it is on its way. */
  private @Nullable CompletableFuture<Void> noting;

  private long rowsSinceCommit;
  private long committedMillis;
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private long pausedUntilMillis;
  private boolean damaged;
  private boolean mayBeListed = true;
  private boolean storeRefuses;

  /** The failure that was logged since the index was committed last; empty for none. */
  private String loggedFailure = "";

  private volatile ServedIndexes served = ServedIndexes.NONE;
  private volatile List<IndexState> states = List.of();
  private volatile String fault = "";
  private volatile CompletableFuture<Void> firstStep = CompletableFuture.completedFuture(null);

  /** Whether rows were removed that the index may have. */
  private volatile boolean startsOver;

  /** What one who asked has met. */
  private volatile @Nullable GraphMetaException met;

  /**
   * A follower of a store.
   *
   * @param shard its number, for the log
   * @param log the way to change the store
   * @param splits which edges in the store belong to this shard
   * @param indexed told what is not defined any more
   * @param resolvedStamp the stamp at and below which everything is there and decided
   * @param newestAppended the greatest stamp that anything has that is appended by now
   */
  public IndexFollower(
      int shard,
      StorageEngine storage,
      ReplicationLog log,
      SplitTable splits,
      IndexedKeys indexed,
      LongSupplier resolvedStamp,
      LongSupplier newestAppended) {
    this.shard = shard;
    this.storage = storage;
    this.splits = splits;
    this.indexed = indexed;
    this.resolvedStamp = resolvedStamp;
    this.newestAppended = newestAppended;
    this.list = new ListedChanges(storage, log);
  }

  /** Whether a key of META is that of what a store notes of its index. */
  public static boolean isNote(byte[] key, int length) {
    return ListedChanges.isNote(key, length);
  }

  // For those who ask

  ServedIndexes served() {
    return served;
  }

  /** The index has failed one who asked. */
  void met(GraphMetaException failure) {
    met = failure;
  }

  /** A thread is about to call the first step. */
  public void willStep() {
    firstStep = new CompletableFuture<>();
  }

  /**
   * Done when the first step is over, or has taken so long that nobody should wait for it. From
   * then on it is known how far the indexes are that were there when the store was opened.
   */
  public CompletableFuture<Void> firstStep() {
    CompletableFuture<Void> first = firstStep;
    return first.isDone()
        ? first
        : first.copy().completeOnTimeout(null, FIRST_STEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** How far each index is, by rising numbers; nothing before the first step. */
  public List<IndexState> states() {
    return states;
  }

  /** Why queries scan, or empty. */
  public String fault() {
    return fault;
  }

  /**
   * Rows were removed that the index may have: it is built anew, here and on other replicas. By any
   * thread.
   */
  public void startOver() {
    list.cut(resolvedStamp.getAsLong());
    startsOver = true;
  }

  // Steps

  /**
   * Does some of what is to be done.
   *
   * @param nowMillis a time that never goes back, in milliseconds
   * @return whether there is more to do at once
   */
  public boolean step(IndexSource source, long nowMillis) {
    try {
      if (index == null && nowMillis < pausedUntilMillis) {
        return false;
      }
      if (index == null && isIdle()) {
        fault = "";
        return false;
      }
      return stepOrFail(source, nowMillis);
    } catch (GraphMetaException e) {
      fail(e, e.code() == ErrorCode.CORRUPTION, nowMillis);
    } catch (RuntimeException e) {
      fail(e, true, nowMillis);
    } catch (Error e) {
      fail(e, false, nowMillis); // such as want of memory, which says nothing of what is on disk
    } finally {
      firstStep.complete(null);
    }
    return false;
  }

  /** Whether nothing is defined, and no change is listed of what once was. */
  private boolean isIdle() {
    if (!indexed.isEmpty() || definedAt < indexed.newestStaged()) {
      return false;
    }
    mayBeListed = mayBeListed && list.hasRows(Long.MAX_VALUE);
    return !mayBeListed;
  }

  private boolean stepOrFail(IndexSource source, long nowMillis) {
    GraphMetaException failure = met;
    if (failure != null) {
      met = null;
      throw failure;
    }
    if (startsOver) {
      startsOver = false;
      beginAgain();
    }
    if (index == null) {
      open(source, nowMillis);
    }
    boolean more = false;
    if (noting == null) { // else it goes no further than was noted
      long resolved = resolvedStamp.getAsLong();
      readDefinitions(resolved);
      more = follow(resolved);
      more |= build(resolved);
    }
    if (!storeRefuses || nowMillis >= pausedUntilMillis) {
      more |= keep(nowMillis);
    }
    fault = "";
    tell();
    return more;
  }

  private void beginAgain() {
    if (index != null) {
      LOG.info("Versions were dropped; the index of shard {} is built anew", shard);
      served = ServedIndexes.NONE;
      damaged = true;
      closeIndex();
    }
  }

  private AttributeIndex index() {
    AttributeIndex opened = index;
    if (opened == null) {
      throw GraphMetaException.internal("The index of shard " + shard + " is not open");
    }
    return opened;
  }

  private void open(IndexSource source, long nowMillis) {
    list.load();
    if (damaged) {
      source.remove();
      damaged = false;
    }
    AttributeIndex opened = source.open();
    if (opened.committedStamp() != 0 && !list.isFollowable(opened.committedStamp())) {
      LOG.warn(
          "The index of shard {} {}; it is built anew, and queries scan meanwhile",
          shard,
          list.isBehind(opened.committedStamp())
              ? "is of another state of its store"
              : "lacks changes that its store does not list any more");
      opened.close();
      source.remove();
      opened = source.open();
    }
    index = opened;
    mayBeListed = true;
    followedTo = opened.committedStamp();
    readTo = newestAppended.getAsLong();
    committedMillis = nowMillis;
    rowsSinceCommit = 0;
    unpublished = false;
    uncommitted = false;
    noting = null;
    tracked.clear();
    definedAt = 0;
    long resolved = resolvedStamp.getAsLong();
    Map<Long, IndexDefinition> defined = defined(resolved);
    for (IndexProgress progress : opened.committedProgress()) {
      IndexDefinition definition = defined.get(progress.definition());
      if (definition == null) {
        opened.drop(progress.definition());
        unpublished = true;
      } else {
        tracked.put(
            definition.number(),
            TrackedDefinition.continued(definition, progress.built(), progress.next()));
      }
    }
    if (tracked.isEmpty()) {
      followedTo = Math.max(followedTo, resolved); // there is nothing that the index could miss
    }
  }

  /** The indexes that are defined at a resolved stamp, by their numbers. */
  private Map<Long, IndexDefinition> defined(long resolved) {
    return StoredDefinitions.at(storage, resolved).stream()
        .collect(Collectors.toMap(IndexDefinition::number, definition -> definition));
  }

  private void readDefinitions(long resolved) {
    int clears = indexed.clears();
    boolean isKnown = definedAt > 0 && clears == clearsSeen;
    if (isKnown && definedAt >= indexed.newestStaged()) {
      return;
    }
    Map<Long, IndexDefinition> defined = defined(resolved);
    Set<Long> dropped = new HashSet<>(tracked.keySet());
    dropped.removeAll(defined.keySet());
    tracked.keySet().removeAll(dropped);
    if (!dropped.isEmpty()) {
      serve(); // first: see above
      dropped.forEach(index()::drop);
      unpublished = true;
    }
    indexed.retain(resolved, defined.keySet());
    defined.forEach(
        (number, definition) -> {
          if (!tracked.containsKey(number)) {
            tracked.put(number, TrackedDefinition.waiting(definition, newestAppended.getAsLong()));
          }
        });
    definedAt = resolved;
    clearsSeen = clears;
    serve();
  }

  private void serve() {
    Map<ElementLabel, List<IndexDefinition>> byLabel =
        tracked.values().stream()
            .filter(TrackedDefinition::isBuilt)
            .map(each -> each.definition)
            .collect(Collectors.groupingBy(IndexDefinition::label));
    served = new ServedIndexes(index, Map.copyOf(byLabel));
  }

  private Map<ElementLabel, List<IndexDefinition>> followedByLabel() {
    return tracked.values().stream()
        .filter(TrackedDefinition::isFollowed)
        .map(each -> each.definition)
        .collect(Collectors.groupingBy(IndexDefinition::label));
  }

  // Following

  /** Puts changes up to the resolved stamp into the index, as far as one step goes. */
  private boolean follow(long resolved) {
    if (resolved <= followedTo) {
      return false;
    }
    Map<ElementLabel, List<IndexDefinition>> definitions = followedByLabel();
    if (definitions.isEmpty()) {
      followedTo = resolved; // there is nothing that the index could miss
      uncommitted |= list.hasRows(resolved);
      return false;
    }
    ListedElements changed = new ListedElements();
    long rows = 0;
    boolean stopped = false;
    long complete = followedTo;
    try (ChangeCursor changes = new ChangeCursor(storage)) {
      boolean more = changes.seekAbove(followedTo) && changes.stamp() <= resolved;
      while (more) {
        if (rows >= ROWS_IN_STEP && changes.stamp() != complete) {
          stopped = true;
          break; // all of one stamp belong together
        }
        if (changed.size() >= ROWS_IN_STEP) {
          put(changed, definitions, resolved);
          changed.clear();
        }
        complete = changes.stamp();
        changed.add(changes);
        rows++;
        more = changes.next() && changes.stamp() <= resolved;
      }
    }
    put(changed, definitions, resolved);
    followedTo = stopped ? complete : resolved;
    if (rows > 0) {
      rowsSinceCommit += rows;
      uncommitted = true;
      publish();
    }
    return stopped;
  }

  private void put(
      ListedElements changed, Map<ElementLabel, List<IndexDefinition>> definitions, long resolved) {
    AttributeIndex taking = index();
    long readBefore = readTo;
    readTo = Math.max(readTo, resolved); // before: it may fail on the way
    changed.putInto(
        taking,
        version -> {
          if (version.committed() > readBefore) {
            taking.add(version);
          } else {
            taking.put(version);
          }
        },
        definitions,
        storage,
        splits,
        resolved);
  }

  private void publish() {
    index().publish(followedTo);
    unpublished = false;
  }

  // Building

  /** Reads some elements of the first index that is not built. */
  private boolean build(long resolved) {
    boolean more = false;
    for (TrackedDefinition each : tracked.values()) {
      if (each.beginIfDecided(resolved)) {
        LOG.info("Building index {} on shard {}", each.definition.name(), shard);
        uncommitted = true;
      }
      if (each.isBuilding() && !more) {
        readTo = Math.max(readTo, resolved);
        more = new IndexBuild(storage, splits, resolved).go(each, ELEMENTS_IN_STEP, index()::put);
        unpublished = true;
        uncommitted = true;
        if (each.isBuilt()) {
          publish();
          serve();
          committedMillis -= COMMIT_MILLIS; // due
          LOG.info(
              "Index {} is built on shard {}, over {} elements",
              each.definition.name(),
              shard,
              each.elements());
        }
      }
    }
    return more;
  }

  // Keeping

  /** Commits the index when it is due, and deletes the list behind it. */
  private boolean keep(long nowMillis) {
    boolean isDue = nowMillis - committedMillis >= COMMIT_MILLIS || rowsSinceCommit >= COMMIT_ROWS;
    boolean isChanged = uncommitted || unpublished;
    if ((noting != null || isChanged && isDue) && !commit(nowMillis)) {
      return false;
    }
    try {
      return list.delete(index().committedStamp());
    } catch (GraphMetaException e) {
      storeRefused(e, nowMillis);
      return false;
    }
  }

  private boolean commit(long nowMillis) {
    publish();
    try {
      if (!isNoted()) {
        return false;
      }
      storage.sync();
    } catch (GraphMetaException e) {
      storeRefused(e, nowMillis);
      return false;
    }
    index()
        .commit(
            tracked.values().stream()
                .filter(TrackedDefinition::isFollowed)
                .map(
                    each ->
                        new IndexProgress(each.definition.number(), each.isBuilt(), each.next()))
                .toList());
    committedMillis = nowMillis;
    rowsSinceCommit = 0;
    uncommitted = false;
    recovered();
    return true;
  }

  /** Whether the store has the note of what is about to be committed; it comes before long. */
  private boolean isNoted() {
    CompletableFuture<Void> noted = noting == null ? list.reach(followedTo) : noting;
    noting = noted.isDone() ? null : noted;
    if (noted.isCompletedExceptionally()) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "The log has not taken the note of how far the index is");
    }
    return noting == null;
  }

  private void recovered() {
    if (!loggedFailure.isEmpty()) {
      LOG.info("The index of shard {} is there again", shard);
      loggedFailure = "";
    }
    pauseMillis = FIRST_PAUSE_MILLIS;
    storeRefuses = false;
  }

  /** The store takes no writes: the index goes on as it is, and is committed later. */
  private void storeRefused(GraphMetaException failure, long nowMillis) {
    if (!storeRefuses) {
      LOG.warn("The index of shard {} is not committed for now: {}", shard, failure.getMessage());
    }
    storeRefuses = true;
    pause(nowMillis);
  }

  private void pause(long nowMillis) {
    pausedUntilMillis = nowMillis + pauseMillis;
    pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
  }

  /**
   * The index is of no use: queries scan until it is opened again. Whatever failed may have done a
   * part of its work, so that nothing goes on from there.
   */
  private void fail(Throwable failure, boolean isDamaged, long nowMillis) {
    served = ServedIndexes.NONE;
    damaged |= isDamaged;
    closeIndex(); // before anything that needs memory
    pause(nowMillis);
    String message =
        String.valueOf(failure instanceof GraphMetaException ? failure.getMessage() : failure);
    // On a disk with a little room it is opened again and again, and fails with the next changes.
    if (!message.equals(loggedFailure)) {
      loggedFailure = message;
      LOG.warn(
          "The index of shard {} has failed and queries scan until it is {}: {}",
          shard,
          isDamaged ? "built anew" : "there again",
          message,
          failure instanceof GraphMetaException ? null : failure);
    }
    fault = "The index has failed: " + message;
    tell();
  }

  private void closeIndex() {
    AttributeIndex closing = index;
    index = null;
    if (closing != null) {
      try {
        closing.close();
      } catch (RuntimeException | Error e) {
        LOG.info("The index of shard {} was not closed well: {}", shard, e.getMessage());
      }
    }
  }

  private void tell() {
    AttributeIndex of = index;
    IndexSizes sizes = of == null ? new IndexSizes(0, 0, 0, Set.of()) : of.sizes();
    long reached = of == null ? 0 : followedTo;
    List<IndexState> told = new ArrayList<>();
    for (TrackedDefinition each : tracked.values()) {
      told.add(
          new IndexState(
              each.definition,
              of != null && each.isBuilt(),
              each.elements(),
              reached,
              sizes.current() + sizes.history(),
              sizes.bytesOnDisk()));
    }
    states = List.copyOf(told);
  }

  /** Commits what is not, and closes the index. By the thread that calls steps, or after it. */
  public void close(long nowMillis) {
    served = ServedIndexes.NONE;
    try {
      if (index != null && (uncommitted || unpublished)) {
        commit(nowMillis);
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "The index of shard {} was not committed and goes on from an earlier state when it is"
              + " opened again: {}",
          shard,
          e.getMessage());
    } finally {
      firstStep.complete(null);
      closeIndex();
    }
  }
}
