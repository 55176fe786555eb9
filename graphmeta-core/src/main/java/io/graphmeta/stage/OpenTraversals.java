package io.graphmeta.stage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.rows.PageReader;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.level.Connections;
import io.graphmeta.stage.level.IdleTime;
import io.graphmeta.stage.level.LevelCrew;
import io.graphmeta.stage.level.LevelLoop;
import io.graphmeta.stage.level.LevelReads;
import io.graphmeta.stage.level.PathExtension;
import io.graphmeta.stage.level.TraversalErrors;
import io.graphmeta.stage.level.TraversalState;
import io.graphmeta.stage.program.Program;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.Transport;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The traversals that are open on one shard, and their messages. Safe for use by many threads;
 * never waits.
 *
 * <pre>
 *                start
 *  (unknown) ------------> waiting ------ run a level, or a part of one -----> running
 *      ^                    |   ^                                               |   |
 *      |                    |   +------- done, or out of time and left ---------+   | error
 *      |     end, or idle   |                                                       |
 *      |     for too long   v                                                       v
 *      +--------------------+----------------- end, or idle ------------------- failed
 * </pre>
 *
 * <p>A traversal on the only shard starts running, and is forgotten at once if its first answer has
 * all results. One that the client ends while it runs is cancelled and forgotten. One that was
 * forgotten is unknown to later messages, which are answered by an error that says so.
 */
public final class OpenTraversals {
  private static final int MAX_OPEN = 1 << 14;

  /** What a shard tells that a traversal does not begin at. */
  private static final Response BEGUN_EMPTY =
      new Response.LevelDone(
          -1, List.of(), 0, new int[0], List.of(), false, false, TraversalPage.EMPTY, 0);

  /** Size of a page of a scan from which few results are wanted, in bytes. */
  private static final int FIRST_PAGE_BYTES = 1 << 14;

  private final int shard;
  private final VirtualNodeMap map;
  private final SplitTable splits;
  private final PageReader rows;
  private final PageReader firstRows;
  private final AdjacencyCache cache;
  private final ElementCandidates candidates;
  private final StageLimits limits;
  private final Consumer<Request.OfView> letThrough;
  private final Map<TraversalId, Opened> open = new ConcurrentHashMap<>();
  private volatile @Nullable Transport peers;
  private volatile @Nullable Executor readAheadOn;
  private volatile LevelCrew.Threads crew = LevelCrew.Threads.NONE;
  private volatile LargeLevels largeLevels = new LargeLevels(null, 0, 1);

  /**
   * None yet.
   *
   * @param splits what this shard knows of split vertices
   * @param candidates name what a scan need not look beyond
   * @param letThrough fails for what may not be read any more, though its beginning was
   */
  public OpenTraversals(
      VirtualNodeMap map,
      SplitTable splits,
      StorageEngine storage,
      AdjacencyCache cache,
      ElementCandidates candidates,
      StageLimits limits,
      Consumer<Request.OfView> letThrough) {
    this.shard = splits.shard();
    this.map = map;
    this.splits = splits;
    this.rows = new PageReader(storage, splits, cache, limits.pageBytes());
    this.firstRows =
        new PageReader(storage, splits, cache, Math.min(FIRST_PAGE_BYTES, limits.pageBytes()));
    this.cache = cache;
    this.candidates = candidates;
    this.limits = limits;
    this.letThrough = letThrough;
  }

  /** A traversal, and when it was asked for last. */
  private final class Opened {
    private final Request.StartTraversal start;

    /** Of the replicas that are the shards of the traversal; empty for those that lead. */
    private final List<String> nodes;

    volatile long askedNanos = limits.nanoTime().getAsLong();

    @GuardedBy("this")
    private @Nullable Entry entry;

    Opened(Request.StartTraversal start, List<String> nodes) {
      this.start = start;
      this.nodes = nodes;
    }

