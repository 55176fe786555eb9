package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Parts, commits and outcomes in any order, on a shard whose log applies them at once or later: who
 * is refused, who waits, and what is left in the end, against a model that knows nothing of how. It
 * runs {@code -Dgraphmeta.undone-runs=N} times.
 */
@Timeout(600)
class UndonePartsModelTest {
  /** Tokens are none of the scopes. */
  private static final long FIRST_TOKEN = 1L << 32;

  private static final @Nullable Long ONE_SEED = Long.getLong("graphmeta.seed");
  private static final int RUNS = Integer.getInteger("graphmeta.undone-runs", 1000);
  private static final int STEPS = 100;

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private StorageEngine storage = new MemoryStorage();
  private LateLog log = new LateLog(storage);
  private Shard shard = open();
  private long number;

  private Shard open() {
    ShardSettings settings =
        LoneShard.settings(Durability.BACKGROUND, Durability.BACKGROUND, 1 << 16, 1000);
    return new Shard(0, storage, log, () -> now, settings);
  }

  private CompletableFuture<Response> send(Request request) {
    return shard.handle(new Call(1, 1000, request));
  }

  private long snapshot() {
    now = now.plusSeconds(1);
    return ((Response.Stamped) send(new Request.Snapshot(0)).join()).stamp();
  }

  /** A part, or a commit, which has no id. */
  private static final class Sent {
    final @Nullable TransactionId id;
    final @Nullable Sent replaced;
    final long value;
    final long snapshot;
    final long[] checks;
    final long[] scopes;
    final CompletableFuture<Response> answer;

    /** The part that is there until this one is applied. */
    @Nullable Sent inPlaceOf;

    boolean isGivenUp;

    Sent(
        @Nullable TransactionId id,
        @Nullable Sent replaced,
        long value,
        long snapshot,
        long[] checks,
        long[] scopes,
        CompletableFuture<Response> answer) {
      this.id = id;
      this.replaced = replaced;
      this.value = value;
      this.snapshot = snapshot;
      this.checks = checks;
      this.scopes = scopes;
      this.answer = answer;
    }

    boolean changes(long scope) {
      return Arrays.stream(scopes).anyMatch(each -> each == scope);
    }
  }

  /** Who changed what last and who holds it, and in which order the log tells of what. */
  private final class Model {
    private final Map<Long, Long> changed = new HashMap<>();
    private final List<Sent> held = new ArrayList<>();
    private final List<Sent> undoing = new ArrayList<>();
    private final Map<Long, Long> values = new HashMap<>();
    private final ArrayDeque<Sent> waiting = new ArrayDeque<>();
    private final ArrayDeque<List<Runnable>> late = new ArrayDeque<>();
    private @Nullable List<Runnable> entry;
    private final List<Sent> inEntry = new ArrayList<>();
    private boolean isBehind;
    private boolean isUndone;
    private long closed;
    private int waited;

    /** What is to be done when the log has applied the entry that is under way. */
    private void whenApplied(Runnable step) {
      if (entry != null) {
        entry.add(step);
      } else {
        ordered(List.of(step));
      }
    }

    /** An entry is ordered. */
    private void ordered(List<Runnable> steps) {
      if (isBehind) {
        late.add(steps);
      } else {
        applied(steps);
      }
    }

    /** Those who wait go into one entry. */
    private void applied(List<Runnable> steps) {
      steps.forEach(Runnable::run);
      boolean tryAgain = isUndone && !waiting.isEmpty();
      isUndone = false;
      if (tryAgain) {
        entry = new ArrayList<>();
        for (int again = waiting.size(); again > 0; again--) {
          Sent sent = waiting.remove();
          if (sent.replaced != null && inEntry.contains(sent.replaced)) {
            endEntry(); // who takes the place of another comes behind it
            entry = new ArrayList<>();
          }
          take(sent);
        }
        endEntry();
      }
    }

    private void endEntry() {
      List<Runnable> steps = Objects.requireNonNull(entry);
      entry = null;
      inEntry.clear();
      ordered(steps);
    }

    private void takeFirst(Sent sent) {
      take(sent);
      assertThat(sent.answer.isDone() && waiting.contains(sent)).as("answered").isFalse();
    }

