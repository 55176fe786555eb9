package io.graphmeta.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The pages of files that the operating system keeps in memory. */
final class PageCache {
  private static final Path SWITCH = Path.of("/proc/sys/vm/drop_caches");
  private static boolean told;

  private PageCache() {}

  /** Drops them, if this process is permitted to; says once if not. */
  static void drop() throws InterruptedException {
    try {
      new ProcessBuilder("sync").inheritIO().start().waitFor();
      Files.writeString(SWITCH, "1", StandardOpenOption.WRITE);
    } catch (IOException e) {
      if (!told) {
        told = true;
        System.err.println("The page cache is not dropped: " + e);
      }
    }
  }
}
