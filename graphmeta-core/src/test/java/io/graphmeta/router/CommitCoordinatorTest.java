package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

/**
 * Commits over shards that refuse, answer late or not at all, at random: what the client is told
 * agrees with what the shards hold. A failure names its seed; {@code -Dgraphmeta.seed=N} runs it
 * alone.
 */
class CommitCoordinatorTest {
  private static final long[] NOTHING = {};

  /** One shard's memory of parts, as the protocol describes it. */
  private static final class Participant {
    final Set<TransactionId> held = new HashSet<>();
    final Set<TransactionId> refused = new HashSet<>();
    final Map<TransactionId, Boolean> outcomes = new HashMap<>();
    final Map<Long, Response> committed = new HashMap<>();
    long closed;
  }

  private static class Participants implements Transport {
    private final SplittableRandom random;
    private final List<Participant> all = new ArrayList<>();
    private final double faults;
    private int commits;

    Participants(int shards, double faults, long seed) {
      this.random = new SplittableRandom(seed);
      this.faults = faults;
      for (int shard = 0; shard < shards; shard++) {
        all.add(new Participant());
      }
    }

    private boolean fault() {
      return random.nextDouble() < faults;
    }

    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      boolean lost = fault();
      Response answer;
      try {
        answer = lost && random.nextBoolean() ? null : answer(all.get(shard), call.request());
      } catch (GraphMetaException e) {
        return CompletableFuture.failedFuture(e);
      }
      return lost || answer == null
          ? CompletableFuture.failedFuture(
              new GraphMetaException(ErrorCode.TIMEOUT, "No answer in time"))
          : CompletableFuture.completedFuture(answer);
    }

    private Response answer(Participant shard, Request request) {
      if (request instanceof Request.Prepare prepare) {
        return prepare(shard, prepare);
      } else if (request instanceof Request.Inquire inquire) {
        TransactionId id = inquire.ids().get(0);
        if (!shard.held.contains(id)) {
          shard.refused.add(id);
          return new Response.Parts(List.of(PartState.ABSENT));
        }
        boolean committed = shard.outcomes.getOrDefault(id, false);
        return new Response.Parts(List.of(committed ? PartState.COMMITTED : PartState.HELD));
      } else if (request instanceof Request.Resolve resolve) {
        Boolean before = shard.outcomes.put(resolve.id(), resolve.committed());
        assertThat(before).isIn(null, resolve.committed());
        if (!resolve.committed()) {
          shard.held.remove(resolve.id());
          shard.refused.add(resolve.id());
        }
        return new Response.Done();
      }
      Request.Commit commit = (Request.Commit) request;
      return shard.committed.computeIfAbsent(
          commit.token(),
          token -> {
            commits++;
            return fault() ? new Response.Conflicted(2) : new Response.Stamped(commit.seen() + 1);
          });
    }

    private Response prepare(Participant shard, Request.Prepare prepare) {
      if (prepare.replaces() != null) {
        shard.held.remove(prepare.replaces());
        shard.refused.add(prepare.replaces());
      }
      TransactionId id = prepare.id();
      if (shard.refused.contains(id) || random.nextDouble() < faults / 4) {
        shard.refused.add(id);
        throw new GraphMetaException(ErrorCode.MISPLACED, "Entries are being moved");
      } else if (id.stamp() <= shard.closed || fault()) {
        shard.refused.add(id);
        shard.closed = Math.max(shard.closed, id.stamp());
        return new Response.TooLow(shard.closed);
      } else if (random.nextDouble() < faults / 4) {
        shard.refused.add(id);
        return new Response.Conflicted(1);
      }
      shard.held.add(id);
      return new Response.Prepared();
    }
  }

  private static CommitCoordinator coordinator(Participants shards) {
    RequestSender sender =
        new RequestSender(shards, VirtualNodeMap.roundRobin(1, 16, shards.all.size()), 1000);
    HybridClock clock = new HybridClock(InstantSource.system(), 0, 3_600_000_000L);
    return new CommitCoordinator(sender, new SeenStamp(), new ReentrantReadWriteLock(), clock, 9);
  }

  private static CommitPart part(int shard) {
    return new CommitPart(shard, new StagedRows(16), NOTHING, NOTHING);
  }

  @Test
  void overSeveralShardsTheClientIsToldWhatHappened() {
    Map<String, Integer> ends = new HashMap<>();
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 3000 : given); seed++) {
      int count = 2 + (int) (seed % 3);
      Participants shards = new Participants(count, 0.05 * (seed % 5), seed);
      List<CommitPart> parts = new ArrayList<>();
      for (int shard = 0; shard < count; shard++) {
        parts.add(part(shard));
      }
      String end;
      Set<TransactionId> everywhere = new HashSet<>();
      try {
        CommitResult result = coordinator(shards).commit(parts, 0);
        end = result.getClass().getSimpleName();
      } catch (GraphMetaException e) {
        end = e.code().name();
      }
      ends.merge(end, 1, Integer::sum);
      everywhere.addAll(shards.all.get(0).held);
      shards.all.forEach(shard -> everywhere.retainAll(shard.held));
      if (end.equals("Committed")) {
        assertThat(everywhere).as("held by all, seed %s", seed).hasSize(1);
      } else if (!end.equals("OUTCOME_UNKNOWN")) {
        assertThat(everywhere).as("held by all after %s, seed %s", end, seed).isEmpty();
      }
    }
    if (given == null) {
      assertThat(ends)
          .containsKeys("Committed", "Conflicted", "MISPLACED", "TIMEOUT", "OUTCOME_UNKNOWN");
      assertThat(ends.get("Committed")).isGreaterThan(1500);
    }
  }

  @Test
  void onOneShardACommitIsDoneOnce() {
    Map<String, Integer> ends = new HashMap<>();
    for (long seed = 1; seed <= 500; seed++) {
      Participants shards = new Participants(1, 0.3, seed);
      try {
        CommitResult result = coordinator(shards).commit(List.of(part(0)), 0);
        assertThat(shards.commits).as("seed %s", seed).isEqualTo(1);
        ends.merge(result.getClass().getSimpleName(), 1, Integer::sum);
      } catch (GraphMetaException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        ends.merge(e.code().name(), 1, Integer::sum);
      }
    }
    assertThat(ends).containsKeys("Committed", "Conflicted", "OUTCOME_UNKNOWN");
  }

  @Test
  void aStampThatShardsHaveClosedIsRaised() {
    Participants shards = new Participants(2, 0, 1);
    long closed = new HybridClock(InstantSource.system(), 0, 0).physicalStamp() + (1L << 34);
    shards.all.get(1).closed = closed;
    CommitResult result = coordinator(shards).commit(List.of(part(0), part(1)), 0);
    assertThat(((CommitResult.Committed) result).stamp()).isGreaterThan(closed);
    assertThat(shards.all.get(0).refused).hasSize(1); // the attempt before was replaced
    assertThat(shards.all.get(0).outcomes.values()).containsExactly(true);
  }

  @Test
  void itEndsWhenTheShardsMoveOnForEver() {
    Participants shards =
        new Participants(2, 0, 1) {
          @Override
          public CompletableFuture<Response> send(int shard, Call call) {
            return CompletableFuture.completedFuture(
                call.request() instanceof Request.Prepare prepare
                    ? new Response.TooLow(prepare.id().stamp())
                    : new Response.Done());
          }
        };
    assertThatThrownBy(() -> coordinator(shards).commit(List.of(part(0), part(1)), 0))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED))
        .hasMessageContaining("24 times");
  }
}
