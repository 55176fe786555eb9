package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node with one replica, which writes while it leads, and says what it was told is there. It
 * understands {@code rest} (writes no more), {@code applied}, and {@code rows FILE}. Arguments:
 * directory, seed, its name, and the names and ports of all. Rows have keys that no other process
 * has: the seed and a count.
 */
final class KilledNode implements Leadership {
  private static final int WRITERS = 4;

  private volatile @Nullable ReplicationLog log;
  private volatile boolean rests;
  private final long seed;

  private KilledNode(long seed) {
    this.seed = seed;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    KilledNode node = new KilledNode(Long.parseLong(arguments[1]));
    List<ReplicaAddress> members = new ArrayList<>();
    for (int i = 3; i < arguments.length; i += 2) {
      members.add(
          new ReplicaAddress(arguments[i], "127.0.0.1", Integer.parseInt(arguments[i + 1])));
    }
    ReplicaAddress self =
        members.stream().filter(each -> each.name().equals(arguments[2])).findAny().orElseThrow();
    StorageEngine store =
        RocksDbStorage.open(
            directory.resolve("store"),
            RocksDbSettings.defaults().withWriteBufferBytes(1 << 20).withLog(false));
    ReplicaServer server =
        ReplicaServer.open(
            ReplicaSettings.of("killed", self, directory.resolve("log"))
                .withReplayed(4 << 20, 1_000),
            List.of(new ReplicaServer.Hosted(0, 0, members, store, node)),
            (shard, nodes) -> Map.of(),
            true);
    for (int writer = 0; writer < WRITERS; writer++) {
      int own = writer;
      Thread thread = new Thread(() -> node.write(own));
      thread.setDaemon(true);
      thread.start();
    }
    say("ready");
    Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
    while (lines.hasNextLine()) {
      String[] words = lines.nextLine().split(" ");
      if (words[0].equals("rest")) {
        node.rests = true;
        say("rests");
      } else if (words[0].equals("applied")) {
        say("applied " + server.replica(0).applied());
      } else {
        Map<String, String> rows = ReplicaGroups.rows(store);
        Files.writeString(
            Path.of(words[1]),
            rows.entrySet().stream()
                .map(row -> row.getKey() + " " + row.getValue())
                .collect(Collectors.joining("\n")));
        say("written");
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }

  @Override
  public void leads(ReplicationLog begun) {
    log = begun;
  }

  @Override
  public void resigns() {}

  @Override
  public void leadsNoMore() {
    log = null;
  }

  @Override
  public ReplicationLog.Told followed() {
    return ReplicationLog.Told.NOBODY;
  }

  @Override
  public Copy copyOfLeader() {
    throw new GraphMetaException(ErrorCode.UNAVAILABLE, "No store is copied here");
  }

  private void write(int writer) {
    SplittableRandom random = new SplittableRandom(seed + writer);
    for (long count = 0; !rests; count++) {
      ReplicationLog led = log;
      try {
        if (led == null) {
          Thread.sleep(5);
        } else {
          long number = (seed << 24) + ((long) writer << 20) + count;
          int bytes = random.nextInt(500) == 0 ? 2 << 20 : random.nextInt(2000);
          ReplicaGroups.append(led, number, bytes).join();
          say("there " + number);
        }
      } catch (InterruptedException e) {
        return;
      } catch (GraphMetaException | CompletionException e) {
        // Nobody knows; another one leads.
      }
    }
  }
}
