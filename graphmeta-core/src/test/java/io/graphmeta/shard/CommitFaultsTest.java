package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A group of commits and parts, in which each point at which it reaches a port throws once: every
 * member is answered, what it is told is so, and whoever comes later is served or told why not.
 */
@Timeout(300)
final class CommitFaultsTest {
  private static final Map<String, Supplier<Throwable>> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("memory", () -> new OutOfMemoryError("planted"));
    KINDS.put("stack", () -> new StackOverflowError("planted"));
    KINDS.put("unchecked", () -> new IllegalStateException("planted"));
    KINDS.put("disk", () -> new GraphMetaException(ErrorCode.STORAGE_FAILURE, "planted"));
  }

  @ParameterizedTest
  @CsvSource({
    "memory,SYNC,true", "memory,SYNC,false", "memory,BACKGROUND,true",
    "stack,SYNC,true", "unchecked,SYNC,true", "unchecked,BACKGROUND,true",
    "disk,SYNC,true", "disk,SYNC,false", "disk,BACKGROUND,true"
  })
  void everyPointThrowsOnce(String kind, Durability durability, boolean callersSync)
      throws Exception {
    int point = 1;
    boolean fired = true;
    while (fired) {
      try (World world = new World(durability, callersSync)) {
        world.runGroup(point, KINDS.get(kind));
        fired = world.faults.fired() != null;
        world.verify("point " + point + ", " + world.faults.fired());
      }
      point++;
    }
    assertThat(point).as("points").isGreaterThan(8);
  }

  @Test
  void aMalformedMemberHarmsNoOther() throws Exception {
    try (World world = new World(Durability.SYNC, true)) {
      long[] none = new long[0];
      long[] nothing = null; // as no codec would make it
      Member broken = new Member(new Request.Commit(row(77), 770, world.begin, 0, none, nothing));
      world.members.add(2, broken);
      world.runGroup(Integer.MAX_VALUE, KINDS.get("memory"));
      world.verify("malformed");
      assertThat(world.stamps(row(77))).isEmpty();
      assertThat(broken.failure).isInstanceOf(NullPointerException.class);
      assertThat(world.members.get(0).response).isInstanceOf(Response.Stamped.class);
    }
  }

  /** More of them than may be unanswered at a time. */
  @Test
  void refusedCommitsAreNotCountedAsUnanswered() throws Exception {
    try (World world = new World(Durability.BACKGROUND, true)) {
      for (int i = 0; i < 70_000; i++) {
        world.faults.arm(1, KINDS.get("unchecked"));
        assertThat(world.send(commit(row(9), 1000 + i, world.begin, 9))).isCompletedExceptionally();
      }
      world.faults.disarm();
      assertThat(world.ask(commit(row(9), 9, world.begin, 9))).isInstanceOf(Response.Stamped.class);
    }
  }

  private static StagedRows row(long counter) {
    StagedRows rows = new StagedRows(64);
    long vertex = VertexKeys.pack(1, counter, 0);
    byte[] body = {0, 0};
    rows.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(vertex), 0, body, 2);
    return rows;
  }

  /** With rows whose values before are read while the part is staged. */
  private static StagedRows partRows(long counter) {
    StagedRows rows = row(counter);
    for (String name : List.of("a", "b", "c")) {
      rows.addPlain(Family.IDS, RowKeys.vertexIdKey(name + counter), new byte[] {1});
    }
    return rows;
  }

  private static Request.Commit commit(StagedRows rows, long token, long snapshot, long scope) {
    long[] scopes = {scope};
    return new Request.Commit(rows, token, snapshot, snapshot, scopes, scopes);
  }

  private static Request.Prepare part(StagedRows rows, long stamp, long snapshot, long scope) {
    long[] scopes = {scope};
    TransactionId id = new TransactionId(stamp, 1, scope);
    return new Request.Prepare(id, new int[] {0, 1}, rows, snapshot, scopes, scopes, null);
  }

  /** One request of the group, and what it was told. */
  private static final class Member {
    final Request request;
    @Nullable CompletableFuture<Response> answer;
    @Nullable Response response;
    @Nullable Throwable failure;

    Member(Request request) {
      this.request = request;
    }

    StagedRows rows() {
      return request instanceof Request.Commit commit
          ? commit.rows()
          : ((Request.Prepare) request).rows();
    }

    boolean isUnknown() {
      return failure instanceof GraphMetaException e && e.code() == ErrorCode.OUTCOME_UNKNOWN;
    }
  }

  /** A shard whose ports throw at one point. */
  private static final class World implements AutoCloseable {
    final Faults faults = new Faults();
    final List<Member> members = new ArrayList<>();
    final StorageEngine rows = new MemoryStorage();
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile @Nullable Thread gated;
    private final Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private final LocalLog log;
    private final Shard shard;
    final long begin;

    World(Durability durability, boolean callersSync) {
      InstantSource clock =
          () -> {
            if (Thread.currentThread() == gated) {
              gated = null;
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
            return now;
          };
      StorageEngine storage = faults.storage(rows);
      log = new LocalLog(storage, "log-of-test", callersSync);
      ShardSettings settings = LoneShard.settings(durability, Durability.SYNC, 1 << 16, 1000);
      shard = new Shard(0, storage, log, faults.clock(clock), settings);
      begin = ((Response.Stamped) ask(new Request.Snapshot(0))).stamp();
      Request.Commit first = commit(row(1), 11, begin, 101);
      Request.Prepare part = part(partRows(2), begin + 5000, begin, 102);
      members.add(new Member(first));
      members.add(new Member(part));
      members.add(new Member(commit(row(3), 13, begin, 101))); // in conflict with the first
      members.add(new Member(commit(row(4), 14, begin, 104)));
      members.add(new Member(first));
      members.add(new Member(part(partRows(6), begin + 6000, begin, 106)));
      members.add(new Member(part));
    }

    CompletableFuture<Response> send(Request request) {
      return shard.handle(new Call(1, 1000, request));
    }

    Response ask(Request request) {
      return send(request).join();
    }

    /** Lets the first wait for the clock until the others are in the queue. */
    void runGroup(int point, Supplier<Throwable> kind) throws Exception {
      List<Thread> threads = new ArrayList<>();
      for (Member member : members) {
        Thread thread =
            new Thread(
                () -> {
                  try {
                    member.answer = send(member.request);
                  } catch (Throwable e) {
                    member.answer = CompletableFuture.failedFuture(e);
                  }
                });
        gated = threads.isEmpty() ? thread : gated;
        thread.start();
        while (!isWaiting(thread) && thread.isAlive()) {
          Thread.onSpinWait();
        }
        threads.add(thread);
      }
      faults.arm(point, kind);
      gate.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      for (Member member : members) {
        try {
          member.response = member.answer.get(5, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          member.failure = e.getCause();
        }
      }
      faults.disarm();
    }

    private static boolean isWaiting(Thread thread) {
      Thread.State state = thread.getState();
      return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    void verify(String at) {
      for (Member member : members) {
        String about = at + ": " + member.request.getClass().getSimpleName() + " answered ";
        verify(member, about + member.response + " " + member.failure);
      }
      verifyWhatFollows(at);
    }

    private void verify(Member member, String about) {
      List<Long> there = stamps(member.rows());
      if (member.response instanceof Response.Stamped stamped) {
        assertThat(there).as(about).containsOnly(stamped.stamp());
        assertThat(ask(member.request)).as(about).isEqualTo(stamped);
      } else if (member.response instanceof Response.Prepared) {
        assertThat(there).as(about).containsOnly(id(member).stamp());
        assertThat(inquire(id(member))).as(about).isEqualTo(PartState.HELD);
      } else if (!member.isUnknown()) {
        Member told = original(member); // what its copy was told is so
        if (told.response == null && !told.isUnknown()) {
          assertThat(there).as(about).isEmpty();
          verifyRefused(member, about);
        }
      } else if (member.request instanceof Request.Prepare) {
        assertThat(Math.min(1, there.size()))
            .as(about + ": rows and intent")
            .isEqualTo(intents(id(member)));
      }
      if (member.request instanceof Request.Prepare && !there.isEmpty()) {
        assertThat(there).as(about + ": all of them").hasSize(4);
      }
    }

    private Member original(Member member) {
      return members.stream()
          .filter(each -> each.request == member.request)
          .filter(each -> each.response != null || each.isUnknown())
          .findFirst()
          .orElse(member);
    }

    private void verifyRefused(Member member, String about) {
      if (member.request instanceof Request.Prepare) {
        assertThat(intents(id(member))).as(about).isZero();
        return;
      }
      CompletableFuture<Response> again = send(member.request);
      assertThat(again).as(about + ": sent again").isDone();
      boolean committed =
          !again.isCompletedExceptionally() && again.join() instanceof Response.Stamped;
      assertThat(committed).as(about + ": sent again").isFalse();
      assertThat(stamps(member.rows())).as(about + ": sent again").isEmpty();
    }

    private static TransactionId id(Member member) {
      return ((Request.Prepare) member.request).id();
    }

    private PartState inquire(TransactionId id) {
      return ((Response.Parts) ask(new Request.Inquire(List.of(id)))).states().get(0);
    }

    /** Whoever comes later is served, or told why not. */
    private void verifyWhatFollows(String at) {
      String fault = ((Response.Status) ask(new Request.ReadStatus())).fault();
      Request.Commit later = commit(row(99), 99, begin, 199);
      if (!fault.isEmpty()) {
        assertThat(log.stopped()).as(at).isNotNull();
        assertThat(send(later)).as(at).isCompletedExceptionally();
        return;
      }
      assertThat(log.stopped()).as(at).isNull();
      for (Member member : members) {
        if (member.request instanceof Request.Prepare) {
          ask(new Request.Resolve(id(member), false));
          assertThat(stamps(member.rows())).as(at + ": resolved").isEmpty();
        }
      }
      long stamp = ((Response.Stamped) ask(later)).stamp();
      assertThat(stamps(row(99))).as(at).containsExactly(stamp);
      assertThat(((Response.Stamped) ask(new Request.Snapshot(stamp))).stamp())
          .as(at + ": snapshots move on")
          .isGreaterThanOrEqualTo(stamp);
    }

    private int intents(TransactionId id) {
      return (int)
          all(Family.META).keySet().stream()
              .filter(key -> key[0] == 'i' && Arrays.equals(key, 1, 9, bytes(id.stamp()), 0, 8))
              .count();
    }

    private static byte[] bytes(long number) {
      byte[] bytes = new byte[8];
      BigEndian.putLong(bytes, 0, number);
      return bytes;
    }

    /** The stamps of those rows that are in the store; 0 is not among them, nor are plain rows. */
    List<Long> stamps(StagedRows staged) {
      List<Long> found = new ArrayList<>();
      staged.forEach(
          (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
            for (byte[] key : all(family).keySet()) {
              if (key.length >= slotLength
                  && Arrays.equals(key, 0, slotLength, buffer, slotAt, slotAt + slotLength)) {
                found.add(
                    stamped
                        ? ~BigEndian.getLong(key, slotLength)
                        : found.isEmpty() ? Long.valueOf(-1) : found.get(0));
              }
            }
          });
      return found;
    }

    private Map<byte[], byte[]> all(Family family) {
      Map<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
      try (RowCursor cursor = rows.cursor(family, StorageEngine.Scope.FAMILY)) {
        for (boolean more = cursor.seek("".getBytes(StandardCharsets.US_ASCII), 0);
            more;
            more = cursor.next()) {
          found.put(
              Arrays.copyOf(cursor.key(), cursor.keyLength()),
              Arrays.copyOf(cursor.value(), cursor.valueLength()));
        }
      }
      return found;
    }

    @Override
    public void close() {
      if (log.stopped() == null) {
        shard.close();
      }
      log.close();
    }
  }
}
