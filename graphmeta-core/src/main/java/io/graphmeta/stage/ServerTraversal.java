package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.rows.RowReads;
import io.graphmeta.split.SplitTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One traversal on one server.
 *
 * <p>Elements are in one of these places. {@code delivered}: sent here by others for a level to
 * come, added to at any time. {@code work}: the level that is being run, cut in batches. {@code
 * hops}: what has come through the operations before a hop and is to make it here, and edges whose
 * rows are here. {@code reached}: reached here at this level, for this server and for each other.
 * {@code results}. A level begins when all that is delivered for it or has arrived for this server
 * becomes work; it ends when there is no work and no hop left, and what has arrived for others is
 * sent. A level can be left in between when it takes too long, and gone on with.
 *
 * <p>Vertices that have entries on other servers too are sent on to these ({@code onward}) within
 * the level, before the hops are made here, so that all are at it at the same time. What others
 * send on is delivered at any time within a level, before this server was told to run it or after
 * it has done so; it becomes hops at once, and what that leads to belongs to the next level like
 * all else.
 *
 * <p>When few results are wanted and no other server is concerned, batches are small and those of
 * later levels go first, so that the first results come before everything was read.
 *
 * <p>Run by one thread at a time, which the caller sees to.
 */
final class ServerTraversal {
  /** Elements after which it is asked again whether there is room in the heap. */
  private static final int ASKED_EACH = 1 << 14;

  /** About what an element or a result takes. */
  private static final long ELEMENT_BYTES = 128;

  /** So large that what has to be read from the store is read in one pass over it. */
  private static final int BATCH = 1 << 20;

  private static final Onward NOWHERE =
      (to, level, parts) -> {
        throw GraphMetaException.internal("What was sent on to a server is sent on again");
      };

  private static final int FIRST_LIMITED_BATCH = 64;
  private static final int MAX_LEVELS = 1 << 16;

  private final Program program;
  private final ReadView view;
  private final VirtualNodeMap map;
  private final SplitTable splits;
  private final int server;
  private final boolean inLevels;
  private final Connections connections;

  /** What other servers have to be asked about first. */
  private final Arrivals aside;

  private final int maxFrontier;
  private final LongSupplier nanoTime;
  private final Reached reached;
  private final Results results;
  private final Deliveries delivered;
  private final Map<Integer, LongBulkMap> seenVertices = new HashMap<>();
  private final Map<Integer, Set<EdgeKey>> seenEdges = new HashMap<>();
  private final ArrayDeque<Work> work = new ArrayDeque<>();
  private final ArrayDeque<Work> hops = new ArrayDeque<>();

  /** What is to be sent on within the level. */
  private final @Nullable Arrivals[] onward;

  private final boolean limited;
  private int limitedBatch = FIRST_LIMITED_BATCH;

  /** The level that was begun last: what has arrived here is for the next. */
  private int begun = -1;

  /** Elements that have become work or hops since this was asked for. */
  private long frontier;

  private final SourceScan source;
  private volatile boolean cancelled;
  private @Nullable ReadAhead readAhead;

  /**
   * A traversal that was not run yet.
   *
   * @param nanoTime a time that never goes back, in nanoseconds
   * @param inLevels whether it is run level by level
   */
  ServerTraversal(
      Program program,
      ReadView view,
      VirtualNodeMap map,
      SplitTable splits,
      int maxFrontier,
      LongSupplier nanoTime,
      boolean inLevels) {
    this.program = program;
    this.view = view;
    this.map = map;
    this.splits = splits;
    this.server = splits.server();
    this.inLevels = inLevels;
    this.nanoTime = nanoTime;
    this.connections = new Connections(splits, view, maxFrontier);
    this.aside = new Arrivals(program, maxFrontier);
    this.maxFrontier = maxFrontier;
    this.reached = new Reached(program, server, map.servers(), maxFrontier);
    this.results = reached.results();
    this.delivered = new Deliveries((long) maxFrontier * map.servers());
    this.onward = new Arrivals[map.servers()];
    this.limited = program.plan().canBeFollowedInParts();
    this.source = new SourceScan(program, view);
  }

  Program program() {
    return program;
  }

  ReadView view() {
    return view;
  }

  Reached reached() {
    return reached;
  }

  Results results() {
    return results;
  }

  Connections connections() {
    return connections;
  }

  /** What waits for answers of other servers. */
  Arrivals aside() {
    return aside;
  }

  SplitTable splits() {
    return splits;
  }

  /**
   * The server that an edge goes to for its rows: the home of its source, which sends it on if they
   * are elsewhere; or where they are, if that is the same for ever.
   */
  int edgeHome(EdgeKey edge) {
    EntryPlaces places = splits.places();
    return places.initial().isWhole()
        ? home(edge.out())
        : places.server(places.initial(), edge.out(), edge.in());
  }

