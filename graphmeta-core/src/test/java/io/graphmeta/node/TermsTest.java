package io.graphmeta.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.Stamp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a replica answers when it follows, leads, has been deposed, and resigns. */
@Timeout(60)
class TermsTest {
  /** Long enough for any machine, if nothing is waited for. */
  private static final Duration FOLLOWS_AT_MOST = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private HostedShard hosted;

  /** A log of one term: applies at once, and is confirmed and ended by the test. */
  private static final class TermLog implements ReplicationLog {
    final StorageEngine store;
    CompletableFuture<Void> confirmed = CompletableFuture.completedFuture(null);
    volatile @Nullable Throwable stopped;
    volatile boolean closed;
    private Told told = Told.NOBODY;

    TermLog(StorageEngine store) {
      this.store = store;
    }

    @Override
    public synchronized CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      if (stopped != null || closed) {
        throw new GraphMetaException(ErrorCode.NOT_LEADER, "The term is over");
      }
      told.ordered(entry);
      store.write(entry, Durability.BACKGROUND);
      told.applied(entry);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public CompletableFuture<Void> confirm() {
      return confirmed;
    }

    @Override
    public void tell(Told of) {
      told = of;
    }

    @Override
    public void stop(Throwable cause) {
      stopped = cause;
    }

    @Override
    public @Nullable Throwable stopped() {
      return stopped;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private HostedShard replica(String name, int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.of(
            Map.of(Setting.DIRECTORY.key(), directory.toString(), Setting.SHARDS.key(), shards));
    HostSettings settings = new HostSettings(config, Hosting.ofReplicas("c", List.of(0), 1));
    return HostedShard.replica(
        0,
        new StorePlace(directory.resolve(name), store -> {}),
        true,
        settings,
        InstantSource.system());
  }

  @BeforeEach
  void open() {
    hosted = replica("shard", 1);
    hosted.join(
        (shard, call) ->
            CompletableFuture.failedFuture(
                new GraphMetaException(ErrorCode.UNAVAILABLE, "There are no others")));
  }

  @AfterEach
  void close() {
    hosted.close();
  }

  private TermLog lead() {
    TermLog log = new TermLog(hosted.store());
    hosted.lead(log, 0);
    return log;
  }

  private CompletableFuture<Response> ask(Request request) {
    return hosted.handle(new Call(VirtualNodeMap.FIRST_EPOCH, 10_000, request));
  }

  private long lease() {
    return ((Response.Leased)
            ask(new Request.Lease(Request.SequenceKind.EDGE_SEQUENCE, 10, 0)).join())
        .first();
  }

  private static void assertNotLed(CompletableFuture<Response> answer) {
    assertThatThrownBy(answer::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER));
  }

  @Test
  void whoFollowsAnswersNothing() {
    assertThat(hosted.isLed()).isFalse();
    assertNotLed(ask(new Request.Snapshot(0)));
    assertNotLed(ask(new Request.Lease(Request.SequenceKind.EDGE_SEQUENCE, 10, 0)));
    Call call = new Call(VirtualNodeMap.FIRST_EPOCH, 10_000, new Request.Snapshot(0));
    assertThat(hosted.answerAtOnce(call)).isNull();
    lead();
    assertThat(ask(new Request.Snapshot(0)).join()).isInstanceOf(Response.Stamped.class);
    hosted.follow();
    assertNotLed(ask(new Request.Snapshot(0)));
  }

  @Test
  void whatATermHasWrittenTheNextOneKnows() {
    lead();
    long first = lease();
    hosted.follow();
    lead();
    assertThat(lease()).isGreaterThanOrEqualTo(first + 10);
  }

  @Test
  void aBeginWaitsUntilItIsKnownWhoLeads() {
    TermLog log = lead();
    ask(new Request.Snapshot(0)).join(); // all up to the bound of the stamps can be closed now
    log.confirmed = new CompletableFuture<>();
    Call call = new Call(VirtualNodeMap.FIRST_EPOCH, 10_000, new Request.Snapshot(0));
    assertThat(hosted.answerAtOnce(call)).isNull();
    CompletableFuture<Response> begin = ask(new Request.Snapshot(0));
    assertThat(begin).isNotDone();
    log.confirmed.complete(null);
    assertThat(begin.join()).isInstanceOf(Response.Stamped.class);
    log.confirmed = new CompletableFuture<>();
    CompletableFuture<Response> failing = ask(new Request.Snapshot(0));
    log.confirmed.completeExceptionally(
        new GraphMetaException(ErrorCode.NOT_LEADER, "Another replica is in a later term"));
    assertNotLed(failing);
  }