    /** Made when it is needed first: of several shards a short traversal concerns few. */
    synchronized Entry entry() {
      Entry made = entry == null ? OpenTraversals.this.entry(start, nodes) : entry;
      entry = made;
      return made;
    }

    private synchronized @Nullable TraversalSchedule schedule() {
      return entry == null ? null : entry.schedule;
    }

    void tick(long now) {
      TraversalSchedule schedule = schedule();
      if (schedule != null) {
        schedule.tick(now);
      }
    }

    void end() {
      TraversalSchedule schedule = schedule();
      if (schedule != null) {
        schedule.end();
      }
    }
  }

  /** A traversal, and what was answered last: requests can come again. */
  private static final class Entry {
    final TraversalState state;
    final LevelLoop levels;
    final Deliveries delivered;
    final TraversalSchedule schedule;

    @GuardedBy("this")
    boolean fetching;

    int pages = -1;
    TraversalPage lastPage = TraversalPage.EMPTY;

    /** Why there are no more pages: some of the results went with one that could not be read. */
    private @Nullable RuntimeException pagesFailed;

    Entry(
        TraversalState state, LevelLoop levels, Deliveries delivered, TraversalSchedule schedule) {
      this.state = state;
      this.levels = levels;
      this.delivered = delivered;
      this.schedule = schedule;
    }

    /** Takes the results of the next page, which is made once. */
    void takePage(int number, int pageBytes, PageReader rows) {
      if (pagesFailed != null) {
        throw pagesFailed;
      }
      try {
        lastPage = state.results.take(pageBytes, rows, state.view);
        pages = number;
      } catch (Throwable e) {
        pagesFailed = TraversalErrors.ended(e);
        throw pagesFailed;
      }
    }
  }

  /** Tells how the other shards are reached. */
  public void join(Transport transport) {
    peers = transport;
  }

  /**
   * Gives threads that take part where there is much to do, and read ahead while traversals wait;
   * without any neither is done. They may refuse.
   *
   * @param most how many take part in one operation of a traversal, beside the one that runs it
   * @param leastShared the least number of elements in an operation that they take part in
   */
  public void workOn(Executor threads, int most, int leastShared) {
    readAheadOn = threads;
    crew = new LevelCrew.Threads(threads, most, leastShared);
    largeLevels = new LargeLevels(threads, most, leastShared);
  }

  /** Number of traversals that are open. */
  public int size() {
    return open.size();
  }

  /**
   * Begins a traversal, and runs it if no other shard is concerned.
   *
   * @param nodes of the replicas that are its shards, by the numbers of these; empty for the
   *     replicas that lead
   */
  public CompletableFuture<Response> start(Request.StartTraversal start, List<String> nodes) {
    if (open.size() >= MAX_OPEN) {
      throw new GraphMetaException(
          ErrorCode.OVERLOADED,
          "The shard runs " + MAX_OPEN + " traversals already; try again later");
    }
    Opened opened = new Opened(start, nodes);
    boolean alone =
        start.manner() == Manner.ALONE || map.shards() == 1 && start.manner().isInSlices();
    // What begins here is made before the traversal can be found by other messages, so that a start
    // that comes again is answered the same.
    Response begun = !alone && beginsEmpty(start) ? BEGUN_EMPTY : opened.entry().levels.begun();
    Opened before = open.putIfAbsent(start.id(), opened);
    if (!alone) {
      return CompletableFuture.completedFuture(begun);
    }
    return (before == null ? opened : before)
        .entry()
        .schedule
        .run(new Request.RunLevel(start.id(), 0, 0, start.manner(), true))
        .thenApply(
            done -> {
              if (((Response.LevelDone) done).isOver()) {
                open.remove(start.id());
              }
              return done;
            });
  }

  private static boolean beginsEmpty(Request.StartTraversal start) {
    return start.seeds().isEmpty() && start.plan().source() instanceof PlanSource.Given;
  }

