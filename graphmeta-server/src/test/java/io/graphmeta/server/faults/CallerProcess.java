package io.graphmeta.server.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which process of this machine holds the other end of a connection, as the kernel of Linux tells:
 * a table has the ports of each connection and the number of its socket, and each process has links
 * to its sockets, by their numbers.
 */
final class CallerProcess {
  /** Where it is not known: the caller has ended, or belongs to somebody else. */
  static final long UNKNOWN = 0;

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp6"), Path.of("/proc/net/tcp"));
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int OWN_ADDRESS = 1;
  private static final int OTHER_ADDRESS = 2;
  private static final int SOCKET = 9;

  private CallerProcess() {}

  /** The number of the process that called; {@link #UNKNOWN} if it cannot be told. */
  static long of(Socket accepted) {
    try {
      for (Path table : TABLES) {
        for (String line : Files.readAllLines(table)) {
          String[] columns = BLANKS.split(line.strip());
          if (columns.length > SOCKET
              && hasPort(columns[OWN_ADDRESS], accepted.getPort())
              && hasPort(columns[OTHER_ADDRESS], accepted.getLocalPort())) {
            return holder("socket:[" + columns[SOCKET] + "]");
          }
        }
      }
      return UNKNOWN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasPort(String address, int port) {
    return address.endsWith(String.format(Locale.ROOT, ":%04X", port));
  }

  private static long holder(String socket) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        if (holds(process, socket)) {
          return Long.parseLong(process.getFileName().toString());
        }
      }
    }
    return UNKNOWN;
  }

  private static boolean holds(Path process, String socket) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (isLinkTo(file, socket)) {
          return true;
        }
      }
    } catch (IOException e) {
      return false; // it has ended, or belongs to somebody else
    }
    return false;
  }

  private static boolean isLinkTo(Path file, String socket) {
    try {
      return Files.readSymbolicLink(file).toString().equals(socket);
    } catch (IOException e) {
      return false; // it was closed meanwhile
    }
  }
}
