package io.graphmeta.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transfer.FileEntry;
import io.graphmeta.transfer.FileRange;
import io.graphmeta.transport.RequestHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process answers of the files of its stores, and when it lets go of them. */
@Timeout(60)
class CheckpointKeeperTest {
  private static final long MINUTE = 60_000;

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private final byte[] rows = new byte[3 * FileRange.MAX_BYTES];
  private CheckpointKeeper keeper;
  private RequestHandler asked;

  /** As far as the shard has come. */
  private CompletableFuture<Response> resolved =
      CompletableFuture.completedFuture(new Response.Stamped(Long.MAX_VALUE));

  /** Up to where moved rows were removed. */
  private long removedUpTo;

  /** A store of three files. */
  private final CheckpointedStore store =
      new CheckpointedStore() {
        @Override
        public void checkpoint(Path into) {
          try {
            Files.createDirectory(into);
            Files.write(into.resolve("000007.sst"), rows);
            Files.writeString(into.resolve("CURRENT"), "MANIFEST-000005\n");
            Files.writeString(into.resolve("000009.log"), "");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }

        @Override
        public void requireKept(long stamp) {
          if (stamp < removedUpTo) {
            throw new GraphMetaException(ErrorCode.SNAPSHOT_TOO_OLD, "Rows were removed");
          }
        }
      };

  @BeforeEach
  void begin() {
    for (int i = 0; i < rows.length; i++) {
      rows[i] = (byte) (i * 31 + i / 999);
    }
    keeper = new CheckpointKeeper(place(), nanos::get);
    asked = keeper.before(3, store, call -> resolved);
  }

  @AfterEach
  void end() {
    keeper.close();
    assertThat(place()).doesNotExist();
  }

  private Path place() {
    return directory.resolve("checkpoints");
  }

  private List<String> kept() throws IOException {
    if (!Files.exists(place())) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(place())) {
      return entries.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private CompletableFuture<Response> send(RequestHandler to, Request request) {
    return to.handle(new Call(VirtualNodeMap.FIRST_EPOCH, 1000, request));
  }

  private Response ask(Request request) {
    return answer(send(asked, request));
  }

  private static Response answer(CompletableFuture<Response> sent) {
    try {
      return sent.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GraphMetaException known) {
        throw known;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private void assertRefused(ErrorCode code, Request request) {
    assertThatThrownBy(() -> ask(request))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void take(long checkpoint) {
    assertThat(ask(new Request.TakeCheckpoint(5, checkpoint, MINUTE)))
        .isEqualTo(new Response.Done());
  }

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void filesAreToldAndGiven() throws Exception {
    take(17);
    Response.Files listed = (Response.Files) ask(new Request.ListFiles(17, 0));
    assertThat(listed.next()).isZero();
    assertThat(listed.files())
        .extracting(FileEntry::name)
        .containsExactly("000007.sst", "000009.log", "CURRENT");
    assertThat(listed.files())
        .extracting(FileEntry::bytes)
        .containsExactly((long) rows.length, 0L, 16L);
    assertThat(listed.files())
        .extracting(FileEntry::isImmutable)
        .containsExactly(true, false, false);
    byte[] found = new byte[rows.length];
    for (long at = 0; at < rows.length; ) {
      Response.FileBytes range =
          (Response.FileBytes)
              ask(new Request.ReadFile(17, "000007.sst", at, FileRange.MAX_BYTES - 11));
      assertThat(range.offset()).isEqualTo(at);
      assertThat(range.checksum())
          .isEqualTo(FileRange.checksum(17, "000007.sst", at, range.bytes()));
      System.arraycopy(range.bytes(), 0, found, (int) at, range.bytes().length);
      at += range.bytes().length;
    }
    assertThat(found).isEqualTo(rows);
    Response.FileSum sum =
        (Response.FileSum) ask(new Request.SumFile(17, "000007.sst", 0, rows.length));
    assertThat(sum.sha256()).isEqualTo(MessageDigest.getInstance("SHA-256").digest(rows));
    assertThat(ask(new Request.KeepCheckpoint(17, 0))).isEqualTo(new Response.Done());
    assertThat(kept()).isEmpty();
    assertRefused(ErrorCode.CHECKPOINT_LOST, new Request.ReadFile(17, "CURRENT", 0, 1));
    assertThat(ask(new Request.KeepCheckpoint(17, 0))).as("again").isEqualTo(new Response.Done());
  }

  @Test
  void noNameAndNoRangeLeadsElsewhere() throws IOException {
    Files.writeString(directory.resolve("secret"), "s");
    take(1);
    for (String name :
        List.of("../../secret", "/etc/passwd", "..", ".", "", "000008.sst", "./CURRENT")) {
      assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.ReadFile(1, name, 0, 1));
      assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.SumFile(1, name, 0, 1));
    }
    for (long offset : List.of(-1L, 17L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.ReadFile(1, "CURRENT", offset, 1));
    }
    for (int length : List.of(0, -1, FileRange.MAX_BYTES + 1, Integer.MAX_VALUE)) {
      assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.ReadFile(1, "CURRENT", 0, length));
    }
    assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.ListFiles(1, -1));
    assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.ListFiles(1, 4));
    assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.TakeCheckpoint(0, 2, 0));
    assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.TakeCheckpoint(0, 2, Long.MAX_VALUE));
    assertRefused(ErrorCode.INVALID_ARGUMENT, new Request.KeepCheckpoint(1, -1));
  }

  @Test
  void aCheckpointIsTakenOnceHoweverOftenItIsAskedFor() throws IOException {
    take(1);
    take(1);
    take(2);
    RequestHandler other = keeper.before(4, store, call -> resolved);
    answer(send(other, new Request.TakeCheckpoint(5, 1, MINUTE)));
    assertThat(kept()).containsExactly("shard-3-1", "shard-3-2", "shard-4-1");
    assertThatThrownBy(() -> answer(send(other, new Request.ListFiles(2, 0))))
        .hasMessageContaining("not kept");
  }

  @Test
  void theStampIsResolvedBefore() throws IOException {
    resolved = new CompletableFuture<>();
    CompletableFuture<Response> first = send(asked, new Request.TakeCheckpoint(5, 1, MINUTE));
    CompletableFuture<Response> again = send(asked, new Request.TakeCheckpoint(5, 1, MINUTE));
    assertThat(kept()).isEmpty();
    assertThat(first).isNotDone();
    pass(2 * MINUTE); // what is not there does not expire
    resolved.complete(new Response.Stamped(6));
    answer(first);
    answer(again);
    ask(new Request.ListFiles(1, 0));
    resolved = CompletableFuture.completedFuture(new Response.Stamped(4));
    assertRefused(ErrorCode.UNAVAILABLE, new Request.TakeCheckpoint(5, 2, MINUTE));
    resolved = CompletableFuture.failedFuture(new AssertionError("no shard is asked"));
    assertThat(ask(new Request.TakeCheckpoint(0, 3, MINUTE))).isEqualTo(new Response.Done());
    assertThat(kept()).containsExactly("shard-3-1", "shard-3-3");
  }

  @Test
  void whatWasRemovedIsSaid() throws IOException {
    removedUpTo = 9;
    assertRefused(ErrorCode.SNAPSHOT_TOO_OLD, new Request.TakeCheckpoint(8, 1, MINUTE));
    assertThat(kept()).isEmpty();
    assertThat(ask(new Request.TakeCheckpoint(9, 1, MINUTE))).isEqualTo(new Response.Done());
  }

  @Test
  void fewAreKept() throws IOException {
    for (int i = 1; i <= CheckpointKeeper.MOST_OF_A_STORE; i++) {
      take(i);
    }
    assertRefused(ErrorCode.OVERLOADED, new Request.TakeCheckpoint(5, 99, MINUTE));
    take(1);
    ask(new Request.KeepCheckpoint(2, 0));
    take(99);
    assertThat(kept()).hasSize(CheckpointKeeper.MOST_OF_A_STORE);
  }

  @Test
  void whatIsNotAskedForExpires() throws IOException {
    take(1);
    take(2);
    pass(MINUTE - 1);
    ask(new Request.ReadFile(1, "CURRENT", 0, 1)); // from now on
    pass(2);
    assertRefused(ErrorCode.CHECKPOINT_LOST, new Request.ListFiles(2, 0));
    assertRefused(ErrorCode.CHECKPOINT_LOST, new Request.KeepCheckpoint(2, MINUTE));
    assertThat(kept()).containsExactly("shard-3-1");
    ask(new Request.KeepCheckpoint(1, 5 * MINUTE));
    pass(5 * MINUTE - 1);
    ask(new Request.ListFiles(1, 0));
    pass(5 * MINUTE + 1);
    assertRefused(ErrorCode.CHECKPOINT_LOST, new Request.ReadFile(1, "CURRENT", 0, 1));
    assertThat(kept()).isEmpty();
  }

  @Test
  void whatNobodyAsksForAnyMoreIsRemoved() throws Exception {
    try (CheckpointKeeper own = new CheckpointKeeper(directory.resolve("own"), System::nanoTime)) {
      RequestHandler handler = own.before(0, store, call -> resolved);
      answer(send(handler, new Request.TakeCheckpoint(5, 1, 50)));
      Path left = directory.resolve("own/shard-0-1");
      while (Files.exists(left)) {
        Thread.sleep(5);
      }
    }
  }

  @Test
  void whatIsLetGoOfWhileItIsTakenIsNotKept() throws IOException {
    resolved = new CompletableFuture<>();
    CompletableFuture<Response> sent = send(asked, new Request.TakeCheckpoint(5, 1, MINUTE));
    ask(new Request.KeepCheckpoint(1, 0));
    resolved.complete(new Response.Stamped(6));
    assertThatThrownBy(() -> answer(sent)).hasMessageContaining("not kept");
    assertThat(kept()).isEmpty();
  }

  @Test
  void allElseIsHandedOn() {
    assertThat(ask(new Request.ReadWatermark())).isEqualTo(resolved.join());
  }
}
