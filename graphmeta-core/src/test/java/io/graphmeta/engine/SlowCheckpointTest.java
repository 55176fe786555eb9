package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.FormatVersion;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store whose checkpoint takes longer than a request may. */
class SlowCheckpointTest {
  private static final int SHARD = 3;
  private static final long STAMP = 99;

  private final List<Request> asked = new ArrayList<>();
  private int failures;
  private ErrorCode code = ErrorCode.TIMEOUT;

  private final ShardFiles files =
      new ShardFiles(
          new ShardFiles.Asked() {
            private long numbers;

            @Override
            public CompletableFuture<Response> send(Request request) {
              asked.add(request);
              if (request instanceof Request.TakeCheckpoint && failures-- > 0) {
                return CompletableFuture.failedFuture(new GraphMetaException(code, "planted"));
              }
              return CompletableFuture.completedFuture(
                  request instanceof Request.ListFiles
                      ? new Response.Files(FormatVersion.CURRENT.number(), List.of(), 0)
                      : new Response.Done());
            }

            @Override
            public Response await(CompletableFuture<Response> sent) {
              try {
                return sent.join();
              } catch (CompletionException e) {
                throw ((GraphMetaException) e.getCause()).again();
              }
            }

            @Override
            public long newCheckpoint() {
              return ++numbers;
            }
          },
          SHARD,
          STAMP,
          () -> {});

  private List<Request> taken() {
    return asked.stream().filter(Request.TakeCheckpoint.class::isInstance).toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "UNREACHABLE"})
  void itIsAskedForAgainByItsNumber(ErrorCode lost) {
    code = lost;
    failures = 4;
    assertThat(files.take()).isEmpty();
    assertThat(taken()).hasSize(5);
    assertThat(taken()).containsOnly(files.toTake());
  }

  @Test
  void aNodeThatNeverAnswersIsGivenUp() {
    failures = Integer.MAX_VALUE;
    assertThatThrownBy(files::take).hasRootCauseMessage("planted");
    assertThat(taken()).hasSize(10);
  }

  @Test
  void whatTheNodeRefusesIsNotAskedAgain() {
    code = ErrorCode.STORAGE_FAILURE;
    failures = 1;
    assertThatThrownBy(files::take).hasRootCauseMessage("planted");
    assertThat(taken()).hasSize(1);
  }
}