    private void take(Sent sent) {
      int conflict = conflict(sent);
      if (sent.id != null && sent.id.stamp() <= closed) {
        giveUpReplaced(sent);
        whenApplied(() -> assertThat(answer(sent)).isInstanceOf(Response.TooLow.class));
      } else if (conflict >= 0) {
        closed = sent.id == null ? closed : Math.max(closed, sent.id.stamp());
        giveUpReplaced(sent);
        whenApplied(() -> assertThat(answer(sent)).isEqualTo(new Response.Conflicted(conflict)));
      } else if (Arrays.stream(sent.checks).anyMatch(scope -> isChangedBy(undoing, scope))) {
        waiting.add(sent);
        waited++;
      } else if (sent.id == null) {
        Arrays.stream(sent.scopes).forEach(scope -> changed.put(scope, Long.MAX_VALUE));
        whenApplied(() -> happened(sent, ((Response.Stamped) answer(sent)).stamp()));
      } else {
        Sent replaced = held.remove(sent.replaced) ? sent.replaced : null;
        held.add(sent);
        if (entry != null) {
          inEntry.add(sent);
        }
        sent.inPlaceOf = replaced;
        if (replaced != null) {
          undoing.add(replaced);
        }
        whenApplied(
            () -> {
              assertThat(answer(sent)).isEqualTo(new Response.Prepared());
              if (replaced != null && !sent.isGivenUp) {
                sent.inPlaceOf = null;
                undone(replaced);
              }
            });
      }
    }

    private void giveUpReplaced(Sent sent) {
      if (held.contains(sent.replaced)) {
        decide(sent.replaced, false);
      }
    }

    /** The position of the first scope that somebody else changes, or -1. */
    private int conflict(Sent sent) {
      List<Sent> others = held.stream().filter(part -> part != sent.replaced).toList();
      for (int i = 0; i < sent.checks.length; i++) {
        long scope = sent.checks[i];
        if (changed.getOrDefault(scope, 0L) > sent.snapshot || isChangedBy(others, scope)) {
          return i;
        }
      }
      return -1;
    }

    private static boolean isChangedBy(List<Sent> parts, long scope) {
      return parts.stream().anyMatch(part -> part.changes(scope));
    }

    private static Response answer(Sent sent) {
      return Objects.requireNonNull(sent.answer.getNow(null), "an answer");
    }

    private void happened(Sent sent, long stamp) {
      closed = sent.id == null ? Math.max(closed, stamp) : closed;
      Arrays.stream(sent.scopes).forEach(scope -> changed.put(scope, stamp));
      Arrays.stream(sent.checks).forEach(scope -> values.put(scope, sent.value));
    }

    private void decide(Sent part, boolean committed) {
      held.remove(part);
      if (committed) {
        happened(part, part.id.stamp());
      } else {
        part.isGivenUp = true;
        undoing.add(part);
        ordered(List.of(() -> undone(part)));
      }
    }

    private void undone(Sent part) {
      undoing.remove(part);
      isUndone = true;
      if (part.inPlaceOf != null) { // whose rows went with those of this one
        undone(part.inPlaceOf);
      }
    }

    private void catchUp() {
      while (!late.isEmpty()) {
        applied(late.remove());
      }
      isBehind = false;
      assertThat(waiting).as("who still waits").isEmpty();
    }
  }

  @Test
  void nobodyIsRefusedForWhatWasGivenUp() {
    long first = ONE_SEED != null ? ONE_SEED : 1;
    long last = ONE_SEED != null ? ONE_SEED : RUNS;
    int waited = 0;
    for (long seed = first; seed <= last; seed++) {
      try {
        waited += play(new Random(seed));
      } catch (Throwable e) {
        throw new AssertionError("-Dgraphmeta.seed=" + seed, e);
      }
    }
    assertThat(waited).as("who waited").isPositive();
  }