  private Entry entry(Request.StartTraversal start, List<String> nodes) {
    Manner manner = start.manner();
    Program program = new Program(start.plan(), start.names(), manner.isInLevels());
    TraversalState state =
        new TraversalState(
            start.id(), program, start.view(), map, splits, limits.maxFrontier(), manner);
    Deliveries delivered = new Deliveries((long) limits.maxFrontier() * map.shards());
    delivered.add(new Request.Deliver(start.id(), 0, -1, 0, start.seeds()));
    Executor readers = readAheadOn;
    IdleTime idleTime =
        manner.readsAhead() && readers != null
            ? new ReadAhead(
                start.id(),
                shard,
                program,
                start.view(),
                cache,
                key -> state.home(key) == shard,
                readers)
            : IdleTime.UNUSED;
    LevelLoop levels =
        new LevelLoop(
            state,
            delivered,
            idleTime,
            new LevelReads(rows, firstRows, cache, crew, candidates),
            limits.sliceElements(),
            limits.nanoTime());
    TraversalSchedule.Sender sender =
        (to, level, number, parts) ->
            send(nodes, to, new Request.Deliver(start.id(), level, shard, number, parts));
    TraversalSchedule.Asker asker = question -> ask(nodes, question, state.connections);
    return new Entry(
        state,
        levels,
        delivered,
        manner == Manner.ASYNC
            ? new ArrivalSchedule(state, levels, delivered, sender, asker, limits)
            : new LevelSchedule(
                start.id(),
                state,
                levels,
                delivered,
                idleTime,
                sender,
                asker,
                limits,
                largeLevels));
  }

  /** Takes what another shard has sent. */
  public CompletableFuture<Response> deliver(Request.Deliver deliver) {
    return held(deliver.id(), entry(deliver.id()).schedule.deliver(deliver));
  }

  /** Tells how a traversal without levels is doing, as soon as there is news. */
  public CompletableFuture<Response> follow(Request.FollowTraversal follow) {
    return held(follow.id(), entry(follow.id()).schedule.follow(follow.enough()));
  }

  /** Runs a level. */
  public CompletableFuture<Response> run(Request.RunLevel run) {
    return held(run.id(), entry(run.id()).schedule.run(run));
  }

  /** The next results. */
  public Response fetch(Request.FetchResults fetch) {
    Entry entry = entry(fetch.id());
    return exclusively(
        fetch.id(),
        entry,
        () -> {
          if (fetch.number() > entry.pages) { // else it came again, behind later ones perhaps
            entry.takePage(fetch.number(), limits.pageBytes(), rows);
          }
          letThrough(fetch.id()); // what was read for it
          return new Response.Results(entry.lastPage);
        });
  }

  /** An answer when it is there, unless its traversal may not read any more what it has read. */
  private CompletableFuture<Response> held(TraversalId id, CompletableFuture<Response> answer) {
    return answer.thenApply(
        found -> {
          letThrough(id);
          return found;
        });
  }

  private void letThrough(TraversalId id) {
    Opened opened = open.get(id);
    if (opened != null) {
      letThrough.accept(opened.start);
    }
  }

  /**
   * Tells where the ends of paths lead, when the other shards concerned have answered.
   *
   * @param nodes as for {@link #start}
   */
  public CompletableFuture<Response> extend(Request.ExtendPaths request, List<String> nodes) {
    return extend(
        request,
        nodes,
        new Program(request.plan(), request.names()),
        new Connections(splits, request.view(), limits.maxFrontier()));
  }

  private CompletableFuture<Response> extend(
      Request.ExtendPaths request, List<String> nodes, Program program, Connections connections) {
    LevelReads reads = new LevelReads(rows, firstRows, cache, LevelCrew.Threads.NONE, candidates);
    PathExtension extension =
        PathExtension.extend(request, program, reads, splits, connections, limits.pageBytes());
    List<CompletableFuture<Response>> asked =
        connections.take().stream().map(question -> ask(nodes, question, connections)).toList();
    return asked.isEmpty()
        ? completed(extension, nodes)
        : CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
            .thenCompose(all -> extend(request, nodes, program, connections));
  }

