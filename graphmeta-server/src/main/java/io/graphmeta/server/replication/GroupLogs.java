package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * How a group goes on without those that are lost
 *
 * The engine knows a group by its identity, keeps the log of a member in a directory of that name, and lets
 * nobody change the members but a majority of them. So a group that has lost its majority does not change:
 * another one begins, of a later generation and with another identity, whose only member has the log of one
 * that is left. It is the log as it is, with entries that were not known to be agreed on: a majority may have
 * agreed on them, and all that this member had on disk is kept. Members of the former generation, should they
 * come back, are of a group that nobody of the new one hears.
 *
 * The members stand in the log, and in a file beside it that names the place of an entry; what has the highest
 * place counts. The file is written here, with the place behind the last entry: where the new leader begins its
 * term by an entry that says the same.
 *
 * The directory is renamed before the file is written, and again behind it, so that there is no moment at which
 * the one that is left would be the only member of the former group. Whatever is cut off is found by the names.
 */

/**
 * The directories in which the engine keeps the logs of the replicas of a node, of which none is to
 * be open of those that are moved. Immutable.
 */
public final class GroupLogs {
  private static final Logger LOG = LoggerFactory.getLogger(GroupLogs.class);
  private static final String ALONE = ".alone";

  /** Of which the engine reads the terms and the entries. */
  private static final String CURRENT = "current";

  private static final String MEMBERS = "raft-meta.conf";

  /** The term that a replica is in, and whom it has voted for in it. */
  private static final String VOTES = "raft-meta";

  private static final long FORGOTTEN_TERMS = 1 << 20;

  private final Path directory;
  private final String cluster;

  /**
   * The logs in a directory.
   *
   * @param cluster the identity of the cluster
   */
  public GroupLogs(Path directory, String cluster) {
    this.directory = directory;
    this.cluster = cluster;
  }

  /** The group of a shard. The first generation has the name that it had before there were any. */
  RaftGroupId group(int shard, int generation) {
    String name =
        cluster + "/shard-" + shard + (generation == 0 ? "" : "/generation-" + generation);
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  private Path of(int shard, int generation) {
    return directory.resolve(group(shard, generation).getUuid().toString());
  }

  private Path alone(int shard, int generation) {
    Path of = of(shard, generation);
    return of.resolveSibling(of.getFileName() + ALONE);
  }

  /**
   * The latest generation of a shard of which there is a log.
   *
   * @param most the latest that there may be
   * @return -1 if there is none
   */
  public int generation(int shard, int most) {
    for (int generation = most; generation >= 0; generation--) {
      if (Files.isDirectory(of(shard, generation))) {
        return generation;
      }
    }
    return -1;
  }

  /** Whether there is a log of a generation that has begun to go on alone. */
  public boolean hasBegun(int shard, int generation) {
    return Files.isDirectory(alone(shard, generation));
  }

  /**
   * Makes the log of a former generation that of a later one, of which this node is the only
   * member; nothing if it is. What was cut off goes on.
   *
   * @param applied index of the last entry that is in the store, or -1
   * @throws GraphMetaException {@code STORAGE_FAILURE} if there is no log, or it cannot be moved
   */
  void goOnAlone(int shard, int generation, ReplicaAddress self, long applied) {
    Path to = of(shard, generation);
    if (Files.isDirectory(to)) {
      return;
    }
    Path between = alone(shard, generation);
    try {
      if (!Files.isDirectory(between)) {
        int former = generation(shard, generation - 1);
        if (former < 0) {
          throw new IOException("there is no log of a former generation");
        }
        move(of(shard, former), between);
      }
      Path current = between.resolve(CURRENT);
      writeMembers(current, self, Math.max(applied, lastIndex(current)) + 1);
      move(between, to);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The log of shard "
              + shard
              + " in "
              + directory
              + " cannot go on alone: "
              + e.getMessage()
              + "; look after the disk and start the node again",
          e);
    }
  }

