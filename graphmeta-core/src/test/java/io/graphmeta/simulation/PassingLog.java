package io.graphmeta.simulation;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A log that does as another; what a defect does otherwise is overridden. */
class PassingLog implements ReplicationLog {
  private final ReplicationLog log;

  PassingLog(ReplicationLog log) {
    this.log = log;
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    return log.append(entry, durability);
  }

  @Override
  public CompletableFuture<Void> applied() {
    return log.applied();
  }

  @Override
  public boolean isShared() {
    return log.isShared();
  }

  @Override
  public void requireRoom() {
    log.requireRoom();
  }

  @Override
  public CompletableFuture<Void> confirm() {
    return log.confirm();
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
