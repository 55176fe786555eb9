package io.graphmeta.bench.peers.runner;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time of all threads of this process, those of the virtual machine and of native code
 * too. The scheduler's own accounts are exact to the nanosecond but forget threads that ended;
 * where there are none, the time comes from the virtual machine, in steps of about 10 ms.
 */
public final class ProcessorClock {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final boolean ACCOUNTED = nanosOfTasks() > 0;

  private ProcessorClock() {}

  /** Time used so far. */
  public static long nanos() {
    return ACCOUNTED ? nanosOfTasks() : SYSTEM.getProcessCpuTime();
  }

  /** Time used so far, that of threads which have ended too, in steps of about 10 ms. */
  public static long wholeNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  private static long nanosOfTasks() {
    long nanos = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        try {
          String account = Files.readString(task.resolve("schedstat"));
          nanos += Long.parseLong(account.substring(0, account.indexOf(' ')));
        } catch (IOException e) {
          continue; // The thread has ended.
        }
      }
    } catch (IOException e) {
      return 0;
    }
    return nanos;
  }
}
