package io.graphmeta.traversal;

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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lets the shards run a traversal without levels, as GraphTrek does: follows each of them, and sees
 * from the numbers of messages that they have sent and worked off when all is done. Belongs to one
 * thread.
 */
final class AsyncDriver implements Driver {
  private final TraversalShards asked;
  private final TraversalId id;
  private final Plan plan;
  private final PlanNames names;
  private final ReadView view;
  private final List<CompletableFuture<Response>> following = new ArrayList<>();
  private final Response.Progress[] newest;
  private final int[] runs;
  private final List<TraversalProfile.Part> parts = new ArrayList<>();
  private final long startedNanos = System.nanoTime();
  private long endedNanos;

  /** What shards answer that it began; empty when they have. */
  private List<@Nullable CompletableFuture<Response>> beginning = List.of();

  private boolean begun;
  private boolean ended;

  AsyncDriver(TraversalShards asked, TraversalId id, Plan plan, PlanNames names, ReadView view) {
    this.asked = asked;
    this.id = id;
    this.plan = plan;
    this.names = names;
    this.view = view;
    this.newest = new Response.Progress[asked.shards()];
    this.runs = new int[asked.shards()];
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
  public void run(Seeds seeds) {
    begun = true;
    List<@Nullable Request> starts = new ArrayList<>();
    for (int shard = 0; shard < newest.length; shard++) {
      starts.add(
          new Request.StartTraversal(
              id, plan, names, view, SeedParts.of(asked, seeds, shard), Manner.ASYNC));
    }
    beginning = asked.sendAll(starts);
    asked.awaitAll(beginning);
    for (CompletableFuture<Response> start : beginning) {
      asked.await(Objects.requireNonNull(start));
    }
    beginning = List.of();
    Request follow = new Request.FollowTraversal(id, false);
    asked
        .sendAll(Collections.nCopies(newest.length, follow))
        .forEach(told -> following.add(Objects.requireNonNull(told)));
    while (!isOver()) {
      awaitNews();
      if (isUntold()) {
        stop();
        break;
      }
    }
    endedNanos = System.nanoTime();
  }

  private CompletableFuture<Response> follow(int shard, boolean enough) {
    return asked.send(shard, new Request.FollowTraversal(id, enough));
  }

  /** Waits until a shard tells something. */
  private void awaitNews() {
    asked.await(
        CompletableFuture.anyOf(following.toArray(new CompletableFuture<?>[0]))
            .thenApply(Response.class::cast));
    for (int shard = 0; shard < newest.length; shard++) {
      CompletableFuture<Response> answer = following.get(shard);
      if (answer.isDone()) {
        told(shard, (Response.Progress) asked.await(answer));
        if (!isOver()) {
          following.set(shard, follow(shard, false));
        }
      }
    }
  }

  private void told(int shard, Response.Progress progress) {
    newest[shard] = progress;
    long now = System.nanoTime() - startedNanos;
    for (LevelWork work : progress.runs()) {
      parts.add(
          new TraversalProfile.Part(
              runs[shard]++,
              shard,
              work.frontier(),
              work.edges(),
              work.bytes(),
              work.messages(),
              work.cacheHits(),
              work.cacheMisses(),
              0,
              0,
              Math.max(0, now - work.workNanos()),
              work.workNanos(),
              0,
              0));
    }
  }

  /** Whether all that was sent to each shard is worked off. */
  @Override
  public boolean isOver() {
    for (Response.Progress progress : newest) {
      if (progress == null || !progress.idle()) {
        return false;
      }
    }
    for (int to = 0; to < newest.length; to++) {
      long sent = 0;
      for (Response.Progress from : newest) {
        sent += from.sent()[to];
      }
      if (sent != newest[to].workedOff()) {
        return false;
      }
    }
    return true;
  }

  /** Whether a count is already more than can be told. */
  private boolean isUntold() {
    long found = 0;
    for (Response.Progress progress : newest) {
      found = Ways.sum(found, progress == null ? 0 : progress.found());
    }
    return found == Ways.TOO_MANY && plan.result() instanceof PlanResult.Count;
  }

  /** Lets all shards leave what they are at, so that results can be fetched. */
  private void stop() {
    List<CompletableFuture<Response>> stopped = new ArrayList<>();
    for (int shard = 0; shard < newest.length; shard++) {
      stopped.add(follow(shard, true));
    }
    for (int shard = 0; shard < newest.length; shard++) {
      told(shard, (Response.Progress) asked.await(stopped.get(shard)));
      while (!newest[shard].idle()) {
        told(shard, (Response.Progress) asked.await(follow(shard, true)));
      }
    }
  }

  @Override
  public TraversalPage firstPage(int shard) {
    return TraversalPage.EMPTY;
  }

  @Override
  public boolean hasMore(int shard) {
    Response.Progress progress = newest[shard];
    return progress != null && progress.found() > 0;
  }

  @Override
  public boolean isHeld() {
    return begun && !ended;
  }

  @Override
  public TraversalProfile profile() {
    long until = endedNanos == 0 ? System.nanoTime() : endedNanos;
    return new TraversalProfile(Engine.ASYNC, until - startedNanos, parts);
  }

  @Override
  public void close() {
    if (isHeld()) {
      asked.end(id, beginning);
    }
    ended = true;
  }
}
