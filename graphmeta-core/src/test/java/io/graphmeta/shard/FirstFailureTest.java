package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The first commit that fails does so for want of memory, when no class can be loaded either: what
 * answers it must be there.
 */
@Timeout(60)
final class FirstFailureTest {
  /** Loads the classes of the project once more, and none while memory is short. */
  private static final class ShortLoader extends ClassLoader {
    private final AtomicBoolean isShort;

    ShortLoader(AtomicBoolean isShort) {
      super(FirstFailureTest.class.getClassLoader());
      this.isShort = isShort;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        if (!name.startsWith("io.graphmeta.")) {
          return super.loadClass(name, resolve);
        }
        if (isShort.get()) {
          throw new OutOfMemoryError("of the test, for " + name);
        }
        byte[] content = content(name.replace('.', '/') + ".class");
        return defineClass(name, content, 0, content.length);
      }
    }

    private byte[] content(String file) throws ClassNotFoundException {
      try (InputStream input = getParent().getResourceAsStream(file)) {
        if (input == null) {
          throw new ClassNotFoundException(file);
        }
        return input.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A log that takes nothing while memory is short. */
  private record ShortLog(ReplicationLog log, AtomicBoolean isShort) implements ReplicationLog {
    @Override
    public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      if (isShort.get()) {
        throw new OutOfMemoryError("of the test");
      }
      return log.append(entry, durability);
    }

    @Override
    public CompletableFuture<Void> appendToSync(RowBatch entry) {
      return append(entry, Durability.SYNC);
    }

    @Override
    public void bringToDisk() {
      log.bringToDisk();
    }

    @Override
    public void tell(Told told) {
      log.tell(told);
    }

    @Override
    public void stop(Throwable cause) {
      log.stop(cause);
    }

    @Override
    public @Nullable Throwable stopped() {
      return log.stopped();
    }

    @Override
    public void close() {
      log.close();
    }
  }

  /** What the loader loads: commits, and tells how a commit without memory was answered. */
  static final class Committer implements Function<AtomicBoolean, String> {
    @Override
    public String apply(AtomicBoolean isShort) {
      StorageEngine storage = new MemoryStorage();
      try (ReplicationLog log = new ShortLog(new LocalLog(storage, "log-of-test"), isShort);
          Shard shard =
              new Shard(0, storage, log, () -> Instant.parse("2026-03-01T10:00:00Z"), settings())) {
        Request snapshot = new Request.Snapshot(0);
        long begin = ((Response.Stamped) ask(shard, snapshot).join()).stamp();
        ask(shard, commit(1, begin)).join();
        Request failing = commit(2, begin);
        isShort.set(true);
        CompletableFuture<Response> failed = ask(shard, failing);
        isShort.set(false);
        ask(shard, commit(3, begin)).join();
        if (!failed.isDone()) {
          return "not answered";
        }
        try {
          return failed.join().toString();
        } catch (CompletionException e) {
          return e.getCause() instanceof GraphMetaException known
              ? known.code().toString()
              : String.valueOf(e.getCause());
        }
      }
    }

    private static CompletableFuture<Response> ask(Shard shard, Request request) {
      return shard.handle(new Call(1, 1000, request));
    }

    private static Request commit(long number, long snapshot) {
      StagedRows rows = new StagedRows(64);
      rows.addPlain(
          Family.IDS, ("row " + number).getBytes(StandardCharsets.US_ASCII), new byte[] {1});
      long[] scopes = {number};
      return new Request.Commit(rows, number, snapshot, snapshot, scopes, scopes);
    }

    private static ShardSettings settings() {
      return LoneShard.settings(Durability.BACKGROUND, Durability.SYNC, 1 << 16, 1000);
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void commitIsAnswered() throws Exception {
    AtomicBoolean isShort = new AtomicBoolean();
    Class<?> loaded = new ShortLoader(isShort).loadClass(Committer.class.getName());
    assertThat(loaded).isNotSameAs(Committer.class);
    Constructor<?> constructor = loaded.getDeclaredConstructor();
    constructor.setAccessible(true); // of another package, for all that the machine knows
    Function<AtomicBoolean, String> committer =
        (Function<AtomicBoolean, String>) constructor.newInstance();
    assertThat(committer.apply(isShort)).isEqualTo(ErrorCode.OVERLOADED.toString());
  }
}
