package io.graphmeta.traversal;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.Ways;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.router.TraversalShards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Drives the shards through the levels of a traversal. A level begins when all shards have done the
 * level before, so that all elements that ever arrive at a position at a level are there when it
 * begins. A shard tells that it has done a level when the shards to which it has sent elements on
 * within the level have worked them off. Belongs to one thread.
 *
 * <p>In slices there are no levels: the client asks each shard that holds elements for a slice, and
 * again, until there are results; scans go on only when all that was scanned was followed. The
 * level is then a number that rises, by which the shards tell messages.
 */
final class LevelDriver implements Driver {
  /** Slices of several shards, one after the other, without results. */
  private static final int MOST_ROUNDS = 48;

  private final TraversalShards asked;
  private final TraversalId id;
  private final Plan plan;
  private final PlanNames names;
  private final ReadView view;
  private final Engine engine;
  private final boolean inSlices;
  private final ShardState[] shards;
  private final List<TraversalProfile.Part> parts = new ArrayList<>();
  private final long startedNanos = System.nanoTime();
  private long endedNanos;
  private int level = -1;

  /** What shards answer that it began; empty when they have. */
  private List<@Nullable CompletableFuture<Response>> beginning = List.of();

  private boolean begun;
  private boolean over;
  private boolean ended;

  /** Whether the only shard has forgotten it. */
  private boolean forgotten;

  private int handedOut;
  private boolean slow;

  LevelDriver(
      TraversalShards asked,
      TraversalId id,
      Plan plan,
      PlanNames names,
      ReadView view,
      Engine engine,
      boolean inSlices) {
    this.asked = asked;
    this.id = id;
    this.plan = plan;
    this.names = names;
    this.view = view;
    this.engine = engine;
    this.inSlices = inSlices;
    this.shards = new ShardState[asked.shards()];
    Arrays.setAll(shards, shard -> new ShardState());
  }

  /** What the client knows of a shard. */
  private static final class ShardState {
    int runs;
    long pending;
    boolean unfinished;

    boolean scanLeft;
    long found;

    /** Of these, how many there were when results were handed out last. */
    long told;

    long doneNanos;
    TraversalPage page = TraversalPage.EMPTY;

    boolean hasWork() {
      return pending > 0 || unfinished;
    }
  }

  @Override
  public TraversalId id() {
    return id;
  }

  @Override
  public TraversalShards asked() {
    return asked;
  }

  @Override
  public TraversalPage firstPage(int shard) {
    return shards[shard].page;
  }

  @Override
  public boolean hasMore(int shard) {
    ShardState state = shards[shard];
    boolean toldNothing = state.page.size() == 0 && state.page.count() == 0;
    return state.page.more() || shards.length > 1 && toldNothing && state.found > state.told;
  }

  @Override
  public void run(Seeds seeds) {
    begun = true;
    List<@Nullable Request> starts = new ArrayList<>();
    for (int shard = 0; shard < shards.length; shard++) {
      starts.add(
          new Request.StartTraversal(
              id, plan, names, view, SeedParts.of(asked, seeds, shard), manner()));
    }
    long sentNanos = System.nanoTime();
    beginning = asked.sendAll(starts);
    take(beginning, sentNanos);
    beginning = List.of();
    ShardState first = shards[0];
    forgotten = shards.length == 1 && !first.hasWork() && !first.scanLeft && !first.page.more();
    goOnFrom(0);
  }

  private Manner manner() {
    boolean alone = shards.length == 1;
    boolean ahead = engine == Engine.PREFETCH && !alone;
    if (inSlices) {
      return ahead ? Manner.SLICES_AHEAD : Manner.SLICES;
    }
    return alone ? Manner.ALONE : ahead ? Manner.AHEAD : Manner.STEPWISE;
  }

  @Override
  public boolean goOn() {
    if (over) {
      return false;
    }
    for (ShardState shard : shards) {
      shard.told = shard.found;
      shard.page = TraversalPage.EMPTY;
    }
    handedOut++;
    goOnFrom(found());
    return true;
  }

  /** Runs until there are further results to hand out, or nothing is left to be done. */
  private void goOnFrom(long before) {
    slow = false;
    for (int rounds = 0; !over && !(inSlices && hasFurther(before)); rounds++) {
      if (inSlices && rounds >= (shards.length == 1 ? 1 : MOST_ROUNDS)) {
        slow = true;
        break;
      }
      List<@Nullable Request> next = isEnough() ? List.of() : inSlices ? nextSlices() : nextLevel();
      over = next.stream().allMatch(request -> request == null);
      if (!over) {
        send(next);
      }
    }
    endedNanos = System.nanoTime();
  }

  /** A count is one result; the only shard tells what it has counted with each answer. */
  private boolean hasFurther(long before) {
    boolean counting = plan.result() instanceof PlanResult.Count && shards.length > 1;
    return !counting && found() > before;
  }

  @Override
  public boolean isSlow() {
    return !over && (slow || handedOut > 0 && plan.range().high() == Long.MAX_VALUE);
  }

  @Override
  public boolean isOver() {
    return over
        || isEnough()
        || Arrays.stream(shards).noneMatch(shard -> shard.hasWork() || shard.scanLeft);
  }

  @Override
  public boolean isHeld() {
    return begun && !forgotten && !ended;
  }

  private long found() {
    long found = 0;
    for (ShardState shard : shards) {
      found = Ways.sum(found, shard.found);
    }
    return found;
  }