  /** The answer with the parts of the other shards, all of which are asked at the same time. */
  private CompletableFuture<Response> completed(PathExtension extension, List<String> nodes) {
    List<PathExtension.Elsewhere> elsewhere = extension.elsewhere();
    List<CompletableFuture<Response>> asked =
        elsewhere.stream().map(part -> send(nodes, part.shard(), part.request())).toList();
    return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            all -> {
              for (int i = 0; i < asked.size(); i++) {
                Response.Paths answer = (Response.Paths) asked.get(i).join();
                extension.add(elsewhere.get(i), answer.steps());
              }
              return new Response.Paths(extension.steps());
            });
  }

  /** Tells which vertices have edges in their parts on this shard. */
  public Response findConnected(Request.FindConnected find) {
    BitSet connected = new BitSet();
    try (AdjacencyReader reader = cache.reader()) {
      for (boolean outgoing : Program.directions(find.direction())) {
        reader.read(
            find.vertices(),
            0,
            find.vertices().length,
            new NeighbourQuery(outgoing, find.labelIds(), find.view()),
            (index, label, others, from, to) -> {
              if (from < to) {
                connected.set(index);
              }
              return true;
            });
      }
    }
    ElementPage.Builder page = new ElementPage.Builder(connected.cardinality(), false);
    connected.stream().forEach(i -> page.beginVertex(i, find.vertices()[i]));
    return new Response.Elements(page.build(null));
  }

  /** Forgets a traversal. */
  public Response end(Request.EndTraversal end) {
    Opened ended = open.remove(end.id());
    if (ended != null) {
      ended.end();
    }
    return new Response.Done();
  }

  /** Forgets all traversals. */
  public void endAll() {
    for (TraversalId id : open.keySet()) {
      end(new Request.EndTraversal(id));
    }
  }

  /** Forgets the traversals whose clients have left. To be called from time to time. */
  public void tick() {
    long now = limits.nanoTime().getAsLong();
    open.values()
        .removeIf(
            opened -> {
              boolean idle = now - opened.askedNanos > 2 * limits.requestMillis() * 1_000_000L;
              if (idle) {
                opened.end();
              } else {
                opened.tick(now);
              }
              return idle;
            });
  }

  private Entry entry(TraversalId id) {
    Opened opened = open.get(id);
    if (opened == null) {
      throw new GraphMetaException(
          ErrorCode.TRAVERSAL_LOST,
          "The shard knows no traversal "
              + id
              + ": the shard was opened anew since it began, or it was ended, or nobody asked for it"
              + " for too long; run it again");
    }
    letThrough.accept(opened.start);
    opened.askedNanos = limits.nanoTime().getAsLong();
    return opened.entry();
  }

  private static <T> T exclusively(TraversalId id, Entry entry, Supplier<T> action) {
    synchronized (entry) {
      if (entry.fetching) {
        throw new GraphMetaException(
            ErrorCode.OVERLOADED,
            "Results of traversal " + id + " are being read; expected one request at a time");
      }
      entry.fetching = true;
    }
    try {
      return entry.schedule.exclusively(action);
    } finally {
      synchronized (entry) {
        entry.fetching = false;
      }
    }
  }

  private CompletableFuture<Response> ask(
      List<String> nodes, Connections.Question question, Connections connections) {
    return send(nodes, question.shard(), question.request())
        .thenApply(
            answer -> {
              connections.answered(question, ((Response.Elements) answer).page());
              return answer;
            });
  }

  private CompletableFuture<Response> send(List<String> nodes, int to, Request request) {
    Transport transport = peers;
    if (transport == null) {
      throw GraphMetaException.internal("Shard " + shard + " has not joined the others");
    }
    Transport shards = nodes.isEmpty() ? transport : transport.toReplicas(nodes);
    return shards.send(to, new Call(map.epoch(), limits.requestMillis(), request));
  }
}
