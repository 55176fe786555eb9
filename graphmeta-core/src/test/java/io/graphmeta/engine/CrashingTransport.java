package io.graphmeta.engine;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MoveId;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import io.graphmeta.transport.Transport;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process when the splits among the messages have come to a point for the n-th time. The
 * messages of splits are slow, so that others write meanwhile, and one in some is lost, so that
 * splits are given up. Safe for use by many threads.
 */
final class CrashingTransport implements Transport {
  private static final int LOST_ONE_IN = 40;
  private static final int MAX_SLOW_NANOS = 1_500_000;
  private static final int MAX_LATE_MILLIS = 200;

  private final Transport transport;
  private final CrashPoint point;
  private final AtomicInteger left;
  private final Map<TransactionId, Parts> commits = new ConcurrentHashMap<>();
  private final Set<MoveId> committed = ConcurrentHashMap.newKeySet();
  private final Set<MoveId> ended = ConcurrentHashMap.newKeySet();

  /** Guarded by itself. */
  private final Random random;

  CrashingTransport(Transport transport, CrashPoint point, int occurrence, long seed) {
    this.transport = transport;
    this.point = point;
    this.left = new AtomicInteger(occurrence);
    this.random = new Random(seed);
  }

  /** The messages of the commit of a move: which of them are delivered. */
  private static final class Parts {
    private final MoveId move;
    private final int shards;
    private final int delivered;
    private int prepared;
    private int resolved;

    Parts(MoveId move, int shards, int delivered) {
      this.move = move;
      this.shards = shards;
      this.delivered = delivered;
    }

    boolean delivers(int index) {
      return (delivered >> index & 1) == 1;
    }
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    Request request = call.request();
    if (request instanceof Request.GiveEntries give) {
      slow();
      return give(shard, call, give);
    } else if (request instanceof Request.HoldEntries) {
      slow();
      return sent(shard, call, true, CrashPoint.ENTRIES_HELD);
    } else if (request instanceof Request.TakeEntries take) {
      slow();
      return take(shard, call, take);
    } else if (request instanceof Request.Prepare prepare) {
      MoveId move = move(prepare);
      return move == null ? transport.send(shard, call) : prepare(shard, call, prepare, move);
    } else if (request instanceof Request.Resolve resolve && resolve.committed()) {
      Parts parts = commits.get(resolve.id());
      return parts == null ? transport.send(shard, call) : resolve(shard, call, parts);
    } else if (request instanceof Request.EndMove end) {
      return end(shard, call, end.move());
    }
    return transport.send(shard, call);
  }

  private CompletableFuture<Response> give(int shard, Call call, Request.GiveEntries give) {
    switch (give.step()) {
      case BEGIN -> {
        reached(CrashPoint.BEFORE_IT_BEGINS);
        reached(CrashPoint.ANY_MOMENT);
        return sent(shard, call, true, CrashPoint.CHANGES_ARE_NOTED);
      }
      case READ -> {
        CompletableFuture<Response> answer = transport.send(shard, call);
        answer.thenAccept(rows -> reachedIf(hasRows(rows), CrashPoint.FIRST_ROWS_READ));
        return answer;
      }
      case CHANGES -> {
        reachedIf(give.number() == 0, CrashPoint.ALL_ROWS_TAKEN);
        CompletableFuture<Response> answer = transport.send(shard, call);
        answer.thenAccept(rows -> reachedIf(hasRows(rows), CrashPoint.CHANGES_READ));
        return answer;
      }
    }
    throw new IllegalStateException(give.step().name());
  }

  private static boolean hasRows(Response response) {
    return ((Response.Rows) response).keys().length > 0;
  }

  private CompletableFuture<Response> take(int shard, Call call, Request.TakeEntries take) {
    if (nextInt(LOST_ONE_IN) == 0) {
      if (nextInt(2) == 0) {
        transport.send(shard, call);
      }
      return CompletableFuture.failedFuture(
          new GraphMetaException(ErrorCode.TIMEOUT, "The message or its answer was lost"));
    }
    return sent(
        shard,
        call,
        take.number() <= 1,
        take.number() == 0 ? CrashPoint.TAKER_IS_EMPTY : CrashPoint.FIRST_ROWS_TAKEN);
  }

