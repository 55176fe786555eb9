package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.PartState.Outcome;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the intents of a shard, a step at each tick: asks the other participants about those
 * whose outcome did not come, writes down up to where all outcomes are known (the
 * <i>watermark</i>), and forgets the intents that no shard will ask about any more: the intents
 * below the watermarks of all their participants. Those whose outcome it has found out by itself it
 * keeps for longer: a client that was cut off from this shard may be about to ask for it.
 *
 * <p>Ticks come from one thread; answers of other shards from any.
 */
public final class IntentKeeper {
  private static final byte[] KEY = "watermark".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_ASKED = 1000;
  private static final int MAX_FORGOTTEN = 20_000;

  private final int shard;
  private final CommitPipeline commits;
  private final ReplicationLog log;
  private final CommitSettings settings;
  private final AtomicBoolean asking = new AtomicBoolean();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final AtomicBoolean forgetting = new AtomicBoolean();
  private final FoundOutcomes found;
  private boolean ticked;
  private volatile long nowMillis;
  private volatile long openedMillis;
  private volatile long watermark;
  private volatile @Nullable Transport peers;

  /** Looks after the intents of a pipeline. */
  public IntentKeeper(
      int shard,
      CommitPipeline commits,
      ReplicationLog log,
      CommitSettings settings,
      long watermark) {
    this.shard = shard;
    this.commits = commits;
    this.log = log;
    this.settings = settings;
    this.found = new FoundOutcomes(settings.keptMillis());
    this.watermark = watermark;
  }

  /** The watermark in a store. */
  public static long stored(StorageEngine storage) {
    byte[] stored = storage.get(Family.META, KEY);
    return stored == null ? 0 : BigEndian.getLong(stored, 0);
  }

