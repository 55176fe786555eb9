package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;

/** How one shard of this process is given its calls. Safe for use by many threads. */
interface LocalShard {
  /** As {@link Transport#send}. */
  CompletableFuture<Response> send(Call call);

  /** As {@link Transport#close}. */
  void close();
}