  private int play(Random random) {
    storage = new MemoryStorage();
    log = new LateLog(storage);
    shard = open();
    Model model = new Model();
    long snapshot = snapshot();
    model.closed = snapshot;
    for (int step = 0; step < STEPS; step++) {
      now = now.plusMillis(1);
      switch (random.nextInt(8)) {
        case 0, 1 -> model.takeFirst(part(random, snapshot, null));
        case 2 -> {
          Sent replaced = replaced(random, model);
          if (replaced != null) {
            model.takeFirst(part(random, snapshot, replaced));
          }
        }
        case 3 -> model.takeFirst(commit(random, snapshot));
        case 4, 5 -> {
          Sent part = durable(random, model);
          if (part != null) {
            boolean committed = random.nextInt(3) == 0;
            assertThat(send(new Request.Resolve(part.id, committed))).isCompleted();
            model.decide(part, committed);
          }
        }
        case 6 -> {
          if (!model.isBehind) {
            log.fallBehind();
            model.isBehind = true;
          } else {
            log.catchUp();
            model.catchUp();
          }
        }
        default -> {
          if (!model.isBehind && model.held.isEmpty()) {
            snapshot = snapshot();
            model.closed = snapshot;
          }
        }
      }
    }
    now = now.plusMillis(1);
    log.catchUp();
    model.catchUp();
    for (Sent part : List.copyOf(model.held)) {
      assertThat(send(new Request.Resolve(part.id, false))).isCompleted();
      model.decide(part, false);
    }
    assertThat(plainRows()).isEqualTo(model.values);
    assertThat(((Response.Status) send(new Request.ReadStatus()).join()).openIntents()).isZero();
    return model.waited;
  }

  /** The values of the rows without stamps, by their scopes. */
  private Map<Long, Long> plainRows() {
    Map<Long, Long> found = new HashMap<>();
    try (RowCursor cursor = storage.cursor(Family.IDS, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
        found.put(BigEndian.getLong(cursor.key(), 0), BigEndian.getLong(cursor.value(), 0));
      }
    }
    return found;
  }

  /** One of the parts that are held and were acknowledged, if any. */
  private static @Nullable Sent durable(Random random, Model model) {
    List<Sent> durable =
        model.held.stream()
            .filter(part -> part.answer.isDone())
            .filter(part -> model.waiting.stream().noneMatch(each -> each.replaced == part))
            .toList();
    return durable.isEmpty() ? null : durable.get(random.nextInt(durable.size()));
  }

  /** A part that is held, or waits, and whose place nobody waits to take, if any. */
  private static @Nullable Sent replaced(Random random, Model model) {
    List<Sent> parts = new ArrayList<>(model.held);
    model.waiting.stream().filter(each -> each.id != null).forEach(parts::add);
    parts.removeIf(part -> model.waiting.stream().anyMatch(each -> each.replaced == part));
    return parts.isEmpty() ? null : parts.get(random.nextInt(parts.size()));
  }

  private static long[] scopes(Random random) {
    return random.longs(1 + random.nextInt(3), 1, 8).distinct().toArray();
  }

  /** Some changes suffer others besides them, as edges of one vertex do. */
  private static long[] checks(Random random, long[] scopes) {
    return random.nextInt(3) > 0 ? scopes : Arrays.copyOf(scopes, random.nextInt(scopes.length));
  }

  /** A version, and a row without stamps for each scope that is checked. */
  private static StagedRows rows(long[] checks, long value) {
    StagedRows rows = new StagedRows(64);
    byte[] slot = RowKeys.vertexBodySlot(VertexKeys.pack(1, 1, 0));
    rows.add(Family.ATTRIBUTES, slot, 0, new byte[] {0, 0}, 2);
    for (long scope : checks) {
      byte[] key = new byte[8];
      BigEndian.putLong(key, 0, scope);
      byte[] held = new byte[8];
      BigEndian.putLong(held, 0, value);
      rows.addPlain(Family.IDS, key, held);
    }
    return rows;
  }

  private Sent part(Random random, long snapshot, @Nullable Sent replaced) {
    TransactionId id = new TransactionId(Stamp.startOf(now), 1, ++number);
    long[] scopes = scopes(random);
    long[] checks = checks(random, scopes);
    Request prepare =
        new Request.Prepare(
            id,
            new int[] {0, 1},
            rows(checks, number),
            snapshot,
            checks,
            scopes,
            replaced == null ? null : replaced.id);
    return new Sent(id, replaced, number, snapshot, checks, scopes, send(prepare));
  }

  private Sent commit(Random random, long snapshot) {
    long token = FIRST_TOKEN + ++number;
    long[] scopes = scopes(random);
    long[] checks = checks(random, scopes);
    Request commit =
        new Request.Commit(rows(checks, number), token, snapshot, snapshot, checks, scopes);
    return new Sent(null, null, number, snapshot, checks, scopes, send(commit));
  }
}
