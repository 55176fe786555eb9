package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.memory.MemoryStorage;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** Which requests a shard answers. */
class ShardRequestsTest {
  @Test
  void everyKindOfRequestHasAHandler() {
    MemoryStorage storage = new MemoryStorage();
    ShardSettings settings =
        new ShardSettings(
            VirtualNodeMap.roundRobin(1, 16, 1),
            Placements.DIDO,
            128,
            600_000,
            Durability.BACKGROUND,
            Durability.BACKGROUND,
            1 << 16,
            500_000,
            1000,
            500,
            3,
            1 << 20,
            64,
            1 << 20,
            1000,
            false);
    LocalLog log = new LocalLog(storage, "log");
    try (Shard shard = new Shard(0, storage, log, InstantSource.system(), settings)) {
      assertThat(shard.answered())
          .containsExactlyInAnyOrder(Request.class.getPermittedSubclasses());
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
