package io.graphmeta.shard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.IndexState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.rows.PageReader;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.shard.commits.CommitPipeline;
import io.graphmeta.shard.commits.CommitSettings;
import io.graphmeta.shard.commits.CommitsAfterLoss;
import io.graphmeta.shard.commits.IntentCounts;
import io.graphmeta.shard.commits.IntentKeeper;
import io.graphmeta.shard.commits.SettledNotes;
import io.graphmeta.shard.commits.SettledRow;
import io.graphmeta.shard.commits.StampSource;
import io.graphmeta.shard.index.CandidateSearch;
import io.graphmeta.shard.index.IndexComparison;
import io.graphmeta.shard.index.IndexFollower;
import io.graphmeta.shard.index.IndexedKeys;
import io.graphmeta.shard.index.StoredDefinitions;
import io.graphmeta.shard.moves.EntryCounts;
import io.graphmeta.shard.moves.EntryMoves;
import io.graphmeta.shard.moves.MovedRows;
import io.graphmeta.shard.retention.DroppedRows;
import io.graphmeta.shard.retention.HistoryBound;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.OpenTraversals;
import io.graphmeta.stage.StageLimits;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One shard's part of the graph: answers every {@link Request}. Safe for use by many threads,
 * without threads of its own: the thread that sends a request does the work, and waits for no other
 * shard, nor for the disk but a commit that {@linkplain ReplicationLog#bringToDisk syncs itself}.
 * Does not own its store and log: close the shard first, then the log, then the store.
 */
public final class Shard implements RequestHandler, AutoCloseable {
  private static final int FIRST_PAGE_BYTES = 1 << 14;

  private final StorageEngine storage;
  private final ShardSettings settings;
  private final PageReader reads;

  /**
   * Reads the first page of a scan, which is small: perhaps no more than its first elements are
   * wanted.
   */
  private final PageReader firstReads;

  private final AnswersAtOnce atOnce;

  private final CommitPipeline commits;
  private final IntentKeeper intents;
  private final SettledNotes settled;
  private final SequenceLeases leases;
  private final SchemaStore schema;
  private final SplitTable splits;
  private final EntryCounts counts;
  private final EntryMoves moves;
  private final MovedRows moved;
  private final TellingLog told;
  private final AdjacencyCache adjacency;
  private final OpenTraversals traversals;
  private final IndexedKeys indexed;
  private final IndexFollower follower;
  private final ElementCandidates candidates;
  private final HistoryBound kept;
  private final ReadableViews readable;
  private final DroppedRows dropped;
  private final RequestTable handlers;

  @GuardedBy("this")
  private boolean closed;

  /**
   * A shard over a store, whose traversals measure time by {@link System#nanoTime}.
   *
   * @param shard the number of this shard
   * @param log the way to change the store
   * @param physical the clock that stamps follow
   */
  public Shard(
      int shard,
      StorageEngine storage,
      ReplicationLog log,
      InstantSource physical,
      ShardSettings settings) {
    this(shard, storage, log, physical, System::nanoTime, settings, read -> {});
  }

  /**
   * A shard over a store that another process changes, whose entries a log tells of.
   *
   * @param nanoTime as for other shards
   * @param letThrough fails for a view that cannot be read here, before it is read and afterwards
   */
  public static Shard following(
      int shard,
      StorageEngine storage,
      ReplicationLog log,
      InstantSource physical,
      LongSupplier nanoTime,
      ShardSettings settings,
      Consumer<Request.OfView> letThrough) {
    return new Shard(shard, storage, log, physical, nanoTime, settings, letThrough);
  }

  /**
   * A shard over a store.
   *
   * @param shard the number of this shard
   * @param log the way to change the store
   * @param physical the clock that stamps follow
   * @param nanoTime how long traversals take and wait is measured by this: a time that never goes
   *     back, in nanoseconds
   */
  public Shard(
      int shard,
      StorageEngine storage,
      ReplicationLog log,
      InstantSource physical,
      LongSupplier nanoTime,
      ShardSettings settings) {
    this(shard, storage, log, physical, nanoTime, settings, read -> {});
  }

  private Shard(
      int shard,
      StorageEngine storage,
      ReplicationLog log,
      InstantSource physical,
      LongSupplier nanoTime,
      ShardSettings settings,
      Consumer<Request.OfView> letThrough) {
    this.storage = storage;
    this.settings = settings;
    this.kept = new HistoryBound(storage);
    this.readable = new ReadableViews(kept, letThrough);
    this.splits =
        new SplitTable(shard, new EntryPlaces(settings.map(), settings.placement()), storage);
    this.adjacency = new AdjacencyCache(storage, splits, settings.adjacencyCacheBytes());
    this.counts = new EntryCounts(settings.splitThreshold());
    this.moves = new EntryMoves(splits, storage, counts, settings.pageBytes());
    this.moved = new MovedRows(splits, moves, settings.movedRowsKeptMillis());
    this.told = TellingLog.over(log, splits, moves, moved, counts, adjacency, kept);
    this.reads = new PageReader(storage, splits, adjacency, settings.pageBytes());
    int firstBytes = Math.min(FIRST_PAGE_BYTES, settings.pageBytes());
    this.firstReads = new PageReader(storage, splits, adjacency, firstBytes);
    long watermark = IntentKeeper.stored(storage);
    CommitSettings taken = settings.ofCommits();
    this.indexed = new IndexedKeys();
    indexed.load(storage);
    this.commits =
        new CommitPipeline(storage, told, physical, taken, splits, moves, indexed, watermark);
    this.follower =
        new IndexFollower(
            shard, storage, told, splits, indexed, commits::resolved, commits::newestAppended);
    this.candidates = new CandidateSearch(storage, splits, follower);
    this.intents = new IntentKeeper(shard, commits, told, taken, watermark);
    this.settled = new SettledNotes(settings.map().shards(), storage, commits, told);
    this.leases = new SequenceLeases(storage, told, settings.shared());
    this.schema = new SchemaStore(storage, told, settings.shared(), settings.maxNames());
    this.atOnce =
        new AnswersAtOnce(
            commits,
            kept,
            PageReader.ofCache(storage, splits, adjacency, settings.pageBytes()),
            !told.isShared());
    this.traversals =
        new OpenTraversals(
            settings.map(),
            splits,
            storage,
            adjacency,
            candidates,
            new StageLimits(
                settings.maxFrontier(),
                settings.sliceElements(),
                settings.pageBytes(),
                settings.requestMillis(),
                nanoTime),
            readable::require);
    this.dropped = new DroppedRows(storage, told, kept, commits::resolved);
    this.handlers = handlers();
  }

  /** Tells how the other shards are reached, to ask for the outcome of intents. */
  public void join(Transport peers) {
    intents.join(peers);
    traversals.join(peers);
  }

  /**
   * Gives threads that take part where a traversal has much to do, load half of what a large read
   * misses, and read ahead while traversals wait; without any none of it is done. They may refuse.
   *
   * @param most how many take part in one operation of a traversal, beside the one that runs it
   * @param leastShared the least number of elements in an operation that they take part in
   */
  public void workOn(Executor threads, int most, int leastShared) {
    adjacency.loadAheadOn(threads);
    traversals.workOn(threads, most, leastShared);
  }

  /**
   * Does what is due: asks for outcomes, writes the watermark, forgets intents. To be called some
   * times a second by one thread.
   *
   * @param nowMillis a time that never goes back, in milliseconds
   * @param newestElsewhere the {@linkplain #newestStamp newest stamp} of other shards, as far as it
   *     is known
   */
  public void tick(long nowMillis, long newestElsewhere) {
    settled.tick(newestElsewhere);
    intents.tick(nowMillis);
    moved.tick(nowMillis, commits.resolved(), told);
    traversals.tick();
  }

  /**
   * Forgets the traversals whose clients have left. Where another process changes the store,
   * nothing else is due.
   */
  public void tickTraversals() {
    traversals.tick();
  }

  /** Forgets all traversals. */
  public void endTraversals() {
    traversals.endAll();
  }

  /**
   * The neighbours of the vertices of this shard. Views to read them at are those of snapshots that
   * this run of the shard gave, or lie below.
   */
  public AdjacencyCache adjacency() {
    return adjacency;
  }

  /**
   * What keeps the index of this shard up to its store, by steps of one thread. Without steps
   * nothing is indexed and queries scan.
   */
  public IndexFollower follower() {
    return follower;
  }

  /** Number of traversals that are kept here. */
  public int openTraversals() {
    return traversals.size();
  }

  /** Number of intents whose outcome is not known here. */
  public int openIntents() {
    return commits.intentCounts().open();
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    return handle(call, false);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    return call.epoch() == settings.map().epoch() && told.isTold()
        ? atOnce.answer(call.request())
        : null;
  }

  /**
   * As {@link #handle(Call)}, for views at or below the {@linkplain #settledStamp settled stamp} of
   * a store that another process writes: the store tells all of them, whatever this run of the
   * shard knows of outcomes.
   */
  public CompletableFuture<Response> handleSettled(Call call) {
    return handle(call, true);
  }

  private CompletableFuture<Response> handle(Call call, boolean settled) {
    try {
      if (!(call.request() instanceof Request.ReadStatus)) {
        told.requireTold();
      }
      if (call.epoch() != settings.map().epoch()) {
        throw new GraphMetaException(
            ErrorCode.STALE_EPOCH,
            "The request follows the virtual node map of epoch "
                + call.epoch()
                + ", the shard that of epoch "
                + settings.map().epoch()
                + "; read the map again");
      }
      Request request = call.request();
      Request asked = request instanceof Request.FollowerTraversal part ? part.message() : request;
      if (asked instanceof Request.OfView read) {
        readable.require(read);
        return readable.confirmed(
            read,
            settled || commits.canBeRead(read.view().snapshot())
                ? handlers.answer(request)
                : commits
                    .snapshot(read.view().snapshot())
                    .thenCompose(resolved -> handlers.answer(request)));
      }
      CompletableFuture<Response> answer = handlers.answer(request);
      return told.isShared() && tellsNoSnapshot(request)
          ? told.confirm().thenCombine(answer, (confirmed, read) -> read)
          : answer;
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Whether a request reads what is there, and does not tell at which snapshot it is looked at.
   * Where another process may have come to order commits, that may be a snapshot of that one: the
   * answer counts only if nobody else led when it was read.
   */
  private static boolean tellsNoSnapshot(Request request) {
    return request instanceof Request.Incarnations
        || request instanceof Request.ProbeRows
        || request instanceof Request.ScanRows
        || request instanceof Request.ReadSchema
        || request instanceof Request.ReadSplits;
  }

  private RequestTable handlers() {
    RequestTable table = new RequestTable();
    addCommits(table);
    addReads(table);
    addTraversals(table);
    addMoves(table);
    addNames(table);
    addRetention(table);
    addState(table);
    return table;
  }

  private void addCommits(RequestTable table) {
    table.later(Request.Snapshot.class, this::begin);
    table.later(
        Request.Commit.class,
        commit -> {
          kept.require(commit.rows());
          return commits.commit(commit);
        });
    table.later(
        Request.Prepare.class,
        prepare -> {
          kept.require(prepare.rows());
          return commits.prepare(prepare);
        });
    table.later(Request.Inquire.class, inquire -> intents.inquire(inquire.ids()));
    table.later(Request.Resolve.class, commits::resolve);
    table.atOnce(
        Request.NoteSettled.class,
        note -> {
          settled.want(note.stamp());
          return new Response.Done();
        });
    table.atOnce(Request.ReadWatermark.class, read -> new Response.Stamped(intents.watermark()));
  }

  /**
   * A snapshot for a transaction that begins. Where another process may have come to order commits,
   * it has to have what was committed there before it was asked for.
   */
  private CompletableFuture<Response> begin(Request.Snapshot snapshot) {
    return told.isShared()
        ? told.confirm().thenCompose(confirmed -> commits.snapshot(snapshot.seen()))
        : commits.snapshot(snapshot.seen());
  }

  private void addReads(RequestTable table) {
    table.atOnce(
        Request.FindVertices.class, find -> new Response.Elements(reads.findVertices(find)));
    table.atOnce(Request.FindEdges.class, find -> new Response.Elements(reads.findEdges(find)));
    table.atOnce(
        Request.ReadVertices.class, read -> new Response.Elements(reads.readVertices(read)));
    table.atOnce(Request.ReadEdges.class, read -> new Response.Elements(reads.readEdges(read)));
    table.atOnce(Request.Expand.class, expand -> new Response.Elements(reads.expand(expand)));
    table.atOnce(
        Request.ScanVertices.class,
        scan -> new Response.Elements(scanning(scan.from()).scanVertices(scan)));
    table.atOnce(Request.SearchVertices.class, this::search);
    table.atOnce(Request.SearchDuring.class, this::search);
    table.atOnce(
        Request.ScanEdges.class,
        scan -> new Response.Elements(scanning(scan.from()).scanEdges(scan)));
    table.atOnce(Request.SearchEdges.class, this::search);
    table.atOnce(Request.Incarnations.class, reads::incarnations);
    table.atOnce(Request.ProbeRows.class, probe -> reads.probe(probe.family(), probe.keys()));
    table.atOnce(Request.ScanRows.class, reads::scanRows);
    table.atOnce(Request.MeasureRows.class, reads::measure);
  }

  private Response search(Request.SearchVertices search) {
    PageReader pages = scanning(search.from());
    long[] keys =
        candidates.vertices(
            search.labelId(), search.where(), search.names(), ViewSpan.of(search.view()));
    return new Response.Elements(
        keys != null
            ? pages.scanAmong(keys, search.view(), search.detail(), search.from())
            : pages.scanVertices(
                new Request.ScanVertices(
                    search.labelId(), search.view(), search.detail(), search.from())));
  }

  private Response search(Request.SearchDuring search) {
    return new Response.Elements(
        scanning(search.from())
            .searchDuring(
                search,
                candidates.vertices(
                    search.labelId(), search.where(), search.names(), search.views())));
  }

  private Response search(Request.SearchEdges search) {
    PageReader pages = scanning(search.from());
    byte[][] keys =
        candidates.edges(search.labelIds(), search.where(), search.names(), search.view());
    return new Response.Elements(
        keys != null
            ? pages.scanAmong(keys, search.view(), search.detail(), search.from())
            : pages.scanEdges(
                new Request.ScanEdges(
                    search.labelIds(), search.view(), search.detail(), search.from())));
  }

  private PageReader scanning(Request.Position from) {
    return from.key().length == 0 ? firstReads : reads;
  }

  private void addTraversals(RequestTable table) {
    table.later(Request.StartTraversal.class, start -> traversals.start(start, List.of()));
    table.later(Request.RunLevel.class, traversals::run);
    table.later(Request.Deliver.class, traversals::deliver);
    table.later(Request.FollowTraversal.class, traversals::follow);
    table.later(Request.ExtendPaths.class, paths -> traversals.extend(paths, List.of()));
    table.atOnce(Request.FetchResults.class, traversals::fetch);
    table.atOnce(Request.FindConnected.class, traversals::findConnected);
    table.atOnce(Request.EndTraversal.class, traversals::end);
    table.later(Request.FollowerTraversal.class, this::ofReplicas);
  }

  private CompletableFuture<Response> ofReplicas(Request.FollowerTraversal part) {
    if (part.message() instanceof Request.StartTraversal start) {
      return traversals.start(start, part.nodes());
    }
    return part.message() instanceof Request.ExtendPaths paths
        ? traversals.extend(paths, part.nodes())
        : handlers.answer(part.message());
  }

  private void addMoves(RequestTable table) {
    table.atOnce(Request.ReadSplits.class, this::readSplits);
    table.atOnce(Request.ReadHot.class, hot -> moves.hot(hot.most(), settings.splitThreshold()));
    table.atOnce(Request.GiveEntries.class, this::give);
    table.later(Request.TakeEntries.class, take -> moves.take(take, told));
    table.later(
        Request.HoldEntries.class,
        hold -> commits.hold(moves.require(hold.move())).thenApply(Response.Held::new));
    table.atOnce(Request.EndMove.class, end -> moves.end(end.move()));
  }

  private void addNames(RequestTable table) {
    table.later(
        Request.Define.class,
        define -> schema.define(define.names()).thenApply(Response.Schema::new));
    table.later(Request.ReadSchema.class, read -> schema.read().thenApply(Response.Schema::new));
    table.later(
        Request.Lease.class,
        lease ->
            leases
                .lease(lease.kind(), lease.count(), lease.atLeast())
                .thenApply(Response.Leased::new));
  }

  private void addRetention(RequestTable table) {
    table.later(
        Request.ReadExpired.class,
        read ->
            commits
                .snapshot(read.horizons().newest())
                .thenApply(resolved -> dropped.expired(read)));
    table.later(Request.NoteDropped.class, dropped::note);
    table.later(Request.DropRows.class, dropped::drop);
    table.later(
        Request.EndDropping.class,
        end -> {
          CompletableFuture<Response> ended = dropped.end(end);
          follower.startOver();
          return ended;
        });
  }

  private void addState(RequestTable table) {
    table.atOnce(Request.ReadStatus.class, read -> status());
    table.later(
        Request.ReadIndexes.class, read -> follower.firstStep().thenApply(stepped -> indexes()));
    table.atOnce(
        Request.CompareIndex.class,
        compare ->
            new IndexComparison(storage, splits, follower, commits::resolved)
                .compare(compare.number(), compare.from()));
    table.later(
        Request.Clear.class, clear -> commits.clear(this::clear).thenApply(Response.Stamped::new));
  }

  /** The kinds of requests that are answered. */
  Set<Class<?>> answered() {
    return handlers.kinds();
  }

  private Response give(Request.GiveEntries give) {
    return switch (give.step()) {
      case BEGIN -> moves.begin(give.move());
      case READ -> moves.read(give.move(), give.from().key());
      case CHANGES -> moves.changes(give.move(), give.number());
    };
  }

  private Response readSplits(Request.ReadSplits read) {
    return new Response.Splits(
        Arrays.stream(read.vertices())
            .mapToObj(vertex -> splits.state(vertex, read.outgoing()))
            .toList());
  }

  private Response status() {
    StorageStatistics sizes = storage.statistics();
    IntentCounts counts = commits.intentCounts();
    return new Response.Status(
        sizes.bytesOnDisk(),
        sizes.estimatedRows(),
        commits.resolved(),
        counts.open(),
        counts.oldestOpenMillis(),
        counts.decided(),
        sizes.syncs(),
        fault(sizes),
        adjacency.statistics());
  }

  private Response indexes() {
    Map<Long, IndexState> followed =
        follower.states().stream()
            .collect(Collectors.toMap(state -> state.definition().number(), state -> state));
    return new Response.Indexes(
        StoredDefinitions.at(storage, commits.resolved()).stream()
            .map(
                definition ->
                    followed.getOrDefault(
                        definition.number(), new IndexState(definition, false, 0, 0, 0, 0)))
            .toList(),
        follower.fault());
  }

  private String fault(StorageStatistics sizes) {
    Throwable stopped = told.stopped();
    if (stopped != null) {
      return "The log takes no more entries ("
          + stopped
          + "); close the database and open it again";
    }
    return sizes.fault() == null ? "" : "The store takes no writes: " + sizes.fault();
  }

  private void clear() {
    storage.clear();
    splits.clear();
    counts.clear();
    moves.clear();
    moved.clear();
    adjacency.clear();
    indexed.cleared();
    leases.store();
    schema.clear();
    kept.clear();
    dropped.clear();
  }

  /**
   * How far the stamps of an earlier run may lie ahead of the physical clock, in microseconds. The
   * node that opens a store waits as long if it is short, so that new stamps are true times.
   */
  public static long aheadMicros(StorageEngine storage, InstantSource physical) {
    return StampSource.aheadMicros(storage, physical);
  }

  /**
   * The stamp at and below which a store tells all that its shard ever will, though its writer may
   * go on; 0 if none is known.
   *
   * @param whole whether a store that was never told to note it tells all it holds
   */
  public static long settledStamp(StorageEngine storage, boolean whole) {
    return SettledRow.of(storage, whole);
  }

  /** The settled stamp that an entry of a log notes; 0 if it notes none. */
  public static long settledStamp(RowBatch entry) {
    return SettledRow.of(entry);
  }

  /** The generation of the group for which a store was last made good after a loss; 0 for none. */
  public static long generationAfterLoss(StorageEngine storage) {
    return CommitsAfterLoss.generation(storage);
  }

  /**
   * The rows with which a shard goes on over a store that lacks entries that were agreed on: no
   * stamp and no number is given again that may have been given in them.
   *
   * @param generation of the group that goes on
   */
  public static RowBatch afterLoss(
      StorageEngine storage, long generation, InstantSource clock, long maxOffsetMicros) {
    RowBatch rows = new RowBatch(256);
    CommitsAfterLoss.put(generation, storage, clock, maxOffsetMicros, rows);
    SequenceLeases.passOver(storage, rows);
    return rows;
  }

  /** The names of labels and property keys that the stores of all shards have. */
  public static SchemaImage storedNames(List<StorageEngine> stores) {
    return SchemaImage.of(
        stores.stream().flatMap(store -> SchemaStore.load(store).stream()).distinct().toList());
  }

  /**
   * Fails if rows that a view of a stamp needs may have been removed, since their vertices were
   * split above it.
   *
   * @throws GraphMetaException {@code SNAPSHOT_TOO_OLD}
   */
  public void requireKept(long stamp) {
    splits.requireAllKept(stamp);
  }

  /**
   * The stamp of the newest split that this shard knows of, decided or not; 0 if there was none.
   */
  public long newestSplit() {
    return splits.newest();
  }

  /** The greatest stamp that was committed here, or may have been before the store was opened. */
  public long newestStamp() {
    return commits.newestCommitted();
  }

  /** The greatest stamp that was handed out, accepted or closed here. */
  public long topStamp() {
    return commits.topStamp();
  }

  /**
   * Fails what waits for the outcomes of transactions, and each later request that would have to:
   * for a shard that takes no more of these.
   */
  public void endWaits() {
    commits.endWaits();
  }

  @Override
  public void close() {
    close(0);
  }

  /**
   * Closes the shard when no more requests will come to it or to other shards.
   *
   * @param newest the {@linkplain #topStamp greatest stamp} of the other shards: what they hold can
   *     be read together with this store up to it, and when they are opened again all begin above
   *     it
   */
  public synchronized void close(long newest) {
    if (!closed) {
      closed = true;
      commits.close(newest);
      told.end();
    }
  }
}
