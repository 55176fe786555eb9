package io.graphmeta.heap;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;

/** The heap of this process. Safe for use by many threads. */
final class ProcessHeap implements CollectedHeap {
  private final List<MemoryPoolMXBean> old = new ArrayList<>();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();

  ProcessHeap() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      boolean young = pool.getName().contains("Eden") || pool.getName().contains("Survivor");
      if (pool.getType() == MemoryType.HEAP && !young) {
        old.add(pool);
      }
    }
  }

  @Override
  public long maxBytes() {
    long max = 0;
    for (MemoryPoolMXBean pool : old) {
      max += Math.max(0, pool.getUsage().getMax());
    }
    return max == 0 ? Runtime.getRuntime().maxMemory() : max;
  }

  @Override
  public long usedBytes() {
    long used = 0;
    for (MemoryPoolMXBean pool : old) {
      used += pool.getUsage().getUsed();
    }
    return used;
  }

  @Override
  @SuppressWarnings("DoNotCall")
  public boolean collect() {
    long before = collections();
    System.gc();
    return collections() > before;
  }

  private long collections() {
    long count = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      count += collector.getCollectionCount();
    }
    return count;
  }
}
