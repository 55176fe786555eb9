package io.graphmeta.server;

import java.util.List;

/**
 * How the processes that tests start are to run: most end soon, and a test needs them to work, not
 * to be fast. The quick compiler alone takes half the processor time of a short command. Where a
 * test measures, {@code -Dgraphmeta.started-jvm=} gives its processes what users have.
 */
public final class StartedJvm {
  /** As one text, as the launcher wants it. */
  public static final String OPTIONS =
      System.getProperty("graphmeta.started-jvm", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");

  private StartedJvm() {}

  /** The options, with those that a test needs. */
  public static List<String> with(String... more) {
    return List.of((String.join(" ", more) + " " + OPTIONS).strip().split(" +"));
  }
}
