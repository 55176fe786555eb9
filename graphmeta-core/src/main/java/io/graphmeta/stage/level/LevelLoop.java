package io.graphmeta.stage.level;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.recording.LevelEvent;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.flow.Arrivals;
import io.graphmeta.stage.flow.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the levels of one traversal on one shard.
 *
 * <p>A level begins when all elements that were sent for it, or were reached for it here, become
 * work ({@link TraversalState} has the picture). It ends when no work and no hop is left, and what
 * was reached for other shards is sent. A level that takes too long can be left in between, and
 * gone on with later.
 *
 * <p>Vertices that have entries on other shards too are sent on to these shards within the level,
 * before the hops are made here, so that all shards make their parts of a hop at the same time.
 * What other shards send on is delivered at any time within a level, before this shard was told to
 * run the level or after it has run it; it becomes hops at once, and the elements that these reach
 * belong to the next level like all others.
 *
 * <p>In slices nothing waits for the rest of a level. Work is a stack: a slice of what is on top
 * goes up to its next hop and over it, and what that leads to here is laid on top. Slices are small
 * at first and become twice as large each time that one leads no further, so that the first results
 * cost little, and all of them not much more than they do in levels. What is left when results were
 * found stays until the client asks for more: each element that came is on the stack once, or was
 * gone on with.
 *
 * <p>Run by one thread at a time, which the caller sees to.
 */
public final class LevelLoop {
  /** So large that what has to be read from the store is read in one pass over it. */
  private static final int BATCH = 1 << 20;

  private static final Onward NOWHERE =
      (to, level, parts) -> {
        throw GraphMetaException.internal("What was sent on to a shard is sent on again");
      };

  /** Slices of one request, if few results or none are found by then. */
  private static final int MOST_SLICES = 48;

  /** How many times more results the client of slices is told each further time. */
  private static final int MORE_RESULTS = 64;

  private static final int MAX_LEVELS = 1 << 16;

  private final TraversalState state;
  private final Intake intake;
  private final IdleTime idleTime;
  private final LevelReads reads;
  private final LongSupplier nanoTime;

  private final boolean inSlices;
  private int slice;
  private long mostResults;

  /**
   * Runs what a traversal holds.
   *
   * @param intake what other shards send to it
   * @param idleTime what is done for it between levels
   * @param sliceElements elements in the first slice, and results after which the client is told
   * @param nanoTime a time that never goes back, in nanoseconds
   */
  public LevelLoop(
      TraversalState state,
      Intake intake,
      IdleTime idleTime,
      LevelReads reads,
      int sliceElements,
      LongSupplier nanoTime) {
    this.state = state;
    this.intake = intake;
    this.idleTime = idleTime;
    this.reads = reads;
    this.nanoTime = nanoTime;
    this.slice = sliceElements;
    this.mostResults = sliceElements;
    this.inSlices = state.manner.isInSlices();
  }

  /** Whether there is something to do. Asked by the thread that runs it. */
  public boolean hasWork() {
    return !state.results.isFull()
        && (state.source.isLeft()
            || pending() > 0
            || state.aside.size() > 0 && !state.connections.isWaiting());
  }

  /** How many elements wait here for a level. Asked while no thread runs it. */
  public long waiting() {
    return pending();
  }

  /** What a traversal that was not run yet has to tell. */
  public Response.LevelDone begun() {
    return new Response.LevelDone(
        -1,
        List.of(),
        pending(),
        new int[0],
        List.of(),
        false,
        state.source.isLeft(),
        TraversalPage.EMPTY,
        0);
  }

  /**
   * What a run did, and what is to be sent to other shards before the client is told.
   *
   * @param parts messages within the level that this run has worked off, by {@link
   *     Intake.SentOn#sender}
   */
  public record Ran(
      Response.LevelDone done,
      Map<Integer, List<FrontierPart>> toSend,
      List<Connections.Question> toAsk,
      List<Long> parts) {}

