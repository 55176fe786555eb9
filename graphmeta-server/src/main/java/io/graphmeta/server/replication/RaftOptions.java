package io.graphmeta.server.replication;

import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * The options of the engine, each with the reason why it is not left as it is. What safety rests on
 * is looked at again when the engine has been built with them.
 */
final class RaftOptions {
  /** An entry with its envelope; the engine refuses larger ones. */
  private static final int ENTRY_BYTES = ProposedLog.MAX_ENTRY_BYTES + (64 << 10);

  /** Entries in one message to a follower. */
  static final int MESSAGE_BYTES = 4 << 20;

  /** A file of the log; the log is cut by whole files. */
  private static final int SEGMENT_BYTES = 4 << 20;

  /** Beside the one that is written. */
  private static final int SEGMENTS_IN_MEMORY = 2;

  /**
   * Files of one log in memory: also the one that is written, and one that is read for a member.
   */
  static final long FILES_IN_MEMORY_BYTES = (SEGMENTS_IN_MEMORY + 2L) * SEGMENT_BYTES;

  private RaftOptions() {}

  static RaftProperties properties(ReplicaSettings settings) {
    RaftProperties properties = new RaftProperties();
    File directory = settings.directory().toFile();
    RaftServerConfigKeys.setStorageDir(properties, List.of(directory));
    setTimes(properties, settings.electionMillis());
    setLog(properties);
    setMemory(properties);
    // The engine listens on all addresses of the machine otherwise.
    GrpcConfigKeys.Server.setHost(properties, settings.listenHost());
    GrpcConfigKeys.Server.setPort(properties, settings.listenPort());
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(2 * MESSAGE_BYTES));
    return properties;
  }

  private static void setTimes(RaftProperties properties, long electionMillis) {
    TimeDuration least = TimeDuration.valueOf(electionMillis, TimeUnit.MILLISECONDS);
    TimeDuration most = TimeDuration.valueOf(2 * electionMillis, TimeUnit.MILLISECONDS);
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, least);
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, most);
    // The first election has nobody to wait for.
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, least.multiply(0.2));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, most.multiply(0.2));
    RaftServerConfigKeys.Rpc.setRequestTimeout(properties, most.multiply(2));
    // A leader that lost its majority for a moment does not stand again for 10 s otherwise.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, most);
    RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
    // A process that was stopped for a minute would end its replicas for good, and stay.
    RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(3650, TimeUnit.DAYS));
    // Proposals are not sent again, so there is no answer to be kept for them.
    RaftServerConfigKeys.RetryCache.setExpiryTime(
        properties, TimeDuration.valueOf(5, TimeUnit.SECONDS));
  }

  private static void setLog(RaftProperties properties) {
    // A replica that comes back would wait up to 5 s for its leader to try again.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "10ms,20, 100ms,1000000");
    // Each append would wait 1 ms for more; what comes together is put together before.
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO);
    // Each commit would become a second entry, which is synced like the first.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // An answer goes out before the disk has it with either of these.
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
    // A follower answers that it has all entries of a message as soon as it has those of another
    // one that began with the same entry, and was shorter (Ratis 3.3.0, ServerImplUtils).
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    // When the store is brought to disk is told by the bytes that were applied, not by entries.
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    // How far back the log goes is told by the bytes that were applied, also for a member that is
    // away: who needs more copies the store.
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    // A copy of the store goes over the wire of the nodes, not over the engine's.
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
  }

  /** What one group may keep in memory; a node has as many as it has shards. */
  private static void setMemory(RaftProperties properties) {
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
        properties, SizeInBytes.valueOf(MESSAGE_BYTES));
    // At least the message and 8 bytes; taken once for each group, beside the heap.
    RaftServerConfigKeys.Log.setWriteBufferSize(
        properties, SizeInBytes.valueOf(MESSAGE_BYTES + (64 << 10)));
    // The file that is written is in memory as a whole, as are some that were, and any that is read
    // for a member that is behind.
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
    RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, SEGMENTS_IN_MEMORY);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(
        properties, SizeInBytes.valueOf((SEGMENTS_IN_MEMORY + 1) * (long) SEGMENT_BYTES));
    // What waits for the disk stays in memory, too; who appends waits with it.
    RaftServerConfigKeys.Log.setQueueByteLimit(properties, SizeInBytes.valueOf(2 * MESSAGE_BYTES));
  }

  static Parameters parameters(ReplicaSettings settings) {
    Parameters parameters = new Parameters();
    ReplicaSettings.Certificates files = settings.certificates();
    if (files != null) {
      GrpcTlsConfig both =
          new GrpcTlsConfig(
              files.key().toFile(), files.certificate().toFile(), files.authority().toFile(), true);
      GrpcConfigKeys.TLS.setConf(parameters, both);
      GrpcConfigKeys.Server.setTlsConf(parameters, both);
      GrpcConfigKeys.Client.setTlsConf(parameters, both);
      GrpcConfigKeys.Admin.setTlsConf(parameters, both);
    }
    return parameters;
  }

  /** Fails if the engine was not built with what safety rests on. */
  static void requireSafe(RaftProperties built, ReplicaSettings settings) {
    require(
        "the log is synced before an answer",
        !RaftServerConfigKeys.Log.unsafeFlushEnabled(built)
            && !RaftServerConfigKeys.Log.asyncFlushEnabled(built)
            && !RaftServerConfigKeys.Log.useMemory(built));
    require(
        "a follower has the entries that it answers for",
        !RaftServerConfigKeys.Log.appendEntriesComposeEnabled(built));
    require("votes are asked for before", RaftServerConfigKeys.LeaderElection.preVote(built));
    require(
        "entries fit",
        RaftServerConfigKeys.Log.Appender.bufferByteLimit(built).getSize() >= ENTRY_BYTES);
    require("the host is bound", settings.listenHost().equals(GrpcConfigKeys.Server.host(built)));
    require(
        "no store is taken over the engine's wire",
        !RaftServerConfigKeys.Log.Appender.installSnapshotEnabled(built));
  }

  private static void require(String what, boolean isSo) {
    if (!isSo) {
      throw new IllegalStateException("The replicated log was built without this: " + what);
    }
  }
}