  boolean isOnlyServer() {
    return map.servers() == 1;
  }

  int home(long vertex) {
    return map.server(VertexKeys.virtualNode(vertex));
  }

  /** What is to be sent on to a server within the level. */
  Arrivals onward(int to) {
    Arrivals there = onward[to];
    if (there == null) {
      there = new Arrivals(program, maxFrontier);
      onward[to] = there;
    }
    return there;
  }

  /** Work that is to be done here when others have been told of theirs. */
  void addHop(Work hop) {
    hops.add(hop);
  }

  LongBulkMap seenVertices(int operation) {
    return seenVertices.computeIfAbsent(operation, any -> new LongBulkMap(false, maxFrontier));
  }

  Set<EdgeKey> seenEdges(int operation) {
    return seenEdges.computeIfAbsent(operation, any -> new HashSet<>());
  }

  void requireWithinLimit(int size) {
    requireWithin(size, maxFrontier);
  }

  static void requireWithin(long size, long maxSize) {
    if ((size & ASKED_EACH - 1) == 0 && size > 0) {
      HeapGauge.ofProcess()
          .requireRoom(ASKED_EACH * ELEMENT_BYTES, "what a traversal holds on a server");
    }
    if (size > maxSize) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal holds more than "
              + maxSize
              + " elements or results on one server; expected fewer (narrow it, or raise"
              + " graphmeta.max-frontier)");
    }
  }

  static boolean isWanted(long vertex, BitSet labelIds) {
    return labelIds.get(VertexKeys.labelId(vertex));
  }

  /** The vertices of a range that have one of the labels. */
  static long[] select(long[] vertices, int from, int to, BitSet labelIds) {
    long[] selected = new long[to - from];
    int size = 0;
    for (int i = from; i < to; i++) {
      if (isWanted(vertices[i], labelIds)) {
        selected[size++] = vertices[i];
      }
    }
    return Arrays.copyOf(selected, size);
  }

  /** Lets it read ahead while it waits for levels; before it is run. */
  void readAheadWith(ReadAhead ahead) {
    readAhead = ahead;
  }

  @Nullable ReadAhead readAhead() {
    return readAhead;
  }

  /** Whether there is something to do. Asked by who runs it. */
  boolean hasWork() {
    return !results.isFull()
        && (source.isLeft() || pending() > 0 || aside.size() > 0 && !connections.isWaiting());
  }

  /** No more results are wanted. */
  void stop() {
    results.stop();
  }

  /** Takes what another server has sent; false if it has come before. */
  boolean deliver(Request.Deliver deliver) {
    if (!delivered.add(deliver)) {
      return false;
    }
    ReadAhead ahead = readAhead;
    if (ahead != null && !Deliveries.isWithinLevel(deliver)) {
      deliver.parts().forEach(part -> ahead.offer(part.position(), part.vertices()));
    }
    return true;
  }

  /** Whether others have sent something on that is not worked off. */
  boolean isSentOn() {
    return delivered.hasWithinLevel();
  }

  private static long size(ArrayDeque<Work> works) {
    return works.stream().mapToLong(Work::size).sum();
  }

  /** Ends what is being run soon. */
  void cancel() {
    cancelled = true;
  }

  /**
   * What a run did, and what is to be sent to others before it is told.
   *
   * @param parts what others had sent on and this run has worked on, by {@link Deliveries#sender}
   */
  record Ran(
      Response.LevelDone done,
      Map<Integer, List<FrontierPart>> toSend,
      List<Connections.Question> toAsk,
      List<Long> parts) {}

  /** Sends vertices and edges on, within a level, while this server goes on with it. */
  @FunctionalInterface
  interface Onward {
    void send(int to, int level, List<FrontierPart> parts);
  }

  /** What a traversal that was not run yet has to tell. */
  Response.LevelDone begun() {
    return new Response.LevelDone(
        -1,
        List.of(),
        pending(),
        new int[0],
        List.of(),
        false,
        source.isLeft(),
        TraversalPage.EMPTY,
        0);
  }

  /**
   * What a traversal reads with.
   *
   * @param rows whole pages
   * @param firstRows small pages, for scans from which few results are wanted
   * @param threads that take part where there is much to do
   */
  record Reads(
      RowReads rows, RowReads firstRows, AdjacencyCache cache, LevelCrew.Threads threads) {}

  /**
   * Runs a level, or goes on with one; more if no other server is concerned.
   *
   * @param scan whether to go on with the scan that the traversal begins with
   * @param deadlineNanos when to stop and come back later, by the time of the traversal
   * @param to how others are told of their part of it
   */
  Ran run(
      int firstLevel,
      Manner manner,
      boolean scan,
      Reads reads,
      long deadlineNanos,
      int pageBytes,
      Onward to) {
    stopReading();
    int level = firstLevel - 1;
    List<LevelWork> ran = new ArrayList<>();
    List<Long> taken = new ArrayList<>();
    boolean alone;
    try (LevelRun run = new LevelRun(this, reached, reads)) {
      do {
        level++;
        LevelMeter meter = new LevelMeter(run::counts);
        LevelPass pass =
            new LevelPass(run, level, deadlineNanos, meter.withoutTheTimeOf(to), taken);
        if (scan && scanIsDue()) {
          scan(pass, limited ? reads.firstRows() : reads.rows());
        } else {
          runLevel(pass, manner);
        }
        alone = reached.others() == 0 && pass.sent == 0;
        ran.add(done(meter, reached.others() + pass.sent));
      } while (manner == Manner.ALONE && alone && mayGoOn(scan) && before(deadlineNanos));
    }
    Map<Integer, List<FrontierPart>> toSend = ended();
    long pending = results.isFull() ? 0 : pending();
    boolean over =
        pending == 0
            && aside.size() == 0
            && (alone || results.isFull())
            && !source.isLeft()
            && manner == Manner.ALONE;
    return new Ran(
        new Response.LevelDone(
            level,
            ran,
            pending,
            servers(toSend),
            List.of(),
            !work.isEmpty() || !hops.isEmpty() || aside.size() > 0,
            source.isLeft(),
            over ? results.take(pageBytes, reads.rows(), view) : TraversalPage.EMPTY,
            results.found()),
        toSend,
        connections.take(),
        taken);
  }

  /**
   * Works off what others have sent on within a level, whether or not this server has been told to
   * run it.
   */
  RanParts runParts(Reads reads, long deadlineNanos) {
    stopReading();
    int level = delivered.levelWithin();
    List<Long> taken = new ArrayList<>();
    LevelWork ran;
    try (LevelRun run = new LevelRun(this, reached, reads)) {
      LevelMeter meter = new LevelMeter(run::counts);
      beginLevel(level);
      runHops(new LevelPass(run, level, deadlineNanos, NOWHERE, taken));
      ran = done(meter, reached.others());
    }
    Map<Integer, List<FrontierPart>> toSend = ended();
    return new RanParts(
        new Response.PartsDone(
            server,
            level,
            ran,
            results.isFull() ? 0 : reached.own().size() + size(hops),
            servers(toSend),
            !hops.isEmpty(),
            results.found()),
        toSend,
        taken);
  }

  /** What was done of what others had sent on; as of {@link Ran}. */
  record RanParts(
      Response.PartsDone done, Map<Integer, List<FrontierPart>> toSend, List<Long> parts) {}

  /** One level, as it is run by one thread. */
  private static final class LevelPass {
    final LevelRun run;
    final int level;
    final long deadlineNanos;
    final Onward to;
    final List<Long> taken;

    /** Messages that were sent on. */
    int sent;

    LevelPass(LevelRun run, int level, long deadlineNanos, Onward to, List<Long> taken) {
      this.run = run;
      this.level = level;
      this.deadlineNanos = deadlineNanos;
      this.to = to;
      this.taken = taken;
    }
  }

  private void stopReading() {
    ReadAhead ahead = readAhead;
    if (ahead != null) {
      ahead.stop();
    }
  }

  private LevelWork done(LevelMeter meter, int messages) {
    LevelWork done = meter.read(frontier, messages);
    frontier = 0;
    ReadAhead ahead = readAhead;
    return ahead == null ? done : ahead.addTo(done);
  }

  /** Ends a run, and returns what is to be sent for the next level. */
  private Map<Integer, List<FrontierPart>> ended() {
    if (results.isFull()) {
      work.clear();
      hops.clear();
      aside.drain();
      source.end();
      return Map.of();
    }
    ReadAhead ahead = readAhead;
    if (ahead != null && work.isEmpty() && hops.isEmpty()) {
      waitReading(ahead);
    }
    return reached.takeOthers();
  }

  private static int[] servers(Map<Integer, List<FrontierPart>> toSend) {
    return toSend.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Reads ahead from now on: first what is here, then what comes. */
  private void waitReading(ReadAhead ahead) {
    ahead.start();
    reached.own().forEachVertices(ahead::offer);
    delivered.forEachVertices(ahead::offer);
  }

  /**
   * Whether the scan goes first: before the first level, so that equal elements meet in it; but
   * when few results are wanted only after all that was scanned has been followed.
   */
  private boolean scanIsDue() {
    return source.isLeft() && !results.isFull() && (!limited || pending() == 0);
  }

  private void runLevel(LevelPass pass, Manner manner) {
    beginLevel(pass.level);
    if (limited && manner == Manner.ALONE) {
      runDepthFirst(pass);
    } else {
      runAll(pass);
    }
  }

  private boolean mayGoOn(boolean scan) {
    return !results.isFull() && aside.size() == 0 && (pending() > 0 || scan && source.isLeft());
  }

  private boolean before(long deadlineNanos) {
    return nanoTime.getAsLong() - deadlineNanos < 0;
  }

  private long pending() {
    return reached.own().size() + size(work) + size(hops) + delivered.size();
  }

  /** Makes work of all that has arrived for a level, unless it has begun already. */
  private void beginLevel(int level) {
    if (level > MAX_LEVELS) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal goes on for more than "
              + MAX_LEVELS
              + " levels; expected fewer (limit the rounds of its loop with times or until, or use"
              + " simplePath or dedup in it)");
    }
    if (!inLevels || begun < level) {
      begun = level;
      Arrivals here = reached.own();
      delivered.take(level).forEach(here::add);
      frontier += here.size();
      work.addAll(here.drain());
    }
    if (!connections.isWaiting()) {
      work.addAll(aside.drain());
    }
  }

  /** Makes hops of what others have sent on. */
  private void takeParts(List<Long> taken) {
    Arrivals came = new Arrivals(program, maxFrontier);
    for (Request.Deliver deliver : delivered.takeWithinLevel()) {
      taken.add(Deliveries.sender(deliver));
      deliver.parts().forEach(came::add);
    }
    frontier += came.size();
    hops.addAll(came.drain());
  }

  /** Sends on what is to be worked on elsewhere within the level. */
  private void sendOn(LevelPass pass) {
    for (int other = 0; other < onward.length && !results.isFull(); other++) {
      Arrivals there = onward[other];
      if (there != null && there.size() > 0) {
        pass.sent++;
        pass.to.send(other, pass.level, there.drainParts());
      }
    }
  }

  /** Runs the work of this level: first up to the hops, so that others hear of their part. */
  private void runAll(LevelPass pass) {
    while (!work.isEmpty() && !results.isFull()) {
      requireNotCancelled();
      pass.run.run(nextBatch(work, BATCH));
      if (!before(pass.deadlineNanos)) {
        break;
      }
      if (size(hops) >= BATCH) {
        sendOn(pass);
        runHops(pass);
      }
    }
    sendOn(pass);
    runHops(pass);
  }

  /** Runs work in small batches, what it leads to first. */
  private void runDepthFirst(LevelPass pass) {
    while (!(work.isEmpty() && hops.isEmpty())
        && !results.isFull()
        && reached.others() == 0
        && pass.sent == 0) {
      requireNotCancelled();
      if (!work.isEmpty()) {
        pass.run.run(nextBatch(work, limitedBatch));
        limitedBatch = Math.min(BATCH, limitedBatch * 2);
      }
      sendOn(pass);
      runHops(pass);
      reached.own().drain().forEach(work::addFirst);
      if (!before(pass.deadlineNanos)) {
        return;
      }
    }
  }

  /** Makes the hops that are due, those that others have sent on too. */
  private void runHops(LevelPass pass) {
    takeParts(pass.taken);
    while (!hops.isEmpty() && !results.isFull() && before(pass.deadlineNanos)) {
      requireNotCancelled();
      pass.run.run(nextBatch(hops, BATCH));
      if (hops.isEmpty()) {
        takeParts(pass.taken);
      }
    }
  }

  private static Work nextBatch(ArrayDeque<Work> works, int size) {
    Work next = works.removeFirst();
    VertexBatch vertices = next.vertices();
    if (vertices == null || vertices.size() <= size) {
      return next;
    }
    // Halves, so that cutting off small batches does not copy the rest each time.
    int half = Math.max(size, vertices.size() / 2);
    works.addFirst(Work.vertices(next.position(), vertices.range(half, vertices.size())));
    works.addFirst(Work.vertices(next.position(), vertices.range(0, half)));
    return nextBatch(works, size);
  }

  void requireNotCancelled() {
    if (cancelled || Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(ErrorCode.CANCELLED, "The traversal was ended by its client");
    }
  }

  /** Goes on with the scan that the traversal begins with. */
  private void scan(LevelPass pass, RowReads rows) {
    begun = Math.max(begun, pass.level);
    while (source.isLeft() && !results.isFull()) {
      requireNotCancelled();
      ElementPage page = source.next(rows);
      frontier += page.elements();
      if (source.isOfEdges()) {
        pass.run.scannedEdges(page);
      } else {
        long[] keys = new long[page.elements()];
        Arrays.setAll(keys, page::owner);
        pass.run.run(Work.vertices(0, VertexBatch.of(keys)));
      }
      sendOn(pass);
      runHops(pass);
      if (limited || !before(pass.deadlineNanos)) {
        break;
      }
    }
  }
}
