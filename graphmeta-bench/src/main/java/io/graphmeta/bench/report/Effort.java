package io.graphmeta.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * Time on the clock, and of the processors in this process (threads of the virtual machine and of
 * native code alike), since it was made. Where the machine is shared, the clock says what others
 * leave, and the processor time what the work costs.
 */
public final class Effort {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final List<ProcessHandle> others;
  private final long startNanos = System.nanoTime();
  private final long startCpuNanos;

  /** That of this process. */
  public Effort() {
    this(List.of());
  }

  /** That of this process and of others, which tell their processor time in steps of 10 ms. */
  public Effort(List<ProcessHandle> others) {
    this.others = others;
    this.startCpuNanos = cpuNanos();
  }

  private long cpuNanos() {
    long nanos = SYSTEM.getProcessCpuTime();
    for (ProcessHandle each : others) {
      nanos += each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }
    return nanos;
  }

  /**
   * Adds two figures: the rate of what was done, and its processor time.
   *
   * @param measure what was done, in words
   * @param unit one of it, such as {@code edge}
   * @param count how many of it
   */
  public void addTo(Figures figures, String measure, String unit, String subject, long count) {
    long nanos = System.nanoTime() - startNanos;
    long cpuNanos = cpuNanos() - startCpuNanos;
    figures.add(measure + ": " + unit + "s/s", subject, count * 1e9 / nanos);
    figures.add(measure + ": CPU \u00b5s per " + unit, subject, cpuNanos / 1e3 / count);
  }
}
