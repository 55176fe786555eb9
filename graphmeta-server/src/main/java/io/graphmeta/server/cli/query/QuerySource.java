package io.graphmeta.server.cli.query;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where a query comes from: an argument, a file, or standard input. */
final class QuerySource {
  /** Larger than any query; a file of data, given by mistake, is not read to its end. */
  private static final int LIMIT_BYTES = 1 << 20;

  private static final String STANDARD_INPUT = "-";

  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec spec;

  @Parameters(
      paramLabel = "GREMLIN",
      arity = "0..1",
      description = "The query; - for one that is read from standard input.")
  private @Nullable String gremlin;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "Read the query from a file, which may have several lines; - for standard input.")
  private @Nullable String file;

  /** The text of the query. */
  String read() throws IOException {
    if (file != null && gremlin != null) {
      throw usage("The query is given twice, by --file and by '" + gremlin + "'; give one of them");
    }
    String named = file != null ? file : gremlin;
    if (named == null) {
      throw usage(
          "Missing the query: give it in quotes, by --file FILE, or - to read it from standard input");
    }
    String text;
    if (named.equals(STANDARD_INPUT)) {
      text = text("standard input", System.in);
    } else if (file != null) {
      text = file(Path.of(file));
    } else {
      text = named;
    }
    if (text.isBlank()) {
      throw usage("The query is empty; expected one such as g.V().count()");
    }
    return text.strip();
  }

  private static String file(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw GraphMetaException.invalid(path + " is a directory; expected a file with a query");
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    try (InputStream in = new FileInputStream(path.toFile())) {
      return text(path.toString(), in);
    }
  }

  private static String text(String from, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(LIMIT_BYTES + 1);
    if (bytes.length > LIMIT_BYTES) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The query of "
              + from
              + " is longer than "
              + LIMIT_BYTES
              + " bytes; expected a shorter one");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw GraphMetaException.invalid(
          "What " + from + " has is no text in UTF-8; expected a query in gremlin-lang");
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
