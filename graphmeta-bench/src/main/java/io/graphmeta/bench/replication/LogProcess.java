package io.graphmeta.bench.replication;

import io.graphmeta.bench.peers.runner.ProcessorClock;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.server.replication.Leadership;
import io.graphmeta.server.replication.ReplicaAddress;
import io.graphmeta.server.replication.ReplicaServer;
import io.graphmeta.server.replication.ReplicaSettings;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A process with one log of a store alone, or a replica of each of some groups. Its committers
 * append what the commit of an edge with one property does: four rows. Does what the lines of its
 * input say:
 *
 * <ul>
 *   <li>{@code lead G}: answers when it leads group G, or who does;
 *   <li>{@code hand G NODE}: lets another node lead group G;
 *   <li>{@code run MILLIS G W G W ...}: W committers for each group G, which it leads; answers with
 *       all times of a commit in microseconds.
 *   <li>{@code cpu}: answers with its processor time in nanoseconds, without that of compilers.
 * </ul>
 */
public final class LogProcess {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final int MAX_TIMES = 20_000;

  private final List<Led> groups = new ArrayList<>();
  private final String name;
  private final @Nullable ReplicaServer server;
  private final boolean bringsToDisk;

  /** The log of a group, while it is led. */
  private static final class Led implements Leadership {
    private @Nullable ReplicationLog log;

    @Override
    public synchronized void leads(ReplicationLog begun) {
      log = begun;
      notifyAll();
    }

    @Override
    public void resigns() {}

    @Override
    public synchronized void leadsNoMore() {
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

    synchronized ReplicationLog log() throws InterruptedException {
      while (log == null) {
        wait();
      }
      return log;
    }
  }

  private LogProcess(String name, @Nullable ReplicaServer server, List<Led> led) {
    this.name = name;
    this.server = server;
    this.bringsToDisk = server == null;
    groups.addAll(led);
  }