  private CompletableFuture<Response> prepare(
      int shard, Call call, Request.Prepare prepare, MoveId move) {
    Parts parts =
        commits.computeIfAbsent(
            prepare.id(),
            id -> {
              int shards = prepare.participants().length;
              return new Parts(move, shards, 1 + nextInt((1 << shards) - 2));
            });
    if (parts.prepared == 0) {
      reached(CrashPoint.ALL_CHANGES_TAKEN);
    }
    return toSome(shard, call, parts, parts.prepared++, CrashPoint.PREPARED_BY_SOME);
  }

  private CompletableFuture<Response> resolve(int shard, Call call, Parts parts) {
    if (parts.resolved == 0) {
      committed.add(parts.move);
      reached(CrashPoint.PREPARED_BY_ALL);
    }
    CompletableFuture<Response> answer =
        toSome(shard, call, parts, parts.resolved++, CrashPoint.COMMIT_KNOWN_TO_SOME);
    reachedIf(parts.resolved == parts.shards, CrashPoint.COMMIT_KNOWN_TO_ALL);
    return answer;
  }

  /** Delivers a message to some of the shards only if the process ends then. */
  private CompletableFuture<Response> toSome(
      int shard, Call call, Parts parts, int index, CrashPoint here) {
    boolean last = index == parts.shards - 1;
    if (here != point || left.get() != 1) {
      CompletableFuture<Response> answer = transport.send(shard, call);
      reachedIf(last, here);
      return answer;
    }
    CompletableFuture<Response> answer =
        parts.delivers(index) ? transport.send(shard, call) : new CompletableFuture<>();
    if (parts.delivers(index)) {
      transport.await(answer);
    }
    reachedIf(last, here);
    return answer;
  }

  private CompletableFuture<Response> end(int shard, Call call, MoveId move) {
    reachedIf(!committed.contains(move), CrashPoint.GIVEN_UP);
    CompletableFuture<Response> answer = transport.send(shard, call);
    if (committed.contains(move)) {
      if (ended.add(move)) {
        reached(CrashPoint.ENDED_BY_GIVER);
      } else {
        reached(CrashPoint.ENDED_BY_BOTH);
        reached(CrashPoint.MOVED_ROWS_ARE_REMOVED);
      }
    }
    return answer;
  }

  /** The move that a part commits, or null. */
  private static @Nullable MoveId move(Request.Prepare prepare) {
    MoveId[] found = new MoveId[1];
    prepare
        .rows()
        .forEach(
            (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
              if (family == Family.SPLITS && SplitRows.isMove(valueLength)) {
                found[0] =
                    new MoveId(
                        BigEndian.getLong(buffer, slotAt),
                        SplitRows.isOutgoing(buffer, slotAt),
                        SplitRows.partition(buffer, slotAt),
                        SplitRows.attempt(buffer, valueAt));
              }
            });
    return found[0];
  }

  private CompletableFuture<Response> sent(
      int shard, Call call, boolean isPoint, CrashPoint behind) {
    CompletableFuture<Response> answer = transport.send(shard, call);
    answer.thenAccept(response -> reachedIf(isPoint, behind));
    return answer;
  }

  private void reachedIf(boolean condition, CrashPoint here) {
    if (condition) {
      reached(here);
    }
  }

  private void reached(CrashPoint here) {
    if (here == point && left.decrementAndGet() == 0) {
      if (here == CrashPoint.MOVED_ROWS_ARE_REMOVED || here == CrashPoint.ANY_MOMENT) {
        int millis = nextInt(MAX_LATE_MILLIS);
        new Thread(() -> haltAfter(millis), "halt").start();
      } else {
        halt();
      }
    }
  }

  private void haltAfter(int millis) {
    long until = System.nanoTime() + millis * 1_000_000L;
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
    halt();
  }

  private void halt() {
    synchronized (System.out) {
      System.out.println("halt " + point + " " + committed.size() + " ;");
      System.out.flush();
      Runtime.getRuntime().halt(SplitCrashWriter.HALTED);
    }
  }

  private void slow() {
    if (nextInt(2) == 0) {
      LockSupport.parkNanos(this, nextInt(MAX_SLOW_NANOS));
    }
  }

  private int nextInt(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
