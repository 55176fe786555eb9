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
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a client makes of the answers to one commit: the outcome that it tells, the error that it
 * chooses among several, what it tells the shards, and how far above a closed stamp it tries again.
 */
class CommitOutcomesTest {
  private static final long[] NOTHING = {};
  private static final long NOW_MICROS = 1_700_000_000_000_000L;
  private static final long ALLOWED_MILLIS = 1_000;
  private static final long NOW = Stamp.startOfMicros(NOW_MICROS);

  private final ReentrantReadWriteLock closing = new ReentrantReadWriteLock();
  private final SeenStamp seen = new SeenStamp();
  private final List<Request.Commit> commits = new ArrayList<>();
  private final List<Request.Prepare> prepares = new ArrayList<>();
  private final List<Request.Resolve> resolves = new ArrayList<>();
  private int inquiries;
  private long pausedMicros;

  /** Answers that are taken in the order of the requests; the last one again and again. */
  private final Deque<Object> script = new ArrayDeque<>();

  private PartState state = PartState.HELD;

  private CompletableFuture<Response> answer(Request request) {
    if (request instanceof Request.Resolve resolve) {
      resolves.add(resolve);
      return CompletableFuture.completedFuture(new Response.Done());
    } else if (request instanceof Request.Inquire) {
      inquiries++;
      return CompletableFuture.completedFuture(new Response.Parts(List.of(state)));
    }
    if (request instanceof Request.Prepare prepare) {
      prepares.add(prepare);
      assertThat(closing.isWriteLockedByCurrentThread()).isEqualTo(prepare.replaces() != null);
    } else {
      commits.add((Request.Commit) request);
    }
    Object answer = script.size() > 1 ? script.remove() : script.element();
    return answer instanceof ErrorCode code
        ? CompletableFuture.failedFuture(new GraphMetaException(code, "Failed with " + code))
        : CompletableFuture.completedFuture((Response) answer);
  }

  private CommitCoordinator coordinator(int shards, long client) {
    Transport transport =
        new Transport() {
          @Override
          public CompletableFuture<Response> send(int shard, Call call) {
            if (call.request() instanceof Request.Commit) {
              assertThat(closing.getReadHoldCount()).isEqualTo(shards == 1 ? 0 : 1);
            }
            return answer(call.request());
          }

          @Override
          public void pause(long micros) {
            pausedMicros += micros;
          }
        };
    RequestSender sender =
        new RequestSender(transport, VirtualNodeMap.roundRobin(1, 16, shards), ALLOWED_MILLIS);
    HybridClock clock =
        new HybridClock(() -> Instant.EPOCH.plusNanos(NOW_MICROS * 1000), 0, 3_600_000_000L);
    return new CommitCoordinator(sender, seen, closing, clock, client);
  }

  private static List<CommitPart> parts(int count) {
    return IntStream.range(0, count)
        .mapToObj(shard -> new CommitPart(shard, new StagedRows(16), NOTHING, NOTHING))
        .toList();
  }

  private void assertNothingLocked() {
    assertThat(closing.isWriteLocked()).isFalse();
    assertThat(closing.getReadLockCount()).isZero();
  }

  // One shard

  private String endOfOne(int shards, Object... answers) {
    script.clear();
    script.addAll(Arrays.asList(answers));
    commits.clear();
    String end;
    try {
      end = coordinator(shards, 9).commit(parts(1), 5).toString();
    } catch (GraphMetaException e) {
      end = e.code().name();
    }
    assertThat(commits).extracting(Request.Commit::token).containsOnly(commits.get(0).token());
    assertNothingLocked();
    return end;
  }

  @ParameterizedTest
  @CsvSource({"1", "3"})
  void oneShardsAnswerIsTheOutcome(int shards) {
    seen.saw(33);
    assertThat(endOfOne(shards, new Response.Stamped(77)))
        .isEqualTo(new CommitResult.Committed(77).toString());
    assertThat(commits.get(0).seen()).isEqualTo(33);
    assertThat(commits.get(0).snapshot()).isEqualTo(5);
    for (int check : new int[] {-1, 0, 4}) {
      assertThat(endOfOne(shards, new Response.Conflicted(check)))
          .isEqualTo(new CommitResult.Conflicted(0, check).toString());
    }
    assertThat(endOfOne(shards, ErrorCode.MISPLACED)).isEqualTo("MISPLACED");
    assertThat(commits).hasSize(1);
  }