  /**
   * Arguments: a directory, and for a node its name, the number of groups, and the names and ports
   * of all nodes.
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    LogProcess process = arguments.length == 1 ? alone(directory) : node(directory, arguments);
    System.out.println("ready");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(process.answer(line.split(" ")));
      }
    }
    Runtime.getRuntime().halt(0); // the directory is thrown away
  }

  private static LogProcess alone(Path directory) {
    StorageEngine store =
        RocksDbStorage.open(directory.resolve("store"), RocksDbSettings.defaults());
    Led led = new Led();
    led.leads(new LocalLog(store, "log", true));
    return new LogProcess("alone", null, List.of(led));
  }

  private static LogProcess node(Path directory, String[] arguments) {
    List<ReplicaAddress> members = new ArrayList<>();
    for (int i = 3; i < arguments.length; i += 2) {
      members.add(
          new ReplicaAddress(arguments[i], "127.0.0.1", Integer.parseInt(arguments[i + 1])));
    }
    ReplicaAddress self =
        members.stream()
            .filter(member -> member.name().equals(arguments[1]))
            .findAny()
            .orElseThrow();
    List<Led> led = new ArrayList<>();
    List<ReplicaServer.Hosted> hosted = new ArrayList<>();
    for (int group = 0; group < Integer.parseInt(arguments[2]); group++) {
      StorageEngine store =
          RocksDbStorage.open(
              directory.resolve("store-" + group), RocksDbSettings.defaults().withLog(false));
      led.add(new Led());
      hosted.add(new ReplicaServer.Hosted(group, 0, members, store, led.get(group)));
    }
    ReplicaSettings settings =
        ReplicaSettings.of("benchmark", self, directory.resolve("log")).withElectionMillis(3000);
    return new LogProcess(
        self.name(), ReplicaServer.open(settings, hosted, (shard, nodes) -> Map.of(), true), led);
  }

  private String answer(String[] words) throws Exception {
    return switch (words[0]) {
      case "lead" -> lead(Integer.parseInt(words[1]));
      case "cpu" -> Long.toString(processorNanos());
      case "run" -> run(words);
      case "hand" -> hand(Integer.parseInt(words[1]), words[2]);
      default -> throw new IllegalArgumentException(String.join(" ", words));
    };
  }

  private String lead(int group) throws InterruptedException {
    ReplicaServer running = server;
    for (boolean leads = false; running != null && !leads; ) {
      leads = running.replica(group).leads();
      String leader = running.replica(group).leader();
      if (!leads && !leader.isEmpty() && !leader.equals(name)) {
        return "led by " + leader;
      }
      Thread.sleep(10);
    }
    groups.get(group).log();
    return "leads";
  }

  private String hand(int group, String node) {
    ReplicaServer running = server;
    if (running != null) {
      try {
        running.replica(group).transfer(node, 10_000);
      } catch (GraphMetaException e) {
        return "not handed over";
      }
    }
    return "handed over";
  }

  private String run(String[] words) throws Exception {
    long end = System.nanoTime() + Long.parseLong(words[1]) * 1_000_000;
    ExecutorService committers = Executors.newCachedThreadPool();
    try {
      List<Future<long[]>> all = new ArrayList<>();
      for (int i = 2; i < words.length; i += 2) {
        ReplicationLog log = groups.get(Integer.parseInt(words[i])).log();
        for (int committer = 0; committer < Integer.parseInt(words[i + 1]); committer++) {
          all.add(committers.submit(() -> commit(log, end)));
        }
      }
      return summary(all);
    } finally {
      committers.shutdown();
    }
  }

  /** Number of commits, then some of their times. */
  private static String summary(List<Future<long[]>> all)
      throws InterruptedException, ExecutionException {
    long commits = 0;
    StringBuilder times = new StringBuilder();
    int kept = all.isEmpty() ? 0 : MAX_TIMES / all.size();
    for (Future<long[]> each : all) {
      long[] micros = each.get();
      commits += micros.length;
      int step = Math.max(1, micros.length / Math.max(1, kept));
      for (int i = 0; i < micros.length; i += step) {
        times.append(' ').append(micros[i]);
      }
    }
    return commits + times.toString();
  }

  private long[] commit(ReplicationLog log, long end) {
    SplittableRandom random = new SplittableRandom();
    RowBatch rows = new RowBatch(512);
    long[] micros = new long[1024];
    int count = 0;
    while (System.nanoTime() < end) {
      fill(rows, random);
      long begin = System.nanoTime();
      if (bringsToDisk) {
        var durable = log.appendToSync(rows);
        log.bringToDisk();
        durable.join();
      } else {
        log.append(rows, Durability.SYNC).join();
      }
      if (count == micros.length) {
        micros = Arrays.copyOf(micros, 2 * count);
      }
      micros[count++] = (System.nanoTime() - begin) / 1000;
    }
    return Arrays.copyOf(micros, count);
  }

  /** An edge at its source with a property, at its destination, and what the commit notes. */
  private static void fill(RowBatch rows, SplittableRandom random) {
    rows.clear();
    byte[] key =
        ByteBuffer.allocate(48).putLong(random.nextLong()).putLong(random.nextLong()).array();
    rows.put(Family.OUT, key, new byte[8]);
    key[40] = 1;
    rows.put(Family.OUT, key, new byte[40]);
    rows.put(Family.IN, key, new byte[8]);
    rows.put(Family.META, "bound".getBytes(StandardCharsets.US_ASCII), new byte[16]);
  }

  /** Of all threads, those that have ended too, less that of the compilers, which do not end. */
  private static long processorNanos() throws IOException {
    long nanos = ProcessorClock.wholeNanos();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        try {
          if (Files.readString(task.resolve("comm")).contains("CompilerThre")) {
            String account = Files.readString(task.resolve("schedstat"));
            nanos -= Long.parseLong(account.substring(0, account.indexOf(' ')));
          }
        } catch (IOException e) {
          continue; // The thread has ended.
        }
      }
    }
    return nanos;
  }
}
