package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.memory.MemoryStorage;
import java.time.InstantSource;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Which requests a shard answers. */
class ShardRequestsTest {
  @Test
  void everyKindOfRequestHasAHandler() {
    MemoryStorage storage = new MemoryStorage();
    ShardSettings settings =
        LoneShard.settings(Durability.BACKGROUND, Durability.BACKGROUND, 1 << 16, 3);
    LocalLog log = new LocalLog(storage, "log");
    try (Shard shard = new Shard(0, storage, log, InstantSource.system(), settings)) {
      assertThat(shard.answered())
          .as("all but what is asked of a replica, or of the files of a store")
          .containsExactlyInAnyOrder(
              Arrays.stream(Request.class.getPermittedSubclasses())
                  .filter(
                      kind ->
                          (kind == Request.FollowerTraversal.class
                                  || !Request.OfReplica.class.isAssignableFrom(kind))
                              && !Request.OfFiles.class.isAssignableFrom(kind))
                  .toArray(Class<?>[]::new));
    }
  }

  @Test
  void aKindWithoutHandlerIsAnInternalError() {
    RequestTable table = new RequestTable();
    table.atOnce(Request.Clear.class, clear -> new Response.Done());
    assertThat(table.answer(new Request.Clear()).join()).isEqualTo(new Response.Done());
    assertThatThrownBy(() -> table.answer(new Request.ReadStatus()))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessageContaining("ReadStatus");
  }

  @Test
  void aKindHasOneHandler() {
    RequestTable table = new RequestTable();
    table.atOnce(Request.Clear.class, clear -> new Response.Done());
    assertThatThrownBy(() -> table.atOnce(Request.Clear.class, clear -> new Response.Prepared()))
        .hasMessageContaining("Clear");
  }
}
