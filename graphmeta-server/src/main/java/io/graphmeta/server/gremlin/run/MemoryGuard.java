package io.graphmeta.server.gremlin.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.graphmeta.heap.HeapGauge;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the query or the session that has allocated most when little of the heap is left. It is the
 * last defence. Limits on what a query gathers come first; then the {@link HeapGauge}, which
 * refuses further reads. Memory that is short in spite of both is held by a session, or by a query
 * that reads nothing.
 *
 * <p>It looks after each garbage collection, at the memory that is alive: garbage does no harm. A
 * query counts by what its thread has allocated since the query began, a session by what its thread
 * has allocated since its transaction began. Safe for use by many threads.
 */
final class MemoryGuard implements AutoCloseable, NotificationListener {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryGuard.class);

  /** Time for queries that read to be refused, and for the memory that they held to be freed. */
  private static final long PATIENCE_MILLIS = 250;

  private final QueryPool pool;
  private final Sessions sessions;
  private final List<NotificationEmitter> collectors = new ArrayList<>();
  private final HeapGauge gauge = HeapGauge.ofProcess();
  private final AtomicBoolean looking = new AtomicBoolean();

  MemoryGuard(QueryPool pool, Sessions sessions) {
    this.pool = pool;
    this.sessions = sessions;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(this, null, null);
        collectors.add(emitter);
      }
    }
  }

  @Override
  public void handleNotification(Notification notification, @Nullable Object handback) {
    if (!notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    if (looking.compareAndSet(false, true)) {
      look(null);
    }
  }

  /**
   * Looks in a moment, and once more if memory is short then.
   *
   * @param shortSince when it was asked and found short, if it was, on the clock of {@link
   *     System#nanoTime}
   */
  private void look(@Nullable Long shortSince) {
    try {
      pool.clock().schedule(() -> lookNow(shortSince), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The server ends, and its memory is not looked after any more", e);
    }
  }

  private void lookNow(@Nullable Long shortSince) {
    long asked = System.nanoTime();
    if (!gauge.isShort()) {
      looking.set(false);
      return;
    }
    if (shortSince != null) {
      cancelLargest(shortSince);
    }
    look(asked);
  }

  /** Looks at queries that were there when memory was found short: no later one is the cause. */
  private void cancelLargest(long shortSince) {
    QueryTask largest = null;
    long most = 0;
    for (QueryTask task : pool.underWay()) {
      Thread thread = task.query().session() == null ? task.thread() : null;
      if (thread != null
          && task.startNanos() - shortSince < 0
          && AllocationMeter.allocatedBytes(thread) - task.allocatedBefore() > most) {
        most = AllocationMeter.allocatedBytes(thread) - task.allocatedBefore();
        largest = task;
      }
    }
    Session session = sessions.largest();
    if (session != null && session.allocatedBytes() > most) {
      warn("session", session.allocatedBytes());
      sessions.endForMemory(session);
    } else if (largest != null) {
      warn("query", most);
      largest.cancel(CancelReason.MEMORY);
    }
  }

  private void warn(String what, long allocated) {
    LOG.warn(
        "More than {} of the {} bytes of the heap are held; the {} that allocated most ({} bytes) is"
            + " ended",
        (long) (HeapGauge.MOST_ALIVE * gauge.maxBytes()),
        gauge.maxBytes(),
        what,
        allocated);
  }

  @Override
  public void close() {
    for (NotificationEmitter emitter : collectors) {
      try {
        emitter.removeNotificationListener(this);
      } catch (ListenerNotFoundException e) {
        LOG.debug("The listener was removed before", e);
      }
    }
  }
}
