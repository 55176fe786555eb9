package io.graphmeta.server.cli.connection;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options {@code --as-of} and {@code --known-at}. */
public final class ViewOptions {
  private static final String TIME =
      "ISO-8601, such as 2026-11-21T00:35:26Z, or epoch milliseconds";

  @Option(
      names = "--as-of",
      paramLabel = "T",
      converter = Viewpoint.class,
      description = "What was true at T: " + TIME + ".")
  private @Nullable Long asOf;

  @Option(
      names = "--known-at",
      paramLabel = "T",
      converter = Viewpoint.class,
      description = "What the database knew at T, in the same forms.")
  private @Nullable Long knownAt;

  /** The time of {@code --as-of} as text; null if it is not given. */
  public @Nullable String asOfText() {
    return asOf == null ? null : Stamp.format(asOf);
  }

  /** These, without {@code --as-of}. */
  public ViewOptions withoutAsOf() {
    ViewOptions options = new ViewOptions();
    options.knownAt = knownAt;
    return options;
  }

  /** The stamp of {@code --as-of}, or null. */
  @Nullable Long asOf() {
    return asOf;
  }

  /** The stamp of {@code --known-at}, or null. */
  @Nullable Long knownAt() {
    return knownAt;
  }

  /** Takes a time as a stamp. */
  public static final class Viewpoint implements CommandLine.ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      try {
        return Stamp.viewpoint(value);
      } catch (GraphMetaException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }
}