  /**
   * Runs a level, or goes on with one; more if no other shard is concerned.
   *
   * @param scan whether to go on with the scan that the traversal begins with
   * @param deadlineNanos when to stop and come back later, by the clock that was given
   * @param to sends other shards their part of the level
   */
  public Ran run(
      int firstLevel, Manner manner, boolean scan, long deadlineNanos, int pageBytes, Onward to) {
    idleTime.end();
    int level = firstLevel - 1;
    List<LevelWork> ran = new ArrayList<>();
    List<Long> taken = new ArrayList<>();
    boolean alone;
    try (OperationWalk walk = walk()) {
      do {
        level++;
        LevelMeter meter = new LevelMeter(walk::counts);
        LevelEvent event = LevelEvent.begun();
        LevelPass pass =
            new LevelPass(walk, level, deadlineNanos, meter.withoutTheTimeOf(to), taken);
        if (inSlices) {
          runSlices(pass, scan);
        } else if (scan && scanIsDue()) {
          scan(pass);
        } else {
          beginLevel(pass.level);
          runAll(pass);
        }
        alone = isAlone(pass);
        ran.add(done(meter, event, level, false, state.reached.others() + pass.sent));
      } while (manner == Manner.ALONE && alone && mayGoOn(scan) && before(deadlineNanos));
    }
    Map<Integer, List<FrontierPart>> toSend =
        ended(ran.stream().anyMatch(work -> work.cacheMisses() > 0));
    long pending = state.results.isFull() ? 0 : pending();
    boolean over =
        pending == 0
            && state.aside.size() == 0
            && (alone || state.results.isFull())
            && !state.source.isLeft()
            && manner == Manner.ALONE;
    boolean tell = over || inSlices && state.shards() == 1;
    return new Ran(
        new Response.LevelDone(
            level,
            ran,
            pending,
            shards(toSend),
            List.of(),
            !state.work.isEmpty() || !state.hops.isEmpty() || state.aside.size() > 0,
            state.source.isLeft(),
            tell ? state.results.take(pageBytes, reads.rows(), state.view) : TraversalPage.EMPTY,
            state.results.found()),
        toSend,
        state.connections.take(),
        taken);
  }

  private OperationWalk walk() {
    return new OperationWalk(
        state.program,
        state.view,
        state.splits,
        state.connections,
        state.seen,
        reads,
        new FrontierSink(state, state.reached, idleTime, reads.rows()));
  }

  /**
   * Works off what other shards have sent on within a level, whether or not this shard has been
   * told to run the level.
   */
  public RanParts runParts(long deadlineNanos) {
    idleTime.end();
    int level = intake.levelWithin();
    List<Long> taken = new ArrayList<>();
    LevelWork ran;
    try (OperationWalk walk = walk()) {
      LevelMeter meter = new LevelMeter(walk::counts);
      LevelEvent event = LevelEvent.begun();
      if (!inSlices) {
        beginLevel(level);
      }
      runHops(new LevelPass(walk, level, deadlineNanos, NOWHERE, taken));
      if (inSlices) {
        stack();
      }
      ran = done(meter, event, level, true, state.reached.others());
    }
    Map<Integer, List<FrontierPart>> toSend = ended(ran.cacheMisses() > 0);
    return new RanParts(
        new Response.PartsDone(
            state.shard(),
            level,
            ran,
            state.results.isFull() ? 0 : held(),
            shards(toSend),
            !state.hops.isEmpty(),
            state.results.found()),
        toSend,
        taken);
  }

  /** What was done of what other shards had sent on; as {@link Ran}. */
  public record RanParts(
      Response.PartsDone done, Map<Integer, List<FrontierPart>> toSend, List<Long> parts) {}

  /** One level, as it is run by one thread. */
  private static final class LevelPass {
    final OperationWalk walk;
    final int level;
    final long deadlineNanos;
    final Onward to;
    final List<Long> taken;

    /** Messages that were sent on. */
    int sent;