  /** A shard that has forgotten the first message refuses the second for its old snapshot. */
  @Test
  void afterASilenceTheAnswerToTheSameTokenIsTheOutcomeIfItCanBe() {
    for (ErrorCode silence : List.of(ErrorCode.TIMEOUT, ErrorCode.UNREACHABLE)) {
      assertThat(endOfOne(1, silence, new Response.Stamped(77)))
          .isEqualTo(new CommitResult.Committed(77).toString());
      for (int check : new int[] {0, 4}) {
        assertThat(endOfOne(1, silence, new Response.Conflicted(check)))
            .isEqualTo(new CommitResult.Conflicted(0, check).toString());
      }
      assertThat(endOfOne(1, silence, new Response.Conflicted(-1))).isEqualTo("OUTCOME_UNKNOWN");
      assertThat(endOfOne(1, silence, ErrorCode.CLOSED)).isEqualTo("OUTCOME_UNKNOWN");
      for (int check : new int[] {Response.Conflicted.TOO_OLD}) {
        assertThat(endOfOne(1, silence, new Response.Conflicted(check)))
            .as("a shard that knows that it was not done")
            .isEqualTo(new CommitResult.Conflicted(0, check).toString());
      }
    }
    assertThat(endOfOne(1, ErrorCode.TIMEOUT)).isEqualTo("OUTCOME_UNKNOWN");
    assertThat(commits).hasSize(3);
  }

  /** A node that was reached once is asked until it is there again, or the time is over. */
  @Test
  void aNodeThatIsAwayIsAwaited() {
    for (int times : new int[] {1, 3, 6}) {
      List<Object> answers = new ArrayList<>(List.of(ErrorCode.UNREACHABLE));
      answers.addAll(Collections.nCopies(times, ErrorCode.UNAVAILABLE));
      answers.add(new Response.Stamped(77));
      assertThat(endOfOne(1, answers.toArray()))
          .isEqualTo(new CommitResult.Committed(77).toString());
      assertThat(commits).hasSize(times + 2);
    }
    pausedMicros = 0;
    assertThat(endOfOne(1, ErrorCode.UNREACHABLE, ErrorCode.UNAVAILABLE))
        .isEqualTo("OUTCOME_UNKNOWN");
    assertThat(pausedMicros / 1000).isBetween(ALLOWED_MILLIS, 2 * ALLOWED_MILLIS);
    pausedMicros = 0;
    assertThat(endOfOne(1, ErrorCode.UNAVAILABLE)).as("never sent").isEqualTo("UNAVAILABLE");
    assertThat(pausedMicros).isZero();
  }

  /**
   * Parts that came too late often lead the clock by more; the answer waits for it all the same.
   */
  @Test
  void theAnswerWaitsForTheClockHoweverOftenPartsCameTooLate() {
    for (int times = 1; times < 24; times++) {
      script.clear();
      prepares.clear();
      pausedMicros = 0;
      for (int i = 0; i < 2 * times; i++) {
        script.add(new Response.TooLow(NOW));
      }
      script.add(new Response.Prepared());
      coordinator(2, 9).commit(parts(2), 5);
      long stamp = prepares.get(prepares.size() - 1).id().stamp();
      assertThat(NOW_MICROS + pausedMicros)
          .as("after %d parts that came too late", times)
          .isGreaterThanOrEqualTo(Stamp.micros(stamp));
    }
  }

  @Test
  void eachCommitOfEachClientHasATokenOfItsOwn() {
    script.add(new Response.Stamped(77));
    Set<Long> clients = new HashSet<>();
    SplittableRandom random = new SplittableRandom(3);
    for (long i = 0; i < 50; i++) {
      clients.addAll(List.of(i, -1 - i, (i + 1) << 32, random.nextLong()));
    }
    for (long client : clients) {
      CommitCoordinator coordinator = coordinator(1, client);
      for (int i = 0; i < 100; i++) {
        coordinator.commit(parts(1), 5);
      }
    }
    Set<Long> tokens = new HashSet<>();
    commits.forEach(commit -> tokens.add(commit.token()));
    assertThat(tokens.size()).isEqualTo(100 * clients.size());
  }

  // Several shards

