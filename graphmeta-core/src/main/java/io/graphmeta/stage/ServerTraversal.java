package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Request.Position;
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
import org.jspecify.annotations.Nullable;

/**
 * One traversal on one server.
 *
 * <p>Elements are in one of four places. {@code delivered}: sent here by others, added to at any
 * time, under its own lock. {@code arrivals}: reached here at this level, for this server and for
 * each other. {@code work}: the level that is being run, cut in batches. {@code results}. A level
 * begins when there is no work: all that is delivered or has arrived for this server becomes work.
 * It ends when there is none left; then what has arrived for others is sent. A level can be left in
 * between when it takes too long, and gone on with. Some of what is sent is for the same level
 * (Program tells which): whoever gets it runs the level once more, with nothing but that.
 *
 * <p>When few results are wanted and no other server is concerned, batches are small and those of
 * later levels go first, so that the first results come before everything was read.
 *
 * <p>Run by one thread at a time, which the caller sees to.
 */
final class ServerTraversal {
  /** So large that what has to be read from the store is read in one pass over it. */
  private static final int BATCH = 1 << 20;

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
  private final Results results;
  private final Map<Integer, List<FrontierPart>> delivered = new HashMap<>();
  private long deliveredElements;
  private final Set<Long> received = new HashSet<>();
  private final @Nullable Arrivals[] arrivals;
  private final Map<Integer, LongBulkMap> seenVertices = new HashMap<>();
  private final Map<Integer, Set<EdgeKey>> seenEdges = new HashMap<>();
  private final ArrayDeque<Work> work = new ArrayDeque<>();
  private final boolean limited;
  private int limitedBatch = FIRST_LIMITED_BATCH;

  /** The level that what has arrived here is for. */
  private int arrivalLevel;

  private int scanLabel;
  private @Nullable Position scanFrom;
  private volatile boolean cancelled;
  private @Nullable ReadAhead readAhead;

  /**
   * A traversal that was not run yet.
   *
   * @param inLevels whether it is run level by level
   */
  ServerTraversal(
      Program program,
      ReadView view,
      VirtualNodeMap map,
      SplitTable splits,
      int maxFrontier,
      boolean inLevels) {
    this.program = program;
    this.view = view;
    this.map = map;
    this.splits = splits;
    this.server = splits.server();
    this.inLevels = inLevels;
    this.connections = new Connections(splits, view, maxFrontier);
    this.aside = new Arrivals(program, maxFrontier);
    this.maxFrontier = maxFrontier;
    this.results = new Results(program, maxFrontier);
    this.arrivals = new Arrivals[map.servers()];
    this.limited = program.plan().canBeFollowedInParts();
    this.scanFrom = program.plan().source() instanceof PlanSource.Scan ? Position.START : null;
  }

  Program program() {
    return program;
  }

