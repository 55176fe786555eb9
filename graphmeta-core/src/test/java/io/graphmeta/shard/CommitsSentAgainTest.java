package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.Response.Conflicted;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A commit whose message comes again, after the shard was opened again any number of times, is
 * answered as the first was, or as not done if it was not; and it is never done twice. Only of what
 * is long past nothing is said.
 */
class CommitsSentAgainTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int GROUPS_KEPT = 1 << 14;

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final InstantSource clock = () -> now;
  private final StorageEngine memory = new MemoryStorage();
  private boolean full;

  /** A store whose disk is full now and then. */
  private final StorageEngine storage =
      (StorageEngine)
          Proxy.newProxyInstance(
              StorageEngine.class.getClassLoader(),
              new Class<?>[] {StorageEngine.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("requireRoom") && full) {
                  throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, "The disk is full");
                }
                try {
                  return method.invoke(memory, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private Shard shard = open();

  /** A commit of a client; the stamp is 0 if it was never sent, or refused. */
  private record Sent(Request.Commit commit, long stamp) {}

  private Shard open() {
    ShardSettings settings =
        new ShardSettings(
            VirtualNodeMap.roundRobin(1, 16, 1),
            Placements.DIDO,
            128,
            600_000,
            Durability.BACKGROUND,
            Durability.BACKGROUND,
            1 << 16,
            500_000,
            1000,
            500,
            3,
            1 << 20,
            64,
            1 << 20,
            1000,
            true);
    return new Shard(0, storage, new LocalLog(storage, "log"), clock, settings);
  }

  private Response ask(Request request) {
    return shard.handle(new Call(1, 1000, request)).join();
  }

  private long snapshot() {
    return ((Response.Stamped) ask(new Request.Snapshot(0))).stamp();
  }

  private static Request.Commit commit(long token, long snapshot, long vertex) {
    StagedRows rows = new StagedRows(64);
    byte[] body = {0, 0};
    rows.add(
        Family.ATTRIBUTES, RowKeys.vertexBodySlot(VertexKeys.pack(1, (int) vertex, 0)), 0, body, 2);
    long[] scopes = {vertex};
    return new Request.Commit(rows, token, snapshot, 0, scopes, scopes);
  }

  @Test
  void eachIsAnsweredAsTheFirstWas() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Sent> all = new ArrayList<>();
    // A store without tokens tells nothing: it may have commits from before tokens were kept.
    assertThat(ask(commit(42, snapshot(), 0))).isInstanceOf(Response.Stamped.class);
    for (int step = 0; step < 2_000; step++) {
      now = now.plusMillis(random.nextInt(5));
      switch (random.nextInt(20)) {
        case 0 -> openAgain();
        case 1, 2, 3, 4 -> {
          if (!all.isEmpty()) {
            sendAgain(all.get(random.nextInt(all.size())));
          }
        }
        default -> send(all, random);
      }
    }
    openAgain();
    all.forEach(this::sendAgain);
  }

  /** Stamps of the earlier run may lie up to a second ahead. */
  private void openAgain() {
    now = now.plusSeconds(2);
    shard = open();
  }

  private void send(List<Sent> all, SplittableRandom random) {
    Request.Commit commit = commit(random.nextLong(), snapshot(), random.nextInt(50));
    if (random.nextInt(5) == 0) {
      all.add(new Sent(commit, 0)); // its message is lost
      if (random.nextBoolean()) {
        openAgain();
      }
      return;
    }
    Response answer = ask(commit);
    assertThat(answer).as("seed %d", SEED).isInstanceOf(Response.Stamped.class);
    all.add(new Sent(commit, ((Response.Stamped) answer).stamp()));
  }

  private void sendAgain(Sent sent) {
    long before = rows();
    Response answer = ask(sent.commit);
    if (sent.stamp != 0) {
      assertThat(answer).as("seed %d", SEED).isEqualTo(new Response.Stamped(sent.stamp));
      assertThat(rows()).as("seed %d, done twice", SEED).isEqualTo(before);
    } else if (answer instanceof Conflicted conflicted) {
      assertThat(conflicted.check()).as("seed %d", SEED).isNotEqualTo(Conflicted.UNTOLD);
    } // else it came for the first time, in the run that gave its snapshot
  }

  private long rows() {
    return ((Response.Status) ask(new Request.ReadStatus())).rows().get(Family.ATTRIBUTES);
  }

  @Test
  void ofWhatIsLongPastNothingIsSaid() {
    long snapshot = snapshot();
    Request.Commit lost = commit(-(1L << 40), snapshot, 7);
    Request.Commit first = commit(-(2L << 40), snapshot, 8);
    Response stamped = ask(first);
    for (int group = 1; group < GROUPS_KEPT; group++) {
      assertThat(ask(commit(-group, snapshot(), 1_000 + group)))
          .isInstanceOf(Response.Stamped.class);
    }
    openAgain();
    assertThat(ask(first)).isEqualTo(stamped);
    assertThat(ask(lost)).isEqualTo(new Conflicted(Conflicted.TOO_OLD));
    assertThat(ask(commit(-(3L << 40), snapshot(), 9))) // takes the place of the first
        .isInstanceOf(Response.Stamped.class);
    openAgain();
    full = true;
    assertThatThrownBy(() -> ask(first)).hasMessageContaining("The disk is full");
    full = false;
    assertThat(ask(first))
        .as("also after it was refused for something else")
        .isEqualTo(new Conflicted(Conflicted.UNTOLD));
    assertThat(ask(commit(-(4L << 40), snapshot, 10))).isEqualTo(new Conflicted(Conflicted.UNTOLD));
    assertThat(ask(commit(-(3L << 40), 0, 9))).isInstanceOf(Response.Stamped.class);
  }
}