  /** The answers to the first parts and to questions at random, the next parts all taken. */
  @Test
  void allAnswersTogetherDecide() {
    Map<String, Integer> ends = new HashMap<>();
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 4000 : given); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Object> answers = new ArrayList<>();
      for (int shard = 2 + random.nextInt(3); shard > 0; shard--) {
        answers.add(randomAnswer(random));
      }
      state = PartState.values()[random.nextInt(4)];
      prepares.clear();
      resolves.clear();
      inquiries = 0;
      script.clear();
      script.addAll(answers);
      script.add(new Response.Prepared());
      String end;
      try {
        end = coordinator(answers.size(), 9).commit(parts(answers.size()), 5).toString();
      } catch (GraphMetaException e) {
        end = e.code().name();
      }
      String what = "answers " + answers + ", then " + state + ", seed " + seed;
      assertThat(end).as(what).isEqualTo(expected(answers, what));
      assertNothingLocked();
      ends.merge(end.replaceAll("\\[.*", ""), 1, Integer::sum);
    }
    if (given == null) {
      assertThat(ends)
          .containsOnlyKeys(
              "Committed",
              "Conflicted",
              "MISPLACED",
              "TIMEOUT",
              "UNREACHABLE",
              "INTERNAL",
              "STORAGE_FAILURE",
              "OUTCOME_UNKNOWN");
    }
  }

  private static Object randomAnswer(SplittableRandom random) {
    return switch (random.nextInt(12)) {
      case 0 -> new Response.Conflicted(random.nextInt(4) - 1);
      case 1, 2 -> new Response.TooLow(NOW + random.nextLong(1L << 30));
      case 3 -> ErrorCode.TIMEOUT;
      case 4 -> ErrorCode.UNREACHABLE;
      case 5 -> ErrorCode.MISPLACED;
      case 6 -> ErrorCode.INTERNAL;
      case 7 -> ErrorCode.STORAGE_FAILURE;
      default -> new Response.Prepared();
    };
  }

  /** What the client is to tell; checks what it has told the shards. */
  private String expected(List<Object> answers, String what) {
    int shards = answers.size();
    TransactionId first = prepares.get(0).id();
    long closed = 0;
    Object refused = null;
    ErrorCode failure = null;
    for (Object answer : answers) {
      if (answer instanceof Response.TooLow tooLow) {
        closed = Math.max(closed, tooLow.closed());
      } else if (answer instanceof Response.Conflicted && refused == null) {
        refused = answer;
      } else if (answer instanceof ErrorCode code
          && (failure == null || failure.leavesOutcomeOpen())) {
        failure = code; // the first that is not a silence
      }
    }
    if (refused instanceof Response.Conflicted conflicted) {
      assertResolved(shards, first, false, what);
      return new CommitResult.Conflicted(answers.indexOf(refused), conflicted.check()).toString();
    } else if (answers.contains(ErrorCode.MISPLACED)) {
      assertResolved(shards, first, false, what);
      return "MISPLACED";
    } else if (failure != null && (closed == 0 || !failure.leavesOutcomeOpen())) {
      boolean known = state != PartState.COVERED;
      assertThat(inquiries).as(what).isEqualTo(shards); // who has forgotten will not remember
      if (!known) {
        assertThat(resolves).as(what).isEmpty();
        return "OUTCOME_UNKNOWN";
      }
      assertResolved(shards, first, state != PartState.ABSENT, what);
      return state == PartState.ABSENT
          ? failure.name()
          : new CommitResult.Committed(first.stamp()).toString();
    }
    assertThat(inquiries).as(what).isZero();
    TransactionId last = prepares.get(prepares.size() - 1).id();
    assertThat(prepares).as(what).hasSize(closed == 0 ? shards : 2 * shards);
    if (closed != 0) {
      assertThat(last.stamp()).as(what).isGreaterThan(closed);
      assertThat(prepares.subList(shards, 2 * shards))
          .allSatisfy(again -> assertThat(again.replaces()).isEqualTo(first));
    }
    assertResolved(shards, last, true, what);
    return new CommitResult.Committed(last.stamp()).toString();
  }

  private void assertResolved(int shards, TransactionId id, boolean committed, String what) {
    assertThat(resolves).as(what).hasSize(shards).containsOnly(new Request.Resolve(id, committed));
  }

  @Test
  void theStampLiesAboveTheSnapshotAndWhatTheClientHasSeen() {
    script.add(new Response.Prepared());
    long later = Stamp.plusMicros(NOW, 500);
    CommitResult afterSnapshot = coordinator(2, 9).commit(parts(2), later);
    assertThat(((CommitResult.Committed) afterSnapshot).stamp()).isGreaterThan(later);
    seen.saw(Stamp.plusMicros(later, 500));
    CommitResult afterSeen = coordinator(2, 9).commit(parts(2), later);
    assertThat(((CommitResult.Committed) afterSeen).stamp()).isGreaterThan(seen.get());
  }

  /** The shards close a stamp each time that is just that of the attempt. */
  @Test
  void eachAttemptAimsFurtherAheadUpToALimitAndTheLastOneIsUndone() {
    Transport transport =
        new Transport() {
          @Override
          public CompletableFuture<Response> send(int shard, Call call) {
            if (call.request() instanceof Request.Prepare prepare) {
              script.clear();
              script.add(new Response.TooLow(prepare.id().stamp()));
            }
            return answer(call.request());
          }
        };
    RequestSender sender = new RequestSender(transport, VirtualNodeMap.roundRobin(1, 16, 2), 1000);
    HybridClock clock =
        new HybridClock(() -> Instant.EPOCH.plusNanos(NOW_MICROS * 1000), 0, 3_600_000_000L);
    CommitCoordinator coordinator = new CommitCoordinator(sender, seen, closing, clock, 9);
    assertThatThrownBy(() -> coordinator.commit(parts(2), 5))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    assertNothingLocked();
    assertThat(prepares).hasSize(2 * 24);
    assertResolved(2, prepares.get(47).id(), false, "the last attempt");
    long[] leads = new long[24];
    for (int attempt = 1; attempt < 24; attempt++) {
      leads[attempt] =
          Stamp.micros(
              prepares.get(2 * attempt).id().stamp() - prepares.get(2 * attempt - 2).id().stamp());
    }
    assertThat(leads[1]).isZero();
    assertThat(leads[2]).isBetween(10L, 100L);
    for (int attempt = 3; attempt < 24; attempt++) {
      assertThat(leads[attempt])
          .as("lead of attempt %s", attempt)
          .isEqualTo(Math.min(50_000, 2 * leads[attempt - 1]));
    }
  }
}
