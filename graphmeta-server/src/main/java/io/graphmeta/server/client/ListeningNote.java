package io.graphmeta.server.client;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a server leaves in the directory of its database while it runs, for commands that find the
 * database held: where it can be asked. A note whose process has ended counts for nothing, so one
 * that a killed server leaves does no harm. Immutable.
 */
public final class ListeningNote implements AutoCloseable {
  private static final String FILE = "listening.properties";
  private static final String ADDRESS = "address";
  private static final String TLS = "tls";
  private static final String PROCESS = "process";

  private final Path file;

  private ListeningNote(Path file) {
    this.file = file;
  }

  /**
   * A server to be asked.
   *
   * @param address host and port
   * @param tls whether the connection is encrypted
   */
  public record Listening(String address, boolean tls) {}

  /**
   * Writes the note of this process.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if it cannot be written
   */
  public static ListeningNote write(Path database, Listening listening) {
    Path file = database.resolve(FILE);
    Path written = database.resolve(FILE + ".new");
    String text =
        String.format(
            "%s=%s%n%s=%s%n%s=%d%n",
            ADDRESS,
            listening.address(),
            TLS,
            listening.tls(),
            PROCESS,
            ProcessHandle.current().pid());
    try {
      Files.writeString(written, text);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      return new ListeningNote(file);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "The file " + file + " cannot be written: " + e, e);
    }
  }

  /** The server that has left a note and still runs; null if there is none. */
  public static @Nullable Listening read(Path database) {
    Properties note = new Properties();
    try {
      note.load(new StringReader(Files.readString(database.resolve(FILE), StandardCharsets.UTF_8)));
      long process = Long.parseLong(note.getProperty(PROCESS, ""));
      String address = note.getProperty(ADDRESS, "");
      boolean runs = ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
      return runs && !address.isEmpty()
          ? new Listening(address, Boolean.parseBoolean(note.getProperty(TLS)))
          : null;
    } catch (IOException | IllegalArgumentException e) {
      return null; // no note, or none that says anything
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
