package io.graphmeta.engine;

/** Runs something random for some seeds, and names the one that fails. */
final class SeedLoop {
  private SeedLoop() {}

  @FunctionalInterface
  interface Run {
    void of(long seed) throws Exception;
  }

  /** Seeds from 1 on, as many as a property says; or the one that {@code graphmeta.seed} names. */
  static void run(String property, int usual, Run run) throws Exception {
    Long given = Long.getLong("graphmeta.seed");
    long first = given != null ? given : 1;
    long last = given != null ? given : Integer.getInteger(property, usual);
    for (long seed = first; seed <= last; seed++) {
      try {
        run.of(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Seed " + seed + " fails; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }
}
