package io.graphmeta.server.gremlin.run;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What threads have allocated on the heap. */
final class AllocationMeter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationMeter() {}

  /** Bytes that a thread has allocated since it started. */
  static long allocatedBytes(Thread thread) {
    return THREADS.getThreadAllocatedBytes(thread.getId());
  }
}
