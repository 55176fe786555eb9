package io.graphmeta.server.cluster;

import io.graphmeta.time.SteadyClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clock of a node, by which its shards give stamps: that of its machine, without its jumps. */
final class NodeClock {
  private static final Logger LOG = LoggerFactory.getLogger(NodeClock.class);

  /** For how long Linux is up, in seconds, with the time for which it was suspended. */
  private static final Path UPTIME = Path.of("/proc/uptime");

  private NodeClock() {}

  static SteadyClock open() {
    return new SteadyClock(
        InstantSource.system(), System::nanoTime, NodeClock::suspendedMicros, LOG::error);
  }

  /**
   * For how long this machine was suspended, from a moment that is always the same: Java's time
   * that nobody sets stands still meanwhile. 0 on systems that do not tell.
   */
  private static long suspendedMicros() {
    try {
      String up = Files.readString(UPTIME);
      double seconds = Double.parseDouble(up.substring(0, up.indexOf(' ')));
      return (long) (seconds * 1e6) - System.nanoTime() / 1_000;
    } catch (IOException | RuntimeException e) {
      LOG.debug("For how long this machine was suspended is not known", e);
      return 0;
    }
  }
}
