package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a leader counts on when it tells that an entry is there for good: a follower has the entries
 * that it has answered for, also while it catches up. {@code -Dgraphmeta.restarts=N} sets how often
 * followers are away.
 */
@Timeout(300)
class CountedEntriesTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int RESTARTS = Integer.getInteger("graphmeta.restarts", 5);
  private static final int WRITERS = 8;
  private static final int MOST_BYTES = 2_000;
  private static final long MOST_AWAY_MILLIS = 500;
  private static final long LOOKED_MILLIS = 1_500;
  private static final long LOOK_NANOS = 200_000;

  @TempDir private Path directory;

  @Test
  void followersHaveWhatTheyAreCountedFor() throws Exception {
    Random random = new Random(SEED);
    AtomicBoolean enough = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    try (ReplicaGroups groups =
        new ReplicaGroups(directory, 1, settings -> settings.withElectionMillis(5000))) {
      ReplicaGroups.Node leader = groups.leader(0);
      List<ReplicaGroups.Node> followers =
          groups.nodes.stream().filter(node -> node != leader).toList();
      List<Thread> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        Random bytes = new Random(random.nextLong());
        Thread thread =
            new Thread(
                () -> {
                  while (!enough.get()) {
                    groups.write(0, written.getAndIncrement(), bytes.nextInt(MOST_BYTES));
                  }
                });
        writers.add(thread);
        thread.start();
      }
      try {
        for (int restart = 0; restart < RESTARTS; restart++) {
          ReplicaGroups.Node away = followers.get(random.nextInt(followers.size()));
          away.end();
          Thread.sleep(random.nextLong(MOST_AWAY_MILLIS));
          away.begin();
          assertCountedAreThere(leader, followers);
        }
      } finally {
        enough.set(true);
        for (Thread writer : writers) {
          writer.join();
        }
      }
      assertThat(groups.agreed(0)).hasSizeGreaterThanOrEqualTo((int) written.get());
    }
  }

  private static void assertCountedAreThere(
      ReplicaGroups.Node leader, List<ReplicaGroups.Node> followers) {
    long end = System.nanoTime() + LOOKED_MILLIS * 1_000_000;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(LOOK_NANOS);
      // Which is of whom it does not tell; if none is counted for more than it has, this holds.
      long[] counted = leader.replica(0).division().getInfo().getFollowerMatchIndices();
      long[] there = followers.stream().mapToLong(CountedEntriesTest::last).toArray();
      Arrays.sort(counted);
      Arrays.sort(there);
      for (int i = 0; i < counted.length; i++) {
        assertThat(there[i]).as("last entry, seed %d", SEED).isGreaterThanOrEqualTo(counted[i]);
      }
    }
  }

  private static long last(ReplicaGroups.Node follower) {
    RaftServer.Division division = follower.replica(0).division();
    TermIndex last = division.getRaftLog().getLastEntryTermIndex();
    return last == null ? -1 : last.getIndex();
  }
}
