package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes in this process, each with a replica of each of some shards. A shard over a log is a
 * counter here: batch number n of its writers has a row with key n.
 */
final class ReplicaGroups implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final int shards;
  private final Path root;
  private final UnaryOperator<ReplicaSettings> with;

  /** What one node says of one shard. */
  static final class Led implements Leadership {
    private final Supplier<Leadership.Copy> copy;

    Led(Supplier<Leadership.Copy> copy) {
      this.copy = copy;
    }

    volatile @Nullable ReplicationLog log;
    volatile int terms;

    @Override
    public void leads(ReplicationLog begun) {
      terms++;
      log = begun;
    }

    @Override
    public void resigns() {
      ReplicationLog last = log;
      if (last != null) {
        last.close();
      }
    }

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
      return copy.get();
    }
  }

  /** A node, with its directory; it can be ended and begun again. */
  final class Node {
    final ReplicaAddress address;
    final Path directory;
    final ReplicaSettings settings;
    final List<Led> led = new ArrayList<>();
    private final List<StorageEngine> stores = new CopyOnWriteArrayList<>();
    boolean isMember = true;
    int generation;
    volatile int copies;
    private @Nullable ReplicaServer server;

    Node(ReplicaAddress address, Path directory, ReplicaSettings settings) {
      this.address = address;
      this.directory = directory;
      this.settings = settings;
    }

    void begin() {
      led.clear();
      List<ReplicaServer.Hosted> hosted = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        int number = shard;
        stores.add(open(shard));
        led.add(new Led(() -> copyOf(number)));
        hosted.add(
            new ReplicaServer.Hosted(
                shard,
                generation,
                isMember ? addresses() : List.of(),
                stores.get(shard),
                led.get(shard)));
      }
      server = ReplicaServer.open(settings, hosted, this::terms, true);
    }

    private Map<String, CompletableFuture<Long>> terms(int shard, Set<String> asked) {
      return nodes.stream()
          .filter(node -> asked.contains(node.address.name()))
          .collect(
              Collectors.toMap(
                  node -> node.address.name(),
                  node -> CompletableFuture.supplyAsync(() -> node.replica(shard).term())));
    }

    private StorageEngine open(int shard) {
      return RocksDbStorage.open(
          storeOf(shard), RocksDbSettings.defaults().withWriteBufferBytes(1 << 20).withLog(false));
    }

    /** A checkpoint of the store of the leader, and what puts it in the place of the store here. */
    private Leadership.Copy copyOf(int shard) {
      copies++;
      Path copied = directory.resolve("copied-" + shard + "-" + copies);
      Node leads = leader(shard);
      long applied = leads.replica(shard).applied();
      leads.store(shard).checkpoint(copied);
      return new Leadership.Copy(applied, () -> place(shard, copied));
    }

    private StorageEngine place(int shard, Path copied) {
      stores.get(shard).close();
      try {
        delete(storeOf(shard));
        Files.move(copied, storeOf(shard));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      stores.set(shard, open(shard));
      return stores.get(shard);
    }

    Path storeOf(int shard) {
      return directory.resolve("shard-" + shard);
    }

    StorageEngine store(int shard) {
      return stores.get(shard);
    }

    Replica replica(int shard) {
      return running().replica(shard);
    }

    private ReplicaServer running() {
      ReplicaServer running = server;
      if (running == null) {
        throw new AssertionError(address + " does not run");
      }
      return running;
    }

    boolean runs() {
      return server != null;
    }

    /** Goes on alone with the first shard, in the next generation. */
    void goOn() {
      generation++;
      led.set(0, new Led(() -> copyOf(0)));
      running()
          .goOn(
              new ReplicaServer.Hosted(0, generation, List.of(address), stores.get(0), led.get(0)));
    }

    void end() {
      ReplicaServer running = server;
      server = null;
      if (running != null) {
        running.close();
      }
      stores.forEach(StorageEngine::close);
      stores.clear();
    }
  }

  /**
   * Three nodes that have begun, and heard of one another's first entry: the engine counts no vote
   * of a member that has nothing for one that has something, so that to end the third then would
   * stop both. Settings may be changed for each.
   */
  ReplicaGroups(Path directory, int shards, UnaryOperator<ReplicaSettings> with)
      throws IOException {
    this(directory, shards, with, true);
  }

  /** Three nodes that have begun, of which one may be heard by nobody. */
  static ReplicaGroups withStranger(Path directory, UnaryOperator<ReplicaSettings> with)
      throws IOException {
    return new ReplicaGroups(directory, 1, with, false);
  }

  private ReplicaGroups(
      Path directory, int shards, UnaryOperator<ReplicaSettings> with, boolean allAreHeard)
      throws IOException {
    this.shards = shards;
    this.root = directory;
    this.with = with;
    for (int node = 0; node < 3; node++) {
      ReplicaAddress address = new ReplicaAddress("node-" + node, "127.0.0.1", freePort());
      Path own = directory.resolve("node-" + node);
      ReplicaSettings settings =
          ReplicaSettings.of("test", address, own.resolve("log")).withElectionMillis(600);
      nodes.add(new Node(address, own, with.apply(settings)));
    }
    nodes.forEach(Node::begin);
    if (allAreHeard) {
      awaitFirstEntries();
    }
  }

  private void awaitFirstEntries() {
    for (int shard = 0; shard < shards; shard++) {
      int number = shard;
      await(
          "all to have something in their logs",
          () -> nodes.stream().allMatch(node -> node.replica(number).lastIndex() >= 0));
    }
  }

  /** Has the group take in a node in the place of another, whoever leads meanwhile. */
  void replace(int shard, Node from, Node to) {
    await(
        to.address + " to be taken in",
        () -> {
          Replica leading = leader(shard).replica(shard);
          try {
            Set<String> members = leading.agreedMembers();
            if (members.contains(to.address.name())) {
              return true;
            }
            List<ReplicaAddress> next =
                nodes.stream()
                    .filter(node -> node != from)
                    .filter(node -> node == to || members.contains(node.address.name()))
                    .map(node -> node.address)
                    .toList();
            if (!members.isEmpty()) {
              leading.changeMembers(members, next).join();
            }
          } catch (GraphMetaException | CompletionException e) {
            System.out.println("tried again: " + e.getMessage());
          }
          return false;
        });
    to.isMember = true;
    from.isMember = false;
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private List<ReplicaAddress> addresses() {
    return nodes.stream().filter(node -> node.isMember).map(node -> node.address).toList();
  }

  /** One more node, with empty stores, that groups may take in. */
  Node addNode() throws IOException {
    return addNode(0);
  }

  /** One more node, for groups of a generation. */
  Node addNode(int generation) throws IOException {
    ReplicaAddress address = new ReplicaAddress("node-" + nodes.size(), "127.0.0.1", freePort());
    Path own = root.resolve(address.name());
    ReplicaSettings settings =
        ReplicaSettings.of("test", address, own.resolve("log")).withElectionMillis(600);
    Node added = new Node(address, own, with.apply(settings));
    added.isMember = false;
    added.generation = generation;
    nodes.add(added);
    added.begin();
    return added;
  }

  /** Waits for a node that leads, and has had its log told. */
  Node leader(int shard) {
    await("a leader of shard " + shard, () -> nodes.stream().anyMatch(node -> leads(node, shard)));
    return nodes.stream()
        .filter(node -> leads(node, shard))
        .findFirst()
        .orElseGet(() -> leader(shard));
  }

  private static boolean leads(Node node, int shard) {
    return node.runs() && node.led.get(shard).log != null;
  }

  static void await(String what, BooleanSupplier isSo) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!isSo.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long for " + what).isLessThan(end);
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The log of the node that leads. */
  ReplicationLog log(int shard) {
    while (true) {
      ReplicationLog log = leader(shard).led.get(shard).log;
      if (log != null) {
        return log;
      }
    }
  }

  static CompletableFuture<Void> append(ReplicationLog log, long number, int bytes) {
    RowBatch batch = new RowBatch(64);
    batch.put(Family.META, key(number), new byte[bytes]);
    return log.append(batch, Durability.SYNC);
  }

  /** Appends until it is told that a batch is there, whoever leads; to do it twice does no harm. */
  void write(int shard, long number, int bytes) {
    for (boolean done = false; !done; ) {
      try {
        append(log(shard), number, bytes).join();
        done = true;
      } catch (GraphMetaException | CompletionException e) {
        // Another one leads.
      }
    }
  }

  static byte[] key(long number) {
    return ByteBuffer.allocate(9).put((byte) 1).putLong(number).array();
  }

  /** All rows of a store, in hexadecimal, without what says how far it is. */
  static Map<String, String> rows(StorageEngine store) {
    Map<String, String> rows = new TreeMap<>();
    for (Family family : Family.values()) {
      try (RowCursor cursor = store.cursor(family, StorageEngine.Scope.FAMILY)) {
        for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
          byte[] value = cursor.value();
          rows.put(
              family + " " + HexFormat.of().formatHex(cursor.key(), 0, cursor.keyLength()),
              cursor.valueLength()
                  + " "
                  + HexFormat.of().formatHex(value, 0, Math.min(64, cursor.valueLength())));
        }
      }
    }
    return rows;
  }

  /** Waits until all that run have applied the same, and compares their rows. */
  Map<String, String> agreed(int shard) {
    List<Node> running = nodes.stream().filter(Node::runs).toList();
    write(shard, Long.MAX_VALUE, 1);
    await(
        "replicas to be even",
        () ->
            running.stream().mapToLong(node -> node.replica(shard).applied()).distinct().count()
                == 1);
    Map<String, String> first = rows(running.get(0).store(shard));
    for (Node node : running) {
      assertThat(rows(node.store(shard))).as("rows of %s", node.address).isEqualTo(first);
    }
    return first;
  }

  /** Copies the files of a store as they are; tables are not removed before they are replaced. */
  static void copyStore(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (!file.endsWith("LOCK")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Bytes that the first node has in its logs. */
  long logBytes(int node) throws IOException {
    try (Stream<Path> files = Files.walk(nodes.get(node).settings.directory())) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }

  @Override
  public void close() {
    nodes.forEach(Node::end);
  }
}