  private boolean isEnough() {
    long high = plan.range().high();
    return high < Long.MAX_VALUE && found() >= high;
  }

  /** What each shard is to do next, null for nothing. */
  private List<@Nullable Request> nextLevel() {
    boolean again = false;
    boolean scan = false;
    int active = 0;
    for (ShardState shard : shards) {
      again |= shard.unfinished;
      scan |= shard.scanLeft;
      active += shard.hasWork() || shard.scanLeft ? 1 : 0;
    }
    scan &= !again;
    level += again || scan ? 0 : 1;
    int next = Math.max(0, level);
    Manner manner = active == 1 ? Manner.ALONE : Manner.STEPWISE;
    List<@Nullable Request> requests = new ArrayList<>();
    for (ShardState shard : shards) {
      boolean due = scan ? shard.scanLeft : again ? shard.unfinished : shard.pending > 0;
      requests.add(due ? new Request.RunLevel(id, ++shard.runs, next, manner, scan) : null);
    }
    return requests;
  }

  /** A slice of each shard that holds elements; a page of the scan if none does. */
  private List<@Nullable Request> nextSlices() {
    boolean scan = Arrays.stream(shards).noneMatch(ShardState::hasWork);
    level++;
    List<@Nullable Request> requests = new ArrayList<>();
    for (ShardState shard : shards) {
      boolean due = scan ? shard.scanLeft : shard.hasWork();
      boolean mayScan = scan || shards.length == 1;
      requests.add(
          due ? new Request.RunLevel(id, ++shard.runs, level, Manner.SLICES, mayScan) : null);
    }
    return requests;
  }

  private void send(List<@Nullable Request> requests) {
    long sentNanos = System.nanoTime();
    take(asked.sendAll(requests), sentNanos);
  }

  private void take(List<@Nullable CompletableFuture<Response>> answers, long sentNanos) {
    asked.awaitAll(answers);
    BitSet sentTo = new BitSet();
    List<Response.PartsDone> elsewhere = new ArrayList<>();
    for (int shard = 0; shard < answers.size(); shard++) {
      CompletableFuture<Response> answer = answers.get(shard);
      if (answer != null) {
        Response.LevelDone done = (Response.LevelDone) asked.await(answer);
        done(shard, done, sentNanos);
        Arrays.stream(done.sentTo()).forEach(sentTo::set);
        elsewhere.addAll(done.elsewhere());
      }
    }
    for (Response.PartsDone done : elsewhere) {
      done(done, sentNanos);
      Arrays.stream(done.sentTo()).forEach(sentTo::set);
    }
    // A shard may have answered before elements came that were sent to it; it counts them when it
    // is asked next.
    sentTo.stream().forEach(to -> shards[to].pending = Math.max(1, shards[to].pending));
  }

  private void done(int shard, Response.LevelDone done, long sentNanos) {
    ShardState state = shards[shard];
    long now = System.nanoTime();
    long waited = state.doneNanos == 0 ? 0 : sentNanos - state.doneNanos;
    int ran = done.level() - done.levels().size() + 1;
    long workedNanos = 0;
    for (LevelWork work : done.levels()) {
      parts.add(part(ran++, shard, work, sentNanos, waited));
      waited = 0;
      workedNanos += work.workNanos();
    }
    level = Math.max(level, done.level());
    // Its answer is looked at when all have come.
    state.doneNanos = Math.min(now, sentNanos + workedNanos);
    state.pending = done.pending();
    state.unfinished = done.unfinished();
    state.scanLeft = done.scanLeft();
    state.found = done.found();
    state.page = done.page();
  }

  /** What a shard did within a level of another; it answers for its own levels by itself. */
  private void done(Response.PartsDone done, long sentNanos) {
    ShardState state = shards[done.shard()];
    parts.add(part(done.level(), done.shard(), done.work(), sentNanos, 0));
    state.pending = Math.max(state.pending, done.pending());
    state.unfinished |= done.unfinished();
    state.found = Math.max(state.found, done.found());
  }

  private TraversalProfile.Part part(
      int ran, int shard, LevelWork work, long sentNanos, long waited) {
    return new TraversalProfile.Part(
        ran,
        shard,
        work.frontier(),
        work.edges(),
        work.bytes(),
        work.messages(),
        work.cacheHits(),
        work.cacheMisses(),
        work.prefetched(),
        work.prefetchUsed(),
        sentNanos - startedNanos,
        work.workNanos(),
        waited,
        work.prefetchNanos());
  }

  @Override
  public TraversalProfile profile() {
    if (engine == Engine.PREFETCH && shards.length > 1 && endedNanos != 0 && !ended) {
      lateReading();
    }
    long until = endedNanos == 0 ? System.nanoTime() : endedNanos;
    return new TraversalProfile(engine, until - startedNanos, parts);
  }

  /**
   * What shards read ahead after their last level, when no further level asks for it. Not to know
   * it of one harms no result.
   */
  private void lateReading() {
    for (int shard = 0; shard < shards.length; shard++) {
      Response.Progress late;
      try {
        late = asked.call(shard, new Request.FollowTraversal(id, false), Response.Progress.class);
      } catch (GraphMetaException e) {
        continue;
      }
      for (LevelWork work : late.runs()) {
        if (work.prefetched() > 0) {
          parts.add(part(level + 1, shard, work, endedNanos, 0));
        }
      }
    }
  }

  /** Ends the traversal where a shard may still hold it, without waiting. */
  @Override
  public void close() {
    if (isHeld()) {
      asked.end(id, beginning);
    }
    ended = true;
  }
}