  /** Such reads are looked at from a snapshot that the next leader may have given. */
  @Test
  void whatIsReadWithoutASnapshotCountsOnlyIfNobodyElseLed() {
    TermLog log = lead();
    for (Request request :
        List.of(
            new Request.ReadSchema(),
            new Request.ReadSplits(new long[] {1}, true),
            new Request.Incarnations(List.of("a"), false, 0))) {
      log.confirmed = new CompletableFuture<>();
      CompletableFuture<Response> read = ask(request);
      assertThat(read).as("%s", request).isNotDone();
      log.confirmed.complete(null);
      read.join();
      log.confirmed =
          CompletableFuture.failedFuture(
              new GraphMetaException(ErrorCode.NOT_LEADER, "Another replica is in a later term"));
      assertNotLed(ask(request));
    }
  }

  /** The term ends while a read is under way: what it has read may be of the next term. */
  @Test
  void whatADeposedLeaderHasReadDoesNotCount() {
    TermLog log = lead();
    log.confirmed = new CompletableFuture<>();
    CompletableFuture<Response> begin = ask(new Request.Snapshot(0));
    log.stop(new IllegalStateException("planted"));
    log.confirmed.complete(null);
    assertNotLed(begin);
    assertNotLed(ask(new Request.ReadWatermark()));
    assertNotLed(ask(new Request.Lease(Request.SequenceKind.EDGE_SEQUENCE, 10, 0)));
  }

  @Test
  void whoResignsLeavesNoStampsAhead() {
    lead();
    lease();
    ask(new Request.Snapshot(0)).join();
    long ahead = Shard.aheadMicros(hosted.store(), InstantSource.system());
    assertThat(ahead).as("while it leads").isGreaterThan(0);
    TermLog last = new TermLog(hosted.store());
    hosted.follow();
    hosted.lead(last, 0);
    ask(new Request.Snapshot(0)).join();
    hosted.resign();
    assertNotLed(ask(new Request.Snapshot(0)));
    assertThat(last.closed).isTrue();
    assertThat(Shard.aheadMicros(hosted.store(), InstantSource.system()))
        .as("microseconds that the next leader waits")
        .isLessThan(100_000);
    hosted.follow();
    lead();
    assertThat(ask(new Request.Snapshot(0)).join()).isInstanceOf(Response.Stamped.class);
  }

  /** A leader that was lost may have promised all that its bound, which this store has not, let. */
  @Test
  void whoGoesOnAfterALossGivesNothingThatMayHaveBeenGiven() {
    TermLog log = new TermLog(hosted.store());
    long before = Stamp.epochMicros(InstantSource.system().instant());
    hosted.lead(log, 0);
    long leased = lease();
    hosted.follow();
    hosted.lead(new TermLog(hosted.store()), 1);
    long again = lease();
    assertThat(again)
        .as("numbers that a lost entry may have given")
        .isGreaterThan(leased + 1_000_000);
    long snapshot = ((Response.Stamped) ask(new Request.Snapshot(0)).join()).stamp();
    assertThat(Stamp.micros(snapshot))
        .as("microseconds; a bound is raised by a second above stamps that may be 0.5 s ahead")
        .isGreaterThan(before + 1_500_000);
    hosted.follow();
    hosted.lead(new TermLog(hosted.store()), 1);
    assertThat(lease()).as("once for each loss").isLessThan(again + 1_000_000);
  }

  /** The shard may be wanted by the very call that one of its threads has under way. */
  @Test
  void whoLeadsNoMoreWaitsForNoAnswerOfOthers() throws Exception {
    try (HostedShard one = replica("one", 2)) {
      for (int term = 1; term <= 3; term++) {
        BlockingQueue<CompletableFuture<Response>> asked = new LinkedBlockingQueue<>();
        one.join(
            (shard, call) -> {
              CompletableFuture<Response> unanswered = new CompletableFuture<>();
              asked.add(unanswered);
              return unanswered;
            });
        TermLog log = new TermLog(one.store());
        one.lead(log, 0);
        CompletableFuture<Response> unanswered = asked.take();
        log.stop(new GraphMetaException(ErrorCode.NOT_LEADER, "Another one leads"));
        CompletableFuture<Void> follows = CompletableFuture.runAsync(one::follow);
        try {
          assertThat(follows).succeedsWithin(FOLLOWS_AT_MOST);
          assertThat(unanswered).isCancelled();
        } finally {
          unanswered.cancel(true);
        }
        assertThat(asked).as("calls after the first of term %d", term).isEmpty();
      }
    }
  }
}
