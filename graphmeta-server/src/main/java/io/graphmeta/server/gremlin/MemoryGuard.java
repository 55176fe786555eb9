package io.graphmeta.server.gremlin;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the query or the session that has taken most memory when little is left after a collection.
 * The last defence: limits on what queries gather come first, and most queries end by them.
 *
 * <p>The collector tells, after each collection, how much is still in use; that is what counts,
 * since garbage is no harm. A query is charged with what its thread has allocated since it began, a
 * session with what its own has since its transaction did.
 */
final class MemoryGuard implements AutoCloseable, NotificationListener {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryGuard.class);
  private static final double SHORT_OF_MEMORY = 0.80;

  private final QueryPool pool;
  private final Sessions sessions;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<NotificationEmitter> collectors = new ArrayList<>();
  private final long heapBytes = Runtime.getRuntime().maxMemory();

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
    GarbageCollectionNotificationInfo info =
        GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    long inUse = 0;
    for (Map.Entry<String, MemoryUsage> area :
        info.getGcInfo().getMemoryUsageAfterGc().entrySet()) {
      if (isHeap(area.getKey())) {
        inUse += area.getValue().getUsed();
      }
    }
    if (inUse > SHORT_OF_MEMORY * heapBytes) {
      cancelLargest(inUse);
    }
  }

  /** Areas outside of the heap are named for code and classes. */
  private static boolean isHeap(String area) {
    return !area.contains("Metaspace") && !area.contains("Class") && !area.contains("Code");
  }

  private void cancelLargest(long inUse) {
    QueryRun largest = null;
    long most = 0;
    for (QueryRun run : pool.underWay()) {
      Thread thread = run.query().session() == null ? run.thread() : null;
      if (thread != null && allocatedBy(thread) - run.allocatedBefore() > most) {
        most = allocatedBy(thread) - run.allocatedBefore();
        largest = run;
      }
    }
    Session session = sessions.largest();
    if (session != null && session.allocatedBytes() > most) {
      warn(inUse, "session", session.allocatedBytes());
      sessions.endForMemory(session);
    } else if (largest != null) {
      warn(inUse, "query", most);
      largest.cancel(CancelReason.MEMORY);
    }
  }

  private void warn(long inUse, String what, long allocated) {
    LOG.warn(
        "{} of {} bytes of memory are in use; the {} that allocated most ({} bytes) is ended",
        inUse,
        heapBytes,
        what,
        allocated);
  }

  /** Bytes that a thread has allocated so far. */
  static long allocatedBy(Thread thread) {
    return THREADS.getThreadAllocatedBytes(thread.getId());
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
