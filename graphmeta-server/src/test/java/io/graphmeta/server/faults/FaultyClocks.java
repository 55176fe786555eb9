package io.graphmeta.server.faults;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The clocks of nodes, each of which can be wrong, by libfaketime: a library that comes between a
 * process and its C library, and adds to what the system says is the time of day. Only that: time
 * that never goes back is as it is. A change is seen within two seconds. The library can let a
 * clock drift as well, but has all waits of the process drift with it, and some not wait at all.
 */
final class FaultyClocks implements AutoCloseable {
  private static final String JAVA = "graphmeta.java";
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";
  private static final String RIGHT = "+0";

  private static final long STEP_NANOS = 200_000_000;

  private final Path directory;
  private final AtomicBoolean drifting = new AtomicBoolean();

  private FaultyClocks(Path directory) {
    this.directory = directory;
  }

  /**
   * Has nodes that are started from now on ask clocks of a directory. Skips the test where the
   * library is not installed.
   */
  static FaultyClocks in(Path directory) throws IOException {
    Path library = library();
    FaultyClocks clocks = new FaultyClocks(Files.createDirectories(directory));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path command = directory.resolve("java");
    Files.writeString(
        command,
        String.join(
            "\n",
            "#!/bin/sh",
            "before=",
            "clock=none",
            "for argument in \"$@\"; do",
            "  test \"$before\" != --name || clock='" + directory + "'/\"$argument\"",
            "  before=$argument",
            "done",
            "if test \"$clock\" != none; then",
            "  test -f \"$clock\" || printf %s " + RIGHT + " > \"$clock\"",
            "  export LD_PRELOAD='" + library + "' FAKETIME_TIMESTAMP_FILE=\"$clock\"",
            "  export FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1",
            // Timed waits would not wait at all otherwise.
            "  export FAKETIME_FORCE_MONOTONIC_FIX=0",
            "fi",
            "exec '" + java + "' \"$@\"",
            ""));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    System.setProperty(JAVA, command.toString());
    return clocks;
  }

  private static Path library() throws IOException {
    for (String base : List.of("/usr/lib", "/usr/lib64", "/usr/local/lib")) {
      if (Files.isDirectory(Path.of(base))) {
        try (Stream<Path> below = Files.list(Path.of(base))) {
          List<Path> found =
              Stream.concat(Stream.of(Path.of(base)), below)
                  .map(each -> each.resolve(LIBRARY))
                  .filter(Files::exists)
                  .toList();
          if (!found.isEmpty()) {
            return found.get(0);
          }
        }
      }
    }
    return abort("no libfaketime here, by which clocks are wrong; it is in the package faketime");
  }

  /** Sets the clock of a node wrong by so many seconds. */
  void set(int node, double seconds) {
    write(node, String.format("%+.4f", seconds));
  }

  /** Has the clock of a node go wrong by some part of each second, until it is set right. */
  void drift(int node, double part) {
    drifting.set(true);
    long begin = System.nanoTime();
    Thread thread =
        new Thread(
            () -> {
              while (drifting.get()) {
                set(node, part * (System.nanoTime() - begin) / 1e9);
                LockSupport.parkNanos(STEP_NANOS);
              }
              write(node, RIGHT);
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Sets the clock of a node right. */
  void right(int node) {
    drifting.set(false);
    write(node, RIGHT);
  }

  private synchronized void write(int node, String text) {
    try {
      Path fresh = Files.writeString(directory.resolve("n" + node + ".new"), text);
      Files.move(fresh, directory.resolve("n" + node), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    System.clearProperty(JAVA);
  }
}