    LevelPass(OperationWalk walk, int level, long deadlineNanos, Onward to, List<Long> taken) {
      this.walk = walk;
      this.level = level;
      this.deadlineNanos = deadlineNanos;
      this.to = to;
      this.taken = taken;
    }
  }

  private LevelWork done(
      LevelMeter meter, LevelEvent event, int level, boolean within, int messages) {
    LevelWork done = meter.read(state.frontier, messages);
    state.frontier = 0;
    event.done(state.shard(), state.id, level, state.manner, within, done);
    return idleTime.addTo(done);
  }

  /** Ends a run, and returns what is to be sent for the next level. */
  private Map<Integer, List<FrontierPart>> ended(boolean missed) {
    if (state.results.isFull()) {
      state.work.clear();
      state.hops.clear();
      state.aside.drain();
      state.source.end();
      return Map.of();
    }
    if (state.hops.isEmpty() && idleTime != IdleTime.UNUSED) {
      readAhead(missed);
    }
    return state.reached.takeOthers();
  }

  private void readAhead(boolean missed) {
    Work next = state.work.peekFirst();
    VertexBatch vertices = next == null ? null : next.vertices();
    if (next != null && !inSlices) {
      return; // the level is not over
    }
    idleTime.begin(inSlices ? slice : Integer.MAX_VALUE, missed);
    state.reached.own().forEachVertices(idleTime::offer);
    intake.forEachVertices(idleTime::offer);
    if (next != null && vertices != null) {
      idleTime.offer(next.position(), Arrays.copyOf(vertices.keys(), Math.min(slice, next.size())));
    }
  }

  private static int[] shards(Map<Integer, List<FrontierPart>> toSend) {
    int[] shards = new int[toSend.size()];
    int count = 0;
    for (int shard : toSend.keySet()) {
      shards[count++] = shard;
    }
    return shards;
  }

  /** Whether the scan goes first: before the first level, so that equal elements meet in it. */
  private boolean scanIsDue() {
    return state.source.isLeft() && !state.results.isFull();
  }

  private boolean isAlone(LevelPass pass) {
    return state.reached.others() == 0 && pass.sent == 0;
  }

  /**
   * Whether this run goes on with the next level. A level that begins with a scan is over only when
   * everything was scanned; a run that does not scan, and finishes what an earlier run left of the
   * level, must then not begin the next level.
   */
  private boolean mayGoOn(boolean scan) {
    boolean scanned = scan || !state.source.isLeft();
    return !state.results.isFull()
        && state.aside.size() == 0
        && scanned
        && (pending() > 0 || scan && state.source.isLeft());
  }

  private boolean before(long deadlineNanos) {
    return nanoTime.getAsLong() - deadlineNanos < 0;
  }

  private long pending() {
    return held() + intake.size();
  }

  private long held() {
    return state.reached.own().size() + size(state.work) + size(state.hops);
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
    if (!state.manner.isInLevels() || state.begun < level) {
      state.begun = level;
      Arrivals here = state.reached.own();
      intake.take(level).forEach(here::add);
      state.frontier += here.size();
      state.work.addAll(here.drain());
    }
    if (!state.connections.isWaiting()) {
      state.work.addAll(state.aside.drain());
    }
  }

  /** Makes hops of what other shards have sent on. */
  private void takeParts(List<Long> taken) {
    Arrivals came = new Arrivals(state.program, state.maxFrontier);
    for (Intake.SentOn message : intake.takeWithinLevel()) {
      taken.add(message.sender());
      message.parts().forEach(came::add);
    }
    state.frontier += came.size();
    state.hops.addAll(came.drain());
  }

  /** Sends other shards their part of the level. */
  private void sendOn(LevelPass pass) {
    for (int other = 0; other < state.shards() && !state.results.isFull(); other++) {
      List<FrontierPart> parts = state.takeOnward(other);
      if (!parts.isEmpty()) {
        pass.sent++;
        pass.to.send(other, pass.level, parts);
      }
    }
  }