  /**
   * Writes the term and the vote of a log anew, where they are lost. The engine puts an empty file
   * in their place when the disk has no room for them (Ratis 3.3.0: {@code AtomicFileOutputStream}
   * is closed in the same way when it could not be written), and would not begin with that.
   *
   * <p>What a replica has voted for in a term it must not forget, or two would lead in it. So it
   * goes on in a term in which nobody can have asked for its vote: an election has it in a later
   * term by one, and each that ends writes an entry of its term.
   */
  void mendVotes() throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> logs = Files.list(directory)) {
      for (Path log : logs.toList()) {
        Path current = log.resolve(CURRENT);
        Path votes = current.resolve(VOTES);
        if (Files.isRegularFile(votes) && !isWhole(votes)) {
          long term = lastEntry(current).getTerm() + FORGOTTEN_TERMS;
          LOG.warn(
              "{} is lost, as of a disk without room; the replica goes on in term {}", votes, term);
          replace(
              current, VOTES, ("term=" + term + "\nvotedFor=\n").getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }

  private static boolean isWhole(Path votes) throws IOException {
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(votes)) {
      read.load(reader);
    }
    return read.containsKey("term") && read.containsKey("votedFor");
  }

  /** The index of the last entry of a log, or -1. */
  static long lastIndex(Path current) throws IOException {
    return lastEntry(current).getIndex();
  }

  /** The place of the last entry of a log; term 0 and index -1 if it has none. */
  private static TermIndex lastEntry(Path current) throws IOException {
    List<LogSegmentPath> segments = new ArrayList<>();
    try (Stream<Path> files = Files.list(current)) {
      for (Path file : files.toList()) {
        LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
        if (segment != null) {
          segments.add(segment);
        }
      }
    }
    segments.sort(Comparator.comparing(LogSegmentPath::getStartEnd).reversed());
    TermIndex[] last = {TermIndex.valueOf(0, -1)};
    for (LogSegmentPath segment : segments) {
      LogSegment.readSegmentFile(
          segment.getPath().toFile(),
          segment.getStartEnd(),
          SizeInBytes.valueOf(RaftOptions.MESSAGE_BYTES),
          CorruptionPolicy.EXCEPTION,
          null,
          entry -> last[0] = TermIndex.valueOf(entry));
      if (last[0].getIndex() >= 0) {
        break;
      }
    }
    return last[0];
  }

  private static void writeMembers(Path current, ReplicaAddress self, long index)
      throws IOException {
    RaftConfigurationProto.Builder members = RaftConfigurationProto.newBuilder();
    ReplicaAddress.peers(List.of(self)).stream()
        .map(RaftPeer::getRaftPeerProto)
        .forEach(members::addPeers);
    byte[] bytes =
        LogEntryProto.newBuilder()
            .setIndex(index)
            .setConfigurationEntry(members)
            .build()
            .toByteArray();
    replace(current, MEMBERS, bytes);
  }

  private static void replace(Path current, String name, byte[] bytes) throws IOException {
    Path fresh = current.resolve(name + ".new");
    Files.write(fresh, bytes);
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        fresh,
        current.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(current);
  }

  /**
   * Moves the log of a generation elsewhere; nothing if there is none.
   *
   * @param to where it is to lie, which is not there
   * @throws GraphMetaException {@code STORAGE_FAILURE}
   */
  public void setAside(int shard, int generation, Path to) {
    try {
      if (Files.isDirectory(of(shard, generation))) {
        move(of(shard, generation), to);
      }
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The log of shard " + shard + " in " + directory + " cannot be moved to " + to + ": " + e,
          e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    sync(Objects.requireNonNull(from.getParent()));
    sync(Objects.requireNonNull(to.getParent()));
  }

  private static void sync(Path of) throws IOException {
    try (FileChannel channel = FileChannel.open(of, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
