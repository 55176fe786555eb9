package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A log over a group that agrees, fails and takes its time at random; {@code -Dgraphmeta.seed=N}
 * replays a seed.
 */
@Timeout(120)
class ProposedLogTest {
  private static final int SEEDS = Integer.getInteger("graphmeta.seeds", 300);

  /** Keeps what is proposed, and its futures. */
  private static final class SlowGroup implements ProposedLog.Group {
    record Proposal(byte[] entry, CompletableFuture<Void> done) {}

    final Deque<Proposal> proposals = new ArrayDeque<>();
    final List<ProposedLog> ended = new ArrayList<>();
    int most;
    int largest;

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
      Proposal proposal = new Proposal(entry, new CompletableFuture<>());
      proposals.add(proposal);
      most = Math.max(most, proposals.size());
      largest = Math.max(largest, entry.length);
      return proposal.done();
    }

    @Override
    public CompletableFuture<Void> confirm() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void ended(ProposedLog log) {
      ended.add(log);
    }

    @Override
    public void later(Runnable work) {
      work.run();
    }

    byte[] agree(Applier applier) {
      Proposal next = proposals.remove();
      applier.apply(next.entry());
      next.done().complete(null);
      return next.entry();
    }
  }

  private static final class Story implements ReplicationLog.Told {
    final List<Integer> ordered = new ArrayList<>();
    final List<Integer> applied = new ArrayList<>();

    @Override
    public void ordered(RowBatch entry) {
      ordered.add(entry.sizeBytes());
    }

    @Override
    public void applied(RowBatch entry) {
      applied.add(entry.sizeBytes());
    }
  }

  /** Applies as a replica does. */
  private static final class Applier {
    final List<byte[]> batches = new ArrayList<>();
    private final ProposedLog log;
    private byte[] joined = new byte[0];
    private int bytes;

    Applier(ProposedLog log) {
      this.log = log;
    }

    void apply(byte[] entry) {
      EntryForm.Content content = EntryForm.read(ByteBuffer.wrap(entry));
      assertThat(content.log()).isEqualTo(log.number());
      List<byte[]> whole = content.batches();
      if (content.isPiece()) {
        byte[] piece = content.batches().get(0);
        joined = content.from() == 0 ? new byte[content.wholeBytes()] : joined;
        bytes = content.from() == 0 ? 0 : bytes;
        assertThat(content.from()).isEqualTo(bytes);
        System.arraycopy(piece, 0, joined, bytes, piece.length);
        bytes += piece.length;
        whole = bytes < joined.length ? List.of() : List.of(joined);
      }
      batches.addAll(whole);
      log.applied(
          content.position(),
          whole.stream()
              .map(
                  rows -> {
                    RowBatch batch = new RowBatch(64);
                    batch.putCopied(rows, 0, rows.length);
                    return batch;
                  })
              .toList());
    }
  }

  /** A group that agrees on nothing does not fill the heap. */
  @Test
  void whatWaitsIsRefusedBeforeTheHeapIsFull() {
    SlowGroup group = new SlowGroup();
    ProposedLog log = new ProposedLog(11, group);
    Applier applier = new Applier(log);
    int batchBytes = 1 << 20;
    long most = Runtime.getRuntime().maxMemory() / 32;
    List<CompletableFuture<Void>> taken = new ArrayList<>();
    Throwable refused = null;
    for (long bytes = 0; refused == null; bytes += batchBytes) {
      assertThat(bytes).isLessThan(most + 10L * batchBytes);
      RowBatch batch = new RowBatch(64);
      batch.put(Family.META, new byte[] {1}, new byte[batchBytes]);
      refused = catchThrowable(() -> taken.add(log.append(batch, Durability.SYNC)));
    }
    assertThat(refused)
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    while (!group.proposals.isEmpty()) {
      group.agree(applier);
    }
    assertThat(taken).isNotEmpty().allMatch(CompletableFuture::isDone);
    assertThat(applier.batches).hasSameSizeAs(taken);
    assertThat(log.append(new RowBatch(64), Durability.SYNC)).isNotNull();
  }

  @Test
  void allIsAppliedInOrderOrFailsFromSomewhereOn() {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? 1 : only;
    int failed = 0;
    int pieces = 0;
    int together = 0;
    for (long seed = first; seed < first + (only == null ? SEEDS : 1); seed++) {
      Random random = new Random(seed);
      SlowGroup group = new SlowGroup();
      ProposedLog log = new ProposedLog(seed, group);
      Story story = new Story();
      log.tell(story);
      Applier applier = new Applier(log);
      List<CompletableFuture<Void>> futures = new ArrayList<>();
      List<byte[]> appended = new ArrayList<>();
      boolean isOver = false;
      for (int step = 0; step < 200 && !isOver; step++) {
        int choice = random.nextInt(100);
        if (choice < 60) {
          int bytes = random.nextInt(50) == 0 ? random.nextInt(3 << 20) : random.nextInt(60_000);
          RowBatch batch = new RowBatch(64);
          byte[] value = new byte[bytes];
          random.nextBytes(value);
          batch.put(Family.META, new byte[] {1}, value);
          byte[] rows = new byte[batch.sizeBytes()];
          batch.copyTo(rows, 0);
          appended.add(rows);
          futures.add(log.append(batch, Durability.SYNC));
          batch.clear(); // the log has its own copy
        } else if (choice < 99 && !group.proposals.isEmpty()) {
          CompletableFuture<Void> barrier = log.applied();
          int ordered = futures.size();
          pieces += group.agree(applier)[0] == EntryForm.PIECE ? 1 : 0;
          assertThat(barrier.isDone())
              .as("barrier of %d, seed %d", ordered, seed)
              .isEqualTo(ordered == 0 || futures.get(ordered - 1).isDone());
        } else if (choice == 99) {
          isOver = true;
          failed++;
          if (random.nextBoolean() && !group.proposals.isEmpty()) {
            group.proposals.remove().done().completeExceptionally(new Exception("planted"));
            assertThat(group.ended).as("told, seed %d", seed).containsExactly(log);
          } else {
            log.end(new Exception("planted"));
          }
        }
      }
      while (!isOver && !group.proposals.isEmpty()) {
        group.agree(applier);
      }
      check(seed, futures, appended, applier, story, isOver);
      assertThat(group.most).as("proposals, seed %d", seed).isLessThanOrEqualTo(8);
      assertThat(group.largest)
          .as("largest entry, seed %d", seed)
          .isLessThanOrEqualTo(ProposedLog.MAX_ENTRY_BYTES + 32);
      together += appended.size() - group.most;
      if (isOver) {
        assertEnded(seed, log, futures);
      }
    }
    if (only == null) {
      assertThat(failed).as("that failed").isGreaterThan(SEEDS / 4);
      assertThat(pieces).as("pieces").isGreaterThan(SEEDS / 10);
      assertThat(together).isPositive();
    }
  }

  /** What was ordered may be applied or not, and nothing else is ordered. */
  private static void assertEnded(
      long seed, ProposedLog log, List<CompletableFuture<Void>> futures) {
    assertThat(code(() -> log.append(new RowBatch(64), Durability.SYNC)))
        .as("of what was not ordered, seed %d", seed)
        .isEqualTo(ErrorCode.NOT_LEADER);
    for (CompletableFuture<Void> future : futures) {
      if (future.isCompletedExceptionally()) {
        assertThat(code(future::join))
            .as("of what may be applied, seed %d", seed)
            .isEqualTo(ErrorCode.UNREACHABLE);
      }
    }
  }

  private static ErrorCode code(ThrowableAssert.ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    return ((GraphMetaException)
            (failure instanceof CompletionException ? failure.getCause() : failure))
        .code();
  }

  private static void check(
      long seed,
      List<CompletableFuture<Void>> futures,
      List<byte[]> appended,
      Applier applier,
      Story story,
      boolean isOver) {
    int applied = applier.batches.size();
    assertThat(applied).as("applied, seed %d", seed).isLessThanOrEqualTo(appended.size());
    for (int i = 0; i < appended.size(); i++) {
      assertThat(futures.get(i).isDone()).as("batch %d is done, seed %d", i, seed).isTrue();
      assertThat(futures.get(i).isCompletedExceptionally())
          .as("batch %d failed, %d applied, seed %d", i, applied, seed)
          .isEqualTo(i >= applied);
      if (i < applied) {
        assertThat(applier.batches.get(i))
            .as("batch %d, seed %d", i, seed)
            .isEqualTo(appended.get(i));
      }
    }
    assertThat(isOver || applied == appended.size()).as("seed %d", seed).isTrue();
    List<Integer> sizes = appended.stream().map(rows -> rows.length).toList();
    assertThat(story.ordered).as("ordered, seed %d", seed).isEqualTo(sizes);
    assertThat(story.applied).as("told, seed %d", seed).isEqualTo(sizes.subList(0, applied));
  }

  @Test
  void entriesAgreedOnOutOfOrderAreNotTaken() {
    SlowGroup group = new SlowGroup();
    ProposedLog log = new ProposedLog(1, group);
    for (int i = 0; i < 3; i++) {
      RowBatch batch = new RowBatch(64);
      batch.put(Family.META, new byte[] {(byte) i}, new byte[0]);
      log.append(batch, Durability.SYNC);
    }
    Applier applier = new Applier(log);
    List<SlowGroup.Proposal> proposals = List.copyOf(group.proposals);
    assertThat(proposals).hasSize(3);
    assertThatThrownBy(() -> applier.apply(proposals.get(1).entry()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("batch 1 of a log before batch 0");
  }

  @Test
  void damagedEntriesAreRefused() {
    Random random = new Random(7);
    byte[] whole = EntryForm.whole(1, 2, List.of(new byte[100], new byte[0], new byte[7]));
    byte[] piece = EntryForm.piece(1, 2, new byte[1000], 400, 300);
    for (byte[] entry : List.of(whole, piece)) {
      for (int cut = 0; cut < entry.length; cut++) {
        ByteBuffer bytes = ByteBuffer.wrap(entry, 0, cut);
        if (cut < 17) {
          assertThatThrownBy(() -> EntryForm.read(bytes)).isInstanceOf(GraphMetaException.class);
        }
      }
      for (int round = 0; round < 5000; round++) {
        byte[] damaged = entry.clone();
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        try {
          EntryForm.Content read = EntryForm.read(ByteBuffer.wrap(damaged));
          assertThat(read.batches().stream().mapToLong(batch -> batch.length).sum())
              .isLessThanOrEqualTo(entry.length);
        } catch (GraphMetaException e) {
          assertThat(e.getMessage()).contains("entry of the replicated log");
        }
      }
    }
  }

  /** As the engine does: who proposes waits for its lock, under which it ends the log. */
  private static final class LockingGroup implements ProposedLog.Group {
    final ReentrantLock engine = new ReentrantLock();
    final ExecutorService thread = Executors.newSingleThreadExecutor();

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
      engine.lock();
      try {
        return new CompletableFuture<>();
      } finally {
        engine.unlock();
      }
    }

    @Override
    public CompletableFuture<Void> confirm() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void ended(ProposedLog log) {}

    @Override
    public void later(Runnable work) {
      thread.execute(work);
    }
  }

  /** Who appends holds the lock of a shard, which he wants again when he is told how it ended. */
  @Test
  void theEngineEndsALogUnderItsLockWhileAnotherAppendsUnderHis() throws Exception {
    LockingGroup group = new LockingGroup();
    ReentrantLock shard = new ReentrantLock();
    ProposedLog log = new ProposedLog(1, group);
    RowBatch rows = new RowBatch(64);
    rows.put(Family.META, new byte[] {1}, new byte[] {2});
    CompletableFuture<Void> told =
        log.append(rows, Durability.SYNC)
            .handle(
                (done, failure) -> {
                  shard.lock();
                  shard.unlock();
                  return null;
                });
    Thread appends =
        new Thread(
            () -> {
              shard.lock();
              try {
                log.append(rows, Durability.SYNC);
              } catch (GraphMetaException e) {
                // It has ended before.
              } finally {
                shard.unlock();
              }
            });
    group.engine.lock();
    try {
      appends.start();
      while (!group.engine.hasQueuedThreads()) {
        Thread.onSpinWait(); // until the other one holds the lock of the shard and proposes
      }
      assertThat(log.end(new IllegalStateException("the term is over"))).isTrue();
    } finally {
      group.engine.unlock();
    }
    appends.join();
    told.get(60, TimeUnit.SECONDS);
    group.thread.shutdown();
  }
}
