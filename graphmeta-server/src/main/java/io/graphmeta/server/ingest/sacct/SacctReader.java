package io.graphmeta.server.ingest.sacct;

import io.graphmeta.server.ingest.lines.LineInput;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code sacct --parsable2} text record by record, holding one line at a time. Used by one
 * thread.
 *
 * <pre>{@code
 * try (SacctReader reader = SacctReader.open(path, SacctOptions.defaults())) {
 *   for (Optional<SacctRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
 *     ...
 *   }
 * }
 * }</pre>
 */
public final class SacctReader implements Closeable {
  private final LineInput lines;
  private final LineParser parser;

  private SacctReader(LineInput lines, LineParser parser) {
    this.lines = lines;
    this.parser = parser;
  }

  /**
   * Opens a file and reads its header.
   *
   * @throws SacctFormatException if the first line is no header with a column JobID
   * @throws IOException if the file can't be read
   */
  public static SacctReader open(Path path, SacctOptions options) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(
          path.toString(), null, "is a directory; expected a file with the text of sacct");
    }
    return open(Files.newInputStream(path), path.toString(), options);
  }

  /**
   * Reads the header of a stream, which the reader closes with itself (or at once if the header is
   * bad).
   *
   * @param source name of the stream for messages
   * @throws SacctFormatException if the first line is no header with a column JobID
   * @throws IOException if the stream can't be read
   */
  public static SacctReader open(InputStream in, String source, SacctOptions options)
      throws IOException {
    LineInput lines =
        new LineInput(
            in,
            options.maxLineBytes(),
            (line, reason) -> new SacctFormatException(source, line, reason));
    try {
      String header = lines.next();
      LineParser parser =
          new LineParser(
              source, options.zone(), List.of((header == null ? "" : header).split("\\|", -1)));
      return new SacctReader(lines, parser);
    } catch (IOException | RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  /**
   * The next job or step, or empty at the end. Blank lines are passed over.
   *
   * @throws SacctFormatException if the line is malformed; a further call goes on with the line
   *     behind it
   * @throws IOException if the text can't be read
   */
  public Optional<SacctRecord> next() throws IOException {
    @Nullable String line = lines.next();
    while (line != null && line.isBlank()) {
      line = lines.next();
    }
    return line == null ? Optional.empty() : Optional.of(parser.parse(line, lines.lineNumber()));
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
