package io.graphmeta.engine;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.RetainedShards;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.shard.retention.ExpiredRows;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shards of an open database, which go on with their work while versions are dropped. One that
 * is away is waited for, as long as some requests may take. Belongs to one thread.
 */
final class RoutedShards implements RetainedShards {
  private static final long PAUSE_MICROS = 200_000;

  /** How long a shard that is away is waited for. */
  private static final int PATIENCE_IN_REQUESTS = 4;

  private final Router router;
  private final LongFunction<BackedUpDatabase> databaseAt;
  private final LongSupplier bytesOnDisk;
  private final Runnable requireOpen;
  private final long patienceNanos;

  /**
   * The shards behind a router.
   *
   * @param requestMillis how long a request may take
   * @param requireOpen fails if the database was closed meanwhile
   */
  RoutedShards(
      Router router,
      LongFunction<BackedUpDatabase> databaseAt,
      LongSupplier bytesOnDisk,
      long requestMillis,
      Runnable requireOpen) {
    this.router = router;
    this.databaseAt = databaseAt;
    this.bytesOnDisk = bytesOnDisk;
    this.requireOpen = requireOpen;
    this.patienceNanos = PATIENCE_IN_REQUESTS * requestMillis * 1_000_000;
  }

  @Override
  public int count() {
    return router.shards();
  }

  @Override
  public SchemaImage names() {
    return router.schemaAt(router.snapshot());
  }

  @Override
  public long settled() {
    long settled = Long.MAX_VALUE;
    for (int shard = 0; shard < count(); shard++) {
      settled =
          Math.min(settled, ask(shard, new Request.Snapshot(0), Response.Stamped.class).stamp());
    }
    return settled;
  }

  @Override
  public long bytesOnDisk() {
    return bytesOnDisk.getAsLong();
  }

  @Override
  public BackedUpDatabase databaseAt(long stamp) {
    return databaseAt.apply(stamp);
  }

  @Override
  public void expired(int shard, Family family, Horizons horizons, ExpiredRows.Visitor visitor) {
    Position from = Position.START;
    while (from != null) {
      Response.Rows page =
          ask(shard, new Request.ReadExpired(horizons, family, from), Response.Rows.class);
      for (int i = 0; i < page.keys().length; i++) {
        byte[] key = page.keys()[i];
        byte[] value = page.values()[i];
        visitor.row(key, key.length, value, value.length);
      }
      from = page.next();
    }
  }

  @Override
  public void note(String archive, Horizons horizons) {
    Request note = new Request.NoteDropped(archive, horizons);
    List<@Nullable Request> all = new ArrayList<>(Collections.nCopies(count(), note));
    List<@Nullable CompletableFuture<Response>> first = router.sendAll(all);
    router.awaitAll(first); // at one time; who is away is asked again
    for (int shard = 0; shard < count(); shard++) {
      ask(shard, note, Response.Done.class);
    }
  }

  @Override
  public void drop(String archive, int shard, Family family, List<byte[]> keys) {
    ask(
        shard,
        new Request.DropRows(archive, family, keys.toArray(new byte[0][])),
        Response.Done.class);
  }

  @Override
  public void end(String archive) {
    for (int shard = 0; shard < count(); shard++) {
      ask(shard, new Request.EndDropping(archive), Response.Done.class);
    }
  }

  /** Asks until there is an answer; all that is asked here can be asked again. */
  private <R extends Response> R ask(int shard, Request request, Class<R> answer) {
    long begunNanos = System.nanoTime();
    while (true) {
      requireOpen.run();
      try {
        return router.call(shard, request, answer);
      } catch (GraphMetaException e) {
        boolean mayCome =
            e.code().isAway()
                || e.code() == ErrorCode.OVERLOADED
                || e.code() == ErrorCode.TIMEOUT
                || e.code() == ErrorCode.OUTCOME_UNKNOWN;
        if (!mayCome || System.nanoTime() - begunNanos > patienceNanos) {
          throw e;
        }
      }
      router.pause(PAUSE_MICROS);
    }
  }
}
