package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.node.DatabaseDirectory;
import io.graphmeta.node.HostedShard;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.router.Router;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * The process of {@link SplitCrashIT}: gives vertices many edges in several threads, takes some
 * away and changes others, while its shards split these vertices, until it ends at a {@link
 * CrashPoint}. Prints each transaction before it is committed and what became of it, and what a
 * reader has seen. Each line ends with a semicolon, or was cut off.
 *
 * <p>The edges belong to hubs, two for each {@link #ROUND} transactions of a thread, so that there
 * are always some to be split.
 */
final class SplitCrashWriter {
  static final int HALTED = 137;
  static final int FILES = 40;
  static final int GENERATIONS = 20;

  private static final int THREADS = 3;
  private static final int ROUND = 30;

  private final Transactions transactions;
  private final String run;
  private final long seed;
  private long[] files = {};
  private long[] hubs = {};

  private SplitCrashWriter(Transactions transactions, String run, long seed) {
    this.transactions = transactions;
    this.run = run;
    this.seed = seed;
  }

  /** The arguments: directory, run, crash point, occurrence, seed, settings. */
  public static void main(String[] arguments) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(Setting.DIRECTORY.key(), Path.of(arguments[0]).toString());
    for (int i = 5; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      settings.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
    }
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          failure.printStackTrace(System.err);
          Runtime.getRuntime().halt(1);
        });
    long seed = Long.parseLong(arguments[4]);
    Transactions transactions =
        open(
            GraphMetaConfig.of(settings),
            CrashPoint.valueOf(arguments[2]),
            Integer.parseInt(arguments[3]),
            seed);
    new SplitCrashWriter(transactions, arguments[1], seed).start();
  }

  /** The shards of a database, over a transport that ends the process. */
  private static Transactions open(
      GraphMetaConfig config, CrashPoint point, int occurrence, long seed) {
    DatabaseDirectory directory = DatabaseDirectory.open(config);
    int shards = (int) config.number(Setting.SHARDS);
    InstantSource clock = InstantSource.system();
    List<HostedShard> nodes = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      nodes.add(
          HostedShard.open(shard, directory.shard(shard), directory.isCreating(), config, clock));
    }
    directory.ready();
    CrashingTransport transport =
        new CrashingTransport(new LocalTransport(nodes), point, occurrence, seed);
    nodes.forEach(node -> node.join(transport));
    new IntentRecovery(nodes, config.number(Setting.REQUEST_TIMEOUT_MILLIS)).run();
    Router router =
        new Router(
            transport,
            VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), shards),
            Placements.named(config.get(Setting.PLACEMENT)),
            new HybridClock(clock, 0, 500_000),
            config.number(Setting.REQUEST_TIMEOUT_MILLIS),
            seed);
    return new Transactions(
        router, new TransactionLimits(1 << 28, 1 << 20, 1024, 1 << 20, 1 << 20, 1024));
  }

  static String file(int number) {
    return "file" + number;
  }

  static String hub(String run, int generation, boolean second) {
    return "hub-" + run + "-" + generation + (second ? "b" : "a");
  }

  private void start() {
    try (GraphTransaction tx = transactions.begin()) {
      files = new long[FILES];
      for (int i = 0; i < FILES; i++) {
        long[] known = tx.incarnations(file(i));
        files[i] =
            known.length > 0 ? known[0] : tx.addVertex(file(i), "file", Map.of(), Stamp.AT_COMMIT);
      }
      hubs = new long[2 * GENERATIONS];
      for (int i = 0; i < hubs.length; i++) {
        hubs[i] = tx.addVertex(hub(run, i / 2, i % 2 == 1), "directory", Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    print("begun " + run);
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      new Thread(() -> write(number), "writer-" + number).start();
    }
    new Thread(this::read, "reader").start();
  }

  private static void print(String line) {
    synchronized (System.out) {
      System.out.println(line + " ;");
      System.out.flush();
    }
  }

  private static int generation(int n) {
    return Math.min(n / ROUND, GENERATIONS - 1);
  }

  private void write(int thread) {
    Random random = new Random(seed * 31 + thread);
    Map<String, EdgeKey> mine = new LinkedHashMap<>();
    for (int n = 0; ; n++) {
      String name = run + "-" + thread + "-" + n;
      Map<String, EdgeKey> added = new LinkedHashMap<>();
      StringBuilder line = new StringBuilder("try ").append(name);
      String changed = null;
      boolean ends = false;
      try (GraphTransaction tx = transactions.begin()) {
        if (thread == 0 && n % ROUND == ROUND / 2 && n > ROUND && n / ROUND < GENERATIONS) {
          int dropped = generation(n) - 1;
          tx.removeVertex(hubs[2 * dropped + 1], Stamp.AT_COMMIT);
          line.append(" drop ").append(hub(run, dropped, true));
        } else {
          add(tx, name, generation(n), random, added, line);
          if (!mine.isEmpty() && random.nextInt(3) == 0) {
            changed = List.copyOf(mine.keySet()).get(random.nextInt(mine.size()));
            ends = random.nextBoolean();
            if (ends) {
              tx.removeEdge(mine.get(changed), Stamp.AT_COMMIT);
              line.append(" end ").append(changed);
            } else {
              tx.setEdgeProperty(mine.get(changed), "value", name, Stamp.AT_COMMIT);
              line.append(" set ").append(changed).append(' ').append(name);
            }
          }
        }
        print(line.toString());
        long stamp = tx.commit();
        print("ok " + name + " " + stamp);
        mine.putAll(added);
        if (ends) {
          mine.remove(changed);
        }
      } catch (GraphMetaException e) {
        refused(name, e);
        mine.remove(changed); // it may be gone with its vertex
      }
    }
  }

  private void add(
      GraphTransaction tx,
      String name,
      int generation,
      Random random,
      Map<String, EdgeKey> added,
      StringBuilder line) {
    for (int edges = 1 + random.nextInt(3); edges > 0; edges--) {
      boolean second = random.nextBoolean();
      String hub = hub(run, generation, second);
      long hubKey = hubs[2 * generation + (second ? 1 : 0)];
      int file = random.nextInt(FILES + 5);
      String other = file < FILES ? file(file) : hub(run, generation, !second);
      long otherKey = file < FILES ? files[file] : hubs[2 * generation + (second ? 0 : 1)];
      boolean outgoing = random.nextBoolean();
      String edge = name + "-" + edges;
      added.put(
          edge,
          tx.addEdge(
              null,
              outgoing ? hubKey : otherKey,
              random.nextBoolean() ? "contains" : "links",
              outgoing ? otherKey : hubKey,
              Map.of("name", edge, "value", edge),
              Stamp.AT_COMMIT));
      line.append(" add ").append(edge).append(' ');
      line.append(outgoing ? hub : other).append(' ').append(outgoing ? other : hub);
    }
  }

  private static void refused(String name, GraphMetaException failure) {
    switch (failure.code().category()) {
      case RETRY -> print("no " + name);
      case UNCERTAIN -> print("unknown " + name);
      default -> {
        if (failure.code() != ErrorCode.NOT_FOUND) {
          throw failure;
        }
        print("no " + name);
      }
    }
  }

  private void read() {
    Random random = new Random(seed);
    while (true) {
      int hub = random.nextInt(hubs.length);
      boolean outgoing = random.nextBoolean();
      try (GraphTransaction tx = transactions.begin()) {
        ReadView view = tx.snapshot();
        Set<String> names = names(tx, hubs[hub], outgoing, view);
        if (!names.isEmpty()) {
          print(
              "saw "
                  + view.validAt()
                  + " "
                  + hub(run, hub / 2, hub % 2 == 1)
                  + (outgoing ? " out " : " in ")
                  + fingerprint(names));
        }
      } catch (GraphMetaException e) {
        if (e.code().category() != ErrorCode.Category.RETRY) {
          throw e;
        }
      }
    }
  }

  /** The names of the edges of a vertex, each of which must come once. */
  static Set<String> names(GraphTransaction tx, long vertex, boolean outgoing, ReadView view) {
    Set<String> names = new TreeSet<>();
    Direction direction = outgoing ? Direction.OUT : Direction.IN;
    Expansion all = new Expansion(new long[] {vertex}, direction, Set.of(), true);
    try (AdjacencyCursor cursor = tx.expand(all, view)) {
      while (cursor.next()) {
        if (!names.add(String.valueOf(cursor.edge().value("name")))) {
          throw new IllegalStateException("Edge " + cursor.edge() + " came twice");
        }
      }
    }
    return names;
  }

  /** A set of names in few characters. */
  static String fingerprint(Set<String> names) {
    return names.size() + "/" + names.hashCode();
  }
}
