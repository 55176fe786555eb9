package io.graphmeta.server.faults;

import static org.junit.jupiter.api.Assumptions.abort;

import io.graphmeta.engine.LoopDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** What goes wrong with the disk of one node of a cluster. */
final class FaultyDisk {
  /** Settings of nodes of which one has a small disk. */
  static final String[] SMALL = {
    "graphmeta.reserved-disk-bytes=16777216", "graphmeta.write-buffer-bytes=1048576"
  };

  /** Files of a log have their room before they are written. */
  private static final long LEAST_MILLIS = 3_000;

  private static final long DRAWN_MILLIS = 2_000;

  private final FaultyCluster cluster;
  private final LoopDisk disk;
  private final int node;

  FaultyDisk(FaultyCluster cluster, LoopDisk disk, int node) {
    this.cluster = cluster;
    this.disk = disk;
    this.node = node;
  }

  /** A disk; skips the test where none can be had. */
  static LoopDisk disk(Path base, boolean volatileCache) throws InterruptedException {
    try {
      return LoopDisk.create(Files.createDirectory(base), volatileCache);
    } catch (IOException e) {
      return abort("no file system on a loop device here, which needs root on Linux: " + e);
    }
  }

  /** Has the node of a cluster that will be in a directory write to a disk. */
  static void give(LoopDisk disk, Path cluster, int node) throws IOException {
    Path ofNode = Files.createDirectory(disk.directory().resolve("node"));
    Files.createSymbolicLink(cluster.resolve("n" + node), ofNode);
  }

  /** Has the node lead half of the shards, so that its disk is missed. */
  void lead() throws InterruptedException {
    for (int shard = 0; shard < cluster.shards(); shard += 2) {
      cluster.lead(shard, "n" + node);
    }
  }

  /** All that a disk without a volatile cache can do. */
  List<Fault> all(Random random) {
    return List.of(
        powerLoss(),
        full(random),
        fault("standing still", random, disk::stall, disk::goOn),
        fault("failing", random, disk::fail, this::repair));
  }

  private Fault full(Random random) {
    return fault("full", random, disk::fill, this::makeRoom);
  }

  /**
   * A disk that is full while one of the nodes that may lead in the place of this one says nothing.
   */
  List<Fault> fullBesideSilence(Random random) {
    Fault full = full(random);
    int other = 1 + (node + random.nextInt(cluster.nodes() - 1)) % cluster.nodes();
    return List.of(full, Fault.pause(cluster, other, full.millis()));
  }

  /**
   * The node is stopped before its disk is looked at, so that it acknowledges nothing later that
   * the disk would not hold.
   */
  Fault powerLoss() {
    return new Fault(
        "power of n" + node + " lost",
        node,
        0,
        () -> {
          cluster.signal(node, "STOP");
          onDisk(
              () -> {
                Path left = disk.snapshot();
                cluster.kill(node);
                disk.restartFrom(left);
              });
        },
        () -> cluster.restart(node));
  }

  private Fault fault(String what, Random random, DiskWork begin, DiskWork end) {
    return new Fault(
        "disk of n" + node + " " + what,
        node,
        LEAST_MILLIS + random.nextLong(DRAWN_MILLIS),
        () -> onDisk(begin),
        () -> onDisk(end));
  }

  /** A replica whose log could not be written has ended, and begins with its node. */
  private void makeRoom() throws IOException {
    disk.makeRoom();
    cluster.kill(node);
    cluster.restart(node);
  }

  private void repair() throws IOException, InterruptedException {
    cluster.kill(node);
    disk.repair();
    cluster.restart(node);
  }

  private interface DiskWork {
    void run() throws IOException, InterruptedException;
  }

  private static void onDisk(DiskWork work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts tests
    }
  }
}