  /** Runs the work of this level up to the hops first, so that other shards hear of their part. */
  private void runAll(LevelPass pass) {
    while (!state.work.isEmpty() && !state.results.isFull()) {
      state.requireNotCancelled();
      pass.walk.run(nextBatch(state.work, BATCH));
      if (!before(pass.deadlineNanos)) {
        break;
      }
      if (size(state.hops) >= BATCH) {
        sendOn(pass);
        runHops(pass);
      }
    }
    sendOn(pass);
    runHops(pass);
  }

  /**
   * Runs slices until results are found, or another shard is concerned: on the only shard several
   * of them, for the client cannot say more than that it wants another.
   */
  private void runSlices(LevelPass pass, boolean scan) {
    intake.take(pass.level).forEach(state.reached.own()::add);
    stack();
    if (!state.connections.isWaiting()) {
      state.aside.drain().forEach(state.work::addFirst);
    }
    long told = state.results.found();
    int most = state.shards() == 1 ? MOST_SLICES : 1;
    for (int slices = 0; slices < most && isAlone(pass); slices++) {
      if (state.results.isFull() || !before(pass.deadlineNanos)) {
        return;
      }
      runSlice(pass, scan);
      if (!state.program.wanted().isCount() && state.results.found() - told >= mostResults) {
        mostResults *= MORE_RESULTS;
        return;
      }
    }
  }

  /** Runs what is on top of the stack, or what is scanned if nothing is. */
  private void runSlice(LevelPass pass, boolean scan) {
    state.requireNotCancelled();
    if (scan && held() == 0 && state.source.isLeft()) {
      Work scanned = scanPage(pass.walk, reads.firstRows());
      if (scanned != null) {
        state.work.add(scanned);
      }
    }
    if (!state.work.isEmpty()) {
      Work next = nextBatch(state.work, slice);
      state.frontier += next.size();
      pass.walk.run(next);
    }
    sendOn(pass);
    runHops(pass);
    if (state.reached.own().size() == 0 && isAlone(pass)) {
      slice = Math.min(BATCH, slice * 2);
    }
    stack();
  }

  /** Lays what was reached here on top of the work. */
  private void stack() {
    state.reached.own().drain().forEach(state.work::addFirst);
  }

  /** Makes the hops that are due, and those that other shards have sent on. */
  private void runHops(LevelPass pass) {
    takeParts(pass.taken);
    while (!state.hops.isEmpty() && !state.results.isFull() && before(pass.deadlineNanos)) {
      state.requireNotCancelled();
      pass.walk.run(nextBatch(state.hops, BATCH));
      if (state.hops.isEmpty()) {
        takeParts(pass.taken);
      }
    }
  }

  private static long size(ArrayDeque<Work> works) {
    long size = 0;
    for (Work work : works) {
      size += work.size();
    }
    return size;
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

  /** Goes on with the scan that the traversal begins with. */
  private void scan(LevelPass pass) {
    state.begun = Math.max(state.begun, pass.level);
    while (state.source.isLeft() && !state.results.isFull()) {
      state.requireNotCancelled();
      Work scanned = scanPage(pass.walk, reads.rows());
      if (scanned != null) {
        state.frontier += scanned.size();
        pass.walk.run(scanned);
      }
      sendOn(pass);
      runHops(pass);
      if (!before(pass.deadlineNanos)) {
        break;
      }
    }
  }

  /** Scans a page. Returns the vertices in it; edges go up to their next hop at once. */
  private @Nullable Work scanPage(OperationWalk walk, PageReader rows) {
    ElementPage page = state.source.next(rows, reads.candidates());
    if (state.source.isOfEdges()) {
      state.frontier += page.elements();
      walk.scannedEdges(page);
      return null;
    }
    long[] keys = new long[page.elements()];
    Arrays.setAll(keys, page::owner);
    return Work.vertices(0, VertexBatch.of(keys));
  }
}
