package io.graphmeta.server.client;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server leaves in the directory of its database while it runs, for commands that find the
 * database held: where it can be asked. A note whose process has ended counts for nothing, so one
 * that a killed server leaves does no harm. Immutable.
 */
public final class ListeningNote implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListeningNote.class);
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
   * Writes the note of this process. A server serves without one, too: where it cannot be written,
   * a warning says what is missed.
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
    } catch (IOException e) {
      LOG.warn(
          "The file {} cannot be written ({}); commands that find the database held cannot tell where it is served",
          file,
          e.toString());
    }
    return new ListeningNote(file);
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
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("The file {} stays, and counts for nothing: {}", file, e.toString());
    }
  }
}
