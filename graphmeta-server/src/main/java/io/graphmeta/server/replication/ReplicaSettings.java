package io.graphmeta.server.replication;

import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the replicas of a process work. Immutable.
 *
 * @param cluster the identity of the cluster: groups of others do not hear each other
 * @param self this node, as others reach it
 * @param listenHost the address to listen on
 * @param listenPort the port to listen on
 * @param directory of the logs; the stores lie elsewhere
 * @param certificates for TLS to and from the others; null on one machine
 * @param electionMillis the shortest time without a word of the leader after which another one is
 *     elected; the longest is twice as much
 * @param replayed when so much was applied the store is brought to disk, so that no more is applied
 *     again after a crash
 * @param keptEntries how many entries the log goes back at most, about: each takes some 130 bytes
 *     of memory, and is read when the process begins
 */
public record ReplicaSettings(
    String cluster,
    ReplicaAddress self,
    String listenHost,
    int listenPort,
    Path directory,
    @Nullable Certificates certificates,
    long electionMillis,
    Replayed replayed,
    long keptEntries) {
  private static final long ENTRY_HEAP_BYTES = 130;

  /**
   * Files in PEM form.
   *
   * @param certificate of this node
   * @param key of this node
   * @param authority that has signed the certificates of all nodes
   */
  public record Certificates(Path certificate, Path key, Path authority) {}

  /**
   * How much is applied again at most, about: both count, since many small entries take as long as
   * few large ones.
   */
  public record Replayed(long bytes, long entries) {
    /** Checks the ranges. */
    public Replayed {
      if (bytes < 1 << 20) {
        throw GraphMetaException.invalid(
            "A store cannot be brought to disk each "
                + bytes
                + " bytes; expected at least "
                + (1 << 20));
      }
      if (entries < 1) {
        throw GraphMetaException.invalid(
            "A store cannot be brought to disk each " + entries + " entries; expected 1 or more");
      }
    }
  }

  /** Checks the ranges. */
  public ReplicaSettings {
    if (electionMillis < 50) {
      throw GraphMetaException.invalid(
          "An election timeout of "
              + electionMillis
              + " ms cannot be kept; expected at least 50 ms, and 1000 ms on busy machines");
    }
    if (keptEntries < CutPlaces.KEPT) {
      throw GraphMetaException.invalid(
          "A log cannot go back "
              + keptEntries
              + " entries only; expected at least "
              + CutPlaces.KEPT);
    }
  }

  /** One to two seconds until an election, 128 MiB or 10,000 entries replayed, 100,000 kept. */
  public static ReplicaSettings of(String cluster, ReplicaAddress self, Path directory) {
    return new ReplicaSettings(
        cluster,
        self,
        self.host(),
        self.port(),
        directory,
        null,
        1000,
        new Replayed(128L << 20, 10_000),
        100_000);
  }

  /** These settings with another time until an election, in milliseconds. */
  public ReplicaSettings withElectionMillis(long millis) {
    return with(certificates, millis, replayed, keptEntries);
  }

  /** These settings with TLS. */
  public ReplicaSettings withCertificates(Certificates files) {
    return with(files, electionMillis, replayed, keptEntries);
  }

  /** These settings with other bounds of what is applied again after a crash. */
  public ReplicaSettings withReplayed(long bytes, long entries) {
    return with(certificates, electionMillis, new Replayed(bytes, entries), keptEntries);
  }

  /** These settings with another length of the log, in entries. */
  public ReplicaSettings withKeptEntries(long entries) {
    return with(certificates, electionMillis, replayed, entries);
  }

  private ReplicaSettings with(
      @Nullable Certificates files, long millis, Replayed again, long entries) {
    return new ReplicaSettings(
        cluster, self, listenHost, listenPort, directory, files, millis, again, entries);
  }

  /** Whether so much was applied that the store is to be brought to disk. */
  boolean isToDisk(long appliedBytes, long appliedEntries) {
    return appliedBytes >= replayed.bytes() || appliedEntries >= entriesToDisk();
  }

  /** Also often enough for the log to be cut in time. */
  private long entriesToDisk() {
    return Math.min(replayed.entries(), keptEntries / CutPlaces.KEPT);
  }

  /**
   * Behind how many entries a place where the log may be cut is followed by another: those that are
   * kept lie between some of them, and the next may come only when the store is on disk again.
   */
  long entriesToCut() {
    return keptEntries / CutPlaces.KEPT - entriesToDisk() + 1;
  }

  /** What one log takes of the heap at most, about. */
  long heapBytesOfLog() {
    return RaftOptions.FILES_IN_MEMORY_BYTES + ENTRY_HEAP_BYTES * keptEntries;
  }

  /**
   * What an operator is to know of the heap; empty where the logs have half of it for themselves.
   *
   * @param logs how many the process has
   */
  Optional<String> heapWarning(int logs, long heapBytes) {
    long logBytes = logs * heapBytesOfLog();
    if (logBytes <= heapBytes / 2) {
      return Optional.empty();
    }
    return Optional.of(
        "The logs of "
            + logs
            + " shards may take "
            + (logBytes >> 20)
            + " MiB, and the heap has "
            + (heapBytes >> 20)
            + "; a node that runs out of heap ends. Start it with -Xmx"
            + ((2 * logBytes >> 20) + 1)
            + "m in GRAPHMETA_JAVA_OPTS, or let it have fewer shards");
  }

  /**
   * The members of a group must be different nodes, and this one among the first ones.
   *
   * @param isWhole whether there are as many as there are to be; after a loss there may be two
   */
  void requireMembers(List<ReplicaAddress> members, boolean isWhole) {
    long names = members.stream().map(ReplicaAddress::name).distinct().count();
    boolean isOdd = members.size() % 2 == 1;
    if (names != members.size() || isWhole && !isOdd || !members.contains(self)) {
      throw GraphMetaException.invalid(
          "A group of "
              + members
              + " cannot be; expected "
              + (isWhole ? "an odd number of " : "")
              + "different nodes, with "
              + self
              + " among them");
    }
  }
}