  /** Adds the watermark to a batch. */
  static void put(long watermark, RowBatch batch) {
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, watermark);
    batch.put(Family.META, KEY, value);
  }

  /** Tells how the other shards are reached. */
  public void join(Transport transport) {
    peers = transport;
  }

  /** The stamp at and below which the outcomes of all parts of this shard are known, on disk. */
  public long watermark() {
    return watermark;
  }

  /** Does a step of what is due, at a time by the clock of the ticks. One thread at a time. */
  public void tick(long nowMillis) {
    commits.tick(nowMillis);
    if (!ticked) {
      ticked = true;
      openedMillis = nowMillis;
    }
    this.nowMillis = nowMillis;
    found.forget(nowMillis);
    Transport transport = peers;
    if (transport != null && commits.outcomes().mayHoldAny()) {
      askForOutcomes(transport, nowMillis - settings.intentMillis());
      writeWatermark();
      forgetSettled(transport);
    }
  }

  // Outcomes

  /** What is held of some transactions. What is not held is closed first, and so never will be. */
  public CompletableFuture<Response> inquire(List<TransactionId> ids) {
    return commits
        .outcomes()
        .inquire(ids, watermark)
        .thenApply(
            answer ->
                new Response.Parts(found.told(ids, ((Response.Parts) answer).states(), nowMillis)));
  }

  private void askForOutcomes(Transport transport, long sinceMillis) {
    List<Intent> old = commits.outcomes().openSince(sinceMillis, MAX_ASKED);
    if (!old.isEmpty()) {
      once(asking, () -> askForOutcomes(transport, old));
    }
  }

  /** Begins something unless it is under way; it says itself when it is over, unless it fails. */
  private static void once(AtomicBoolean underWay, Runnable beginning) {
    if (!underWay.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      beginning.run();
      begun = true;
    } finally {
      if (!begun) {
        underWay.set(false);
      }
    }
  }

  private void askForOutcomes(Transport transport, List<Intent> old) {
    Map<Integer, List<TransactionId>> byShard = new TreeMap<>();
    for (Intent intent : old) {
      for (int participant : intent.participants) {
        if (participant != shard) {
          byShard.computeIfAbsent(participant, p -> new ArrayList<>()).add(intent.id);
        }
      }
    }
    Map<Integer, Map<TransactionId, PartState>> told = new ConcurrentHashMap<>();
    List<CompletableFuture<?>> asked = new ArrayList<>();
    byShard.forEach(
        (participant, ids) ->
            asked.add(
                send(transport, participant, new Request.Inquire(ids))
                    .thenAccept(answer -> told.put(participant, states(ids, answer)))));
    whenAll(asked, () -> decide(old, told), asking);
  }

  private static Map<TransactionId, PartState> states(List<TransactionId> ids, Response answer) {
    Map<TransactionId, PartState> states = new HashMap<>();
    List<PartState> parts = ((Response.Parts) answer).states();
    for (int i = 0; i < ids.size(); i++) {
      states.put(ids.get(i), parts.get(i));
    }
    return states;
  }

  private void decide(List<Intent> old, Map<Integer, Map<TransactionId, PartState>> told) {
    for (Intent intent : old) {
      List<PartState> states = new ArrayList<>();
      states.add(PartState.HELD);
      for (int participant : intent.participants) {
        PartState state = told.getOrDefault(participant, Map.of()).get(intent.id);
        if (state != null) {
          states.add(state);
        }
      }
      if (states.size() == intent.participants.length) {
        // This part is still held when the outcome is taken, after the others have answered.
        boolean committed = PartState.outcome(states) == Outcome.COMMITTED;
        found.found(intent.id, committed, nowMillis);
        commits.resolve(new Request.Resolve(intent.id, committed));
      }
    }
  }

  // The watermark

  private void writeWatermark() {
    if (commits.intentCounts().decided() == 0) {
      return;
    }
    long resolved = commits.resolved();
    if (resolved > watermark) {
      once(writing, () -> writeWatermark(resolved));
    }
  }

  private void writeWatermark(long resolved) {
    RowBatch entry = new RowBatch(64);
    put(resolved, entry);
    log.append(entry, settings.shared())
        .whenComplete(
            (synced, failure) -> {
              if (failure == null) {
                watermark = resolved;
              }
              writing.set(false);
            });
  }

  // Forgetting

  private void forgetSettled(Transport transport) {
    List<Intent> settled =
        commits.outcomes().decidedUpTo(watermark, MAX_FORGOTTEN).stream()
            .filter(intent -> !isKept(intent))
            .toList();
    if (!settled.isEmpty()) {
      once(forgetting, () -> forget(transport, settled));
    }
  }

  private boolean isKept(Intent intent) {
    return found.keeps(intent.id)
        || intent.isFromBefore() && nowMillis - openedMillis < settings.keptMillis();
  }

  private void forget(Transport transport, List<Intent> settled) {
    Map<Integer, Long> watermarks = new ConcurrentHashMap<>();
    watermarks.put(shard, watermark);
    List<CompletableFuture<?>> asked = new ArrayList<>();
    settled.stream()
        .flatMapToInt(intent -> java.util.Arrays.stream(intent.participants))
        .filter(participant -> participant != shard)
        .distinct()
        .sorted()
        .forEach(
            participant ->
                asked.add(
                    send(transport, participant, new Request.ReadWatermark())
                        .thenAccept(
                            answer ->
                                watermarks.put(participant, ((Response.Stamped) answer).stamp()))));
    whenAll(
        asked,
        () ->
            commits
                .outcomes()
                .forget(settled.stream().filter(i -> isPassed(i, watermarks)).toList()),
        forgetting);
  }

  private static boolean isPassed(Intent intent, Map<Integer, Long> watermarks) {
    for (int participant : intent.participants) {
      if (watermarks.getOrDefault(participant, 0L) < intent.id.stamp()) {
        return false;
      }
    }
    return true;
  }

  private CompletableFuture<Response> send(Transport transport, int participant, Request request) {
    return transport.send(
        participant, new Call(settings.epoch(), settings.requestMillis(), request));
  }

  /** Runs a step when all questions are answered or failed; failures are asked again later. */
  private static void whenAll(
      List<CompletableFuture<?>> asked, Runnable step, AtomicBoolean underWay) {
    CompletableFuture<?>[] ended =
        asked.stream()
            .map(question -> question.handle((answer, failure) -> null))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ended)
        .thenRun(step)
        .whenComplete((done, failure) -> underWay.set(false));
  }
}