  ReadView view() {
    return view;
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

  /** What has arrived for a server. */
  Arrivals arrivals(int to) {
    Arrivals there = arrivals[to];
    if (there == null) {
      there = new Arrivals(program, maxFrontier);
      arrivals[to] = there;
    }
    return there;
  }

  /** What has arrived for this server. */
  Arrivals own() {
    return arrivals(server);
  }

  /** What has arrived at a position for each server. */
  LongBulkMap[] vertices(int position) {
    LongBulkMap[] byServer = new LongBulkMap[map.servers()];
    Arrays.setAll(byServer, to -> arrivals(to).vertices(position));
    return byServer;
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
        && (scanFrom != null || pending() > 0 || aside.size() > 0 && !connections.isWaiting());
  }

  /** No more results are wanted. */
  void stop() {
    results.stop();
  }

  /** Takes what another server has sent; false if it has come before. */
  boolean deliver(Request.Deliver deliver) {
    ReadAhead ahead = readAhead;
    synchronized (delivered) {
      if (!received.add((long) deliver.from() << 32 | deliver.number())) {
        return false;
      }
      for (FrontierPart part : deliver.parts()) {
        // What was sent on belongs to the level before.
        int level = Program.isPart(part.position()) ? deliver.level() - 1 : deliver.level();
        delivered.computeIfAbsent(Math.max(0, level), any -> new ArrayList<>()).add(part);
        deliveredElements += part.size();
      }
      requireWithin(deliveredElements, (long) maxFrontier * map.servers());
    }
    if (ahead != null) {
      deliver.parts().forEach(part -> ahead.offer(part.position(), part.vertices()));
    }
    return true;
  }

  /** Ends what is being run soon. */
  void cancel() {
    cancelled = true;
  }

  /** What a run did, and what is to be sent to others before it is told. */
  record Ran(
      Response.LevelDone done,
      Map<Integer, List<FrontierPart>> toSend,
      List<Connections.Question> toAsk) {
    /** Whether nothing is left to do or to fetch here. */
    boolean isOver() {
      return done.pending() == 0 && toSend.isEmpty() && !done.scanLeft() && !done.page().more();
    }
  }

  /** What a traversal that was not run yet has to tell. */
  Response.LevelDone begun() {
    return new Response.LevelDone(
        -1,
        List.of(),
        pending(),
        new int[0],
        new int[0],
        false,
        scanFrom != null,
        TraversalPage.EMPTY,
        0);
  }

  /**
   * What a traversal reads with.
   *
   * @param rows whole pages
   * @param firstRows small pages, for scans from which few results are wanted
   */
  record Reads(RowReads rows, RowReads firstRows, AdjacencyCache cache) {}

  /**
   * Runs a level, or goes on with one; more if no other server is concerned.
   *
   * @param scan whether to go on with the scan that the traversal begins with
   * @param deadlineNanos when to stop and come back later, on the clock of {@link System#nanoTime}
   */
  Ran run(
      int firstLevel, Manner manner, boolean scan, Reads reads, long deadlineNanos, int pageBytes) {
    ReadAhead ahead = readAhead;
    if (ahead != null) {
      ahead.stop();
    }
    int level = firstLevel - 1;
    List<LevelWork> ran = new ArrayList<>();
    int others;
    try (AdjacencyReader adjacency = reads.cache().reader()) {
      LevelRun run = new LevelRun(this, reads.rows(), adjacency);
      do {
        level++;
        LevelMeter meter = new LevelMeter(adjacency, run::rowEdges);
        long frontier =
            scan && scanIsDue()
                ? scan(run, limited ? reads.firstRows() : reads.rows(), deadlineNanos)
                : runLevel(run, level, manner, deadlineNanos);
        arrivalLevel = inLevels ? level + 1 : 0;
        others = others();
        LevelWork done = meter.read(frontier, others);
        ran.add(ahead == null ? done : ahead.addTo(done));
      } while (manner == Manner.ALONE && others == 0 && mayGoOn(scan) && before(deadlineNanos));
    }
    if (results.isFull()) {
      work.clear();
      aside.drain();
      scanFrom = null;
    }
    Map<Integer, List<FrontierPart>> toSend = results.isFull() ? Map.of() : takeOthers();
    long pending = results.isFull() ? 0 : pending();
    if (ahead != null && work.isEmpty() && !results.isFull()) {
      waitReading(ahead);
    }
    boolean over =
        pending == 0
            && aside.size() == 0
            && toSend.isEmpty()
            && scanFrom == null
            && manner == Manner.ALONE;
    return new Ran(
        new Response.LevelDone(
            level,
            ran,
            pending,
            servers(toSend, false),
            servers(toSend, true),
            !work.isEmpty() || aside.size() > 0,
            scanFrom != null,
            over ? results.take(pageBytes, reads.rows(), view) : TraversalPage.EMPTY,
            results.found()),
        toSend,
        connections.take());
  }

  /** Those that are sent something for this level, or for the next. */
  private static int[] servers(Map<Integer, List<FrontierPart>> toSend, boolean sameLevel) {
    return toSend.entrySet().stream()
        .filter(
            sent ->
                sent.getValue().stream()
                    .anyMatch(part -> Program.isPart(part.position()) == sameLevel))
        .mapToInt(Map.Entry::getKey)
        .toArray();
  }

  /** Reads ahead from now on: first what is here, then what comes. */
  private void waitReading(ReadAhead ahead) {
    ahead.start();
    own().forEachVertices(ahead::offer);
    synchronized (delivered) {
      for (List<FrontierPart> parts : delivered.values()) {
        parts.forEach(part -> ahead.offer(part.position(), part.vertices()));
      }
    }
  }

  /**
   * Whether the scan goes first: before the first level, so that equal elements meet in it; but
   * when few results are wanted only after all that was scanned has been followed.
   */
  private boolean scanIsDue() {
    return scanFrom != null && !results.isFull() && (!limited || pending() == 0);
  }

  private long runLevel(LevelRun run, int level, Manner manner, long deadlineNanos) {
    long frontier = beginLevel(level);
    if (limited && manner == Manner.ALONE) {
      runDepthFirst(run, deadlineNanos);
    } else {
      runAll(run, deadlineNanos);
    }
    return frontier;
  }

  private boolean mayGoOn(boolean scan) {
    return !results.isFull() && aside.size() == 0 && (pending() > 0 || scan && scanFrom != null);
  }

  private static boolean before(long deadlineNanos) {
    return System.nanoTime() - deadlineNanos < 0;
  }

  private long pending() {
    long pending = own().size();
    for (Work each : work) {
      pending += each.size();
    }
    synchronized (delivered) {
      return pending + deliveredElements;
    }
  }

  private List<FrontierPart> takeDelivered(int level) {
    synchronized (delivered) {
      List<FrontierPart> parts = delivered.remove(level);
      if (parts == null) {
        return List.of();
      }
      parts.forEach(part -> deliveredElements -= part.size());
      return parts;
    }
  }

  private long beginLevel(int level) {
    // What was sent on within a level comes while it is under way, or when it is run again.
    boolean begins = work.isEmpty() && arrivalLevel <= level;
    Arrivals begun = begins ? own() : new Arrivals(program, maxFrontier);
    takeDelivered(level).forEach(begun::add);
    long frontier = begun.size();
    if (level > MAX_LEVELS) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal goes on for more than "
              + MAX_LEVELS
              + " levels; expected fewer (limit the rounds of its loop with times or until, or use"
              + " simplePath or dedup in it)");
    }
    work.addAll(begun.drain());
    if (!connections.isWaiting()) {
      work.addAll(aside.drain());
    }
    return frontier;
  }

  /** Runs the work of this level. */
  private void runAll(LevelRun run, long deadlineNanos) {
    while (!work.isEmpty() && !results.isFull()) {
      requireNotCancelled();
      run.run(nextBatch(BATCH));
      if (!before(deadlineNanos)) {
        return;
      }
    }
  }

  /** Runs work in small batches, what it leads to first. */
  private void runDepthFirst(LevelRun run, long deadlineNanos) {
    while (!work.isEmpty() && !results.isFull() && others() == 0) {
      requireNotCancelled();
      run.run(nextBatch(limitedBatch));
      limitedBatch = Math.min(BATCH, limitedBatch * 2);
      own().drain().forEach(work::addFirst);
      if (!before(deadlineNanos)) {
        return;
      }
    }
  }

  private Work nextBatch(int size) {
    Work next = work.removeFirst();
    VertexBatch vertices = next.vertices();
    if (vertices == null || vertices.size() <= size) {
      return next;
    }
    // Halves, so that cutting off small batches does not copy the rest each time.
    int half = Math.max(size, vertices.size() / 2);
    work.addFirst(Work.vertices(next.position(), vertices.range(half, vertices.size())));
    work.addFirst(Work.vertices(next.position(), vertices.range(0, half)));
    return nextBatch(size);
  }

  private void requireNotCancelled() {
    if (cancelled || Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(ErrorCode.CANCELLED, "The traversal was ended by its client");
    }
  }

  /** Goes on with the scan that the traversal begins with, and returns how many were found. */
  private long scan(LevelRun run, RowReads rows, long deadlineNanos) {
    PlanSource.Scan source = (PlanSource.Scan) program.plan().source();
    int[] labels = program.scannedLabels();
    long scanned = 0;
    Position from = scanFrom;
    while (from != null && !results.isFull()) {
      requireNotCancelled();
      if (source.kind() == ElementKind.EDGE) {
        ElementPage page = scannedEdges(rows, labels, from);
        scanned += page.elements();
        run.scannedEdges(page);
        from = page.next();
      } else {
        ElementPage page = scannedVertices(rows, labels, from);
        scanned += page.elements();
        long[] keys = new long[page.elements()];
        Arrays.setAll(keys, page::owner);
        run.run(Work.vertices(0, VertexBatch.of(keys)));
        from = page.next();
        if (from == null && ++scanLabel < labels.length) {
          from = Position.START;
        }
      }
      if (limited || !before(deadlineNanos)) {
        break;
      }
    }
    scanFrom = from;
    return scanned;
  }

  private ElementPage scannedVertices(RowReads rows, int[] labels, Position from) {
    return labels.length == 0
        ? new ElementPage.Builder(0, false).build(null)
        : rows.scanVertices(new Request.ScanVertices(labels[scanLabel], view, Detail.KEYS, from));
  }

  private ElementPage scannedEdges(RowReads rows, int[] labels, Position from) {
    PlanSource.Scan source = (PlanSource.Scan) program.plan().source();
    if (labels.length == 0 && !source.labels().isEmpty()) {
      return new ElementPage.Builder(0, true).build(null);
    }
    Set<Integer> wanted = new HashSet<>();
    for (int label : labels) {
      wanted.add(label);
    }
    Detail detail = program.edgesNeedRows(0) ? Detail.PROPERTIES : Detail.KEYS;
    return rows.scanEdges(new Request.ScanEdges(wanted, view, detail, from));
  }

  /** Number of other servers that elements wait for. */
  private int others() {
    int others = 0;
    for (int to = 0; to < arrivals.length; to++) {
      Arrivals there = arrivals[to];
      others += to != server && there != null && there.size() > 0 ? 1 : 0;
    }
    return others;
  }

  private Map<Integer, List<FrontierPart>> takeOthers() {
    Map<Integer, List<FrontierPart>> toSend = new HashMap<>();
    for (int to = 0; to < arrivals.length; to++) {
      Arrivals there = arrivals[to];
      if (to != server && there != null && there.size() > 0) {
        toSend.put(to, there.drainParts());
      }
    }
    return toSend;
  }
}
