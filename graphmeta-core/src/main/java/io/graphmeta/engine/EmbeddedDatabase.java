package io.graphmeta.engine;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackedUpStores;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.BackupWriter;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.Checkpoints;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.transfer.Pace;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.transport.LocalTransport;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** A database whose shards are hosted by this process. Safe for use by many threads. */
final class EmbeddedDatabase extends RoutedDatabase {
  private final HostedShards shards;
  private final List<HostedShard> hosted;
  private final CountingTransport transport;
  private final InstantSource clock;

  /** Held while the stores of all shards must not be cleared. */
  private final Object checkpointing = new Object();

  private EmbeddedDatabase(
      GraphMetaConfig config,
      HostedShards shards,
      CountingTransport transport,
      InstantSource clock) {
    super(config, transport, clock);
    this.shards = shards;
    this.hosted = shards.all();
    this.transport = transport;
    this.clock = clock;
  }

  /** As {@link GraphDatabases#open(GraphMetaConfig, InstantSource)}. */
  static EmbeddedDatabase open(GraphMetaConfig config, InstantSource clock) {
    HostedShards shards = HostedShards.open(config, clock);
    try {
      return open(config, shards, clock);
    } catch (RuntimeException e) {
      try {
        shards.close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private static EmbeddedDatabase open(
      GraphMetaConfig config, HostedShards shards, InstantSource clock) {
    List<HostedShard> hosted = shards.all();
    CountingTransport transport =
        new CountingTransport(new LocalTransport(hosted, transportOptions(config)));
    try {
      if (hosted.size() == 1) {
        hosted.get(0).begin();
      } else {
        hosted.forEach(shard -> shard.join(transport));
        if (!config.isReadOnly()) {
          new IntentRecovery(hosted, config.number(Setting.REQUEST_TIMEOUT_MILLIS)).run();
        }
      }
      return new EmbeddedDatabase(config, shards, transport, clock);
    } catch (RuntimeException e) {
      hosted.forEach(HostedShard::leave);
      transport.close();
      throw e;
    }
  }

  private static LocalTransport.Options transportOptions(GraphMetaConfig config) {
    return new LocalTransport.Options(
        (int) config.number(Setting.SHARD_THREADS),
        (int) config.number(Setting.SHARD_QUEUE),
        config.get(Setting.ENCODE_MESSAGES).equals("true"));
  }

  @Override
  public List<PeerStatus> peers() {
    return List.of();
  }

  @Override
  public int splitNow() {
    requireOpen();
    int all = 0;
    int splits = 1;
    while (splits > 0) {
      splits = hosted.stream().mapToInt(HostedShard::splitNow).sum();
      all += splits;
    }
    return all;
  }

  @Override
  public void clear() {
    requireOpen();
    synchronized (checkpointing) {
      hosted.forEach(HostedShard::pauseSplitting); // a split between two shards would leave rows
      try {
        clearShards();
      } finally {
        hosted.forEach(HostedShard::goOnSplitting);
      }
    }
  }

  @Override
  public BackupSummary backup(Path target, long bytesPerSecond, LongConsumer progress) {
    requireOpen();
    shards.requireDirectory();
    Pace pace = pace(bytesPerSecond);
    return backingUp(target, writer -> new BackupRun(writer, pace, progress).run());
  }

  @Override
  BackedUpDatabase databaseAt(long stamp) {
    return shards.requireDirectory().backedUpAt(stamp);
  }

  /** One backup of this database. */
  private final class BackupRun {
    private final BackupWriter writer;
    private final Pace pace;
    private final LongConsumer progress;

    BackupRun(BackupWriter writer, Pace pace, LongConsumer progress) {
      this.writer = writer;
      this.pace = pace;
      this.progress = progress;
    }

    /** Vertices are split meanwhile, unless that has made the first attempt come to nothing. */
    BackupSummary run() {
      try {
        return attempt(this::take);
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
          throw e;
        }
        return attempt(this::takeUnsplit);
      }
    }

    private BackupSummary attempt(Function<Checkpoints, BackedUpDatabase> taking) {
      try (Checkpoints checkpoints = shards.checkpoints()) {
        Instant now = clock.instant();
        BackedUpDatabase database;
        synchronized (checkpointing) {
          database = taking.apply(checkpoints);
        }
        return write(checkpoints, database, now);
      }
    }

    private BackedUpDatabase takeUnsplit(Checkpoints checkpoints) {
      hosted.forEach(HostedShard::pauseSplitting);
      try {
        // The stamps of splits, as those of other transactions, may be ahead of the clock.
        resume(hosted.stream().mapToLong(HostedShard::newestSplit).max().orElse(0));
        return take(checkpoints);
      } finally {
        hosted.forEach(HostedShard::goOnSplitting);
      }
    }

    /**
     * Takes checkpoints of all shards, one after the other, each when its shard has resolved the
     * stamp of the backup.
     */
    private BackedUpDatabase take(Checkpoints checkpoints) {
      long stamp = snapshotStamp();
      for (HostedShard shard : hosted) {
        awaitResolved(shard.number(), stamp);
        checkpoints.takeNext();
      }
      checkpoints.requireWhole(stamp);
      return checkpoints.databaseAt(stamp);
    }

    private BackupSummary write(Checkpoints checkpoints, BackedUpDatabase database, Instant now) {
      return writer.add(
          database,
          BackedUpStores.in(checkpoints.stores(), pace),
          now,
          bytes -> {
            requireOpen(); // who closes the database waits for no more than a file
            progress.accept(bytes);
          });
    }
  }

  @Override
  void closeParts() {
    endBackups(); // its checkpoints are removed
    hosted.forEach(HostedShard::leave);
    transport.close();
    shards.close();
  }
}
