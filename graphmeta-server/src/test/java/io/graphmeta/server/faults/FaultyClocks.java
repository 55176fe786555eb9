package io.graphmeta.server.faults;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The clocks of nodes, each of which can be wrong, by libfaketime: a library that comes between a
 * process and its C library, and adds to what the system says is the time of day. Only that: time
 * that never goes back is as it is. A change is seen within two seconds.
 */
final class FaultyClocks implements AutoCloseable {
  private static final String JAVA = "graphmeta.java";
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";
  private static final String RIGHT = "+0";

  private final Path directory;

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

  /**
   * Sets the clock of a node wrong by so many seconds.
   *
   * @param rate at which it goes from now on; 1 is right
   */
  void set(int node, double seconds, double rate) {
    write(node, String.format("%+.3f x%.6f", seconds, rate));
  }

  /** Sets the clock of a node right. */
  void right(int node) {
    write(node, RIGHT);
  }

  private void write(int node, String text) {
    try {
      Files.writeString(directory.resolve("n" + node), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    System.clearProperty(JAVA);
  }
}
