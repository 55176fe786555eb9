package io.graphmeta.server.ingest.sacct;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code JobID} column: {@code 123}, {@code 123.batch}, {@code 123.0}, {@code 123_4}, {@code
 * 123_4.extern}, {@code 123_[5-10%2]}, {@code 123+0}, {@code 123+0.batch}, {@code 123.4+1}.
 *
 * @param text the id as printed
 * @param jobId number of the job, or of the job array or heterogeneous job it belongs to
 * @param arrayTask index in the job array, for {@code 123_4}
 * @param pendingTasks the indexes of an array that haven't started, for {@code 123_[5-10%2]}: what
 *     the brackets hold
 * @param component number of the component of a heterogeneous job, for {@code 123+1}
 * @param step the step, such as {@code batch}, {@code extern}, {@code 0}, {@code 4+1}; empty for
 *     the job itself
 */
public record SacctJobId(
    String text,
    long jobId,
    OptionalInt arrayTask,
    Optional<String> pendingTasks,
    OptionalInt component,
    Optional<String> step) {

  static final String EXPECTED =
      "an id such as 123, 123.batch, 123_4, 123_[5-10%2], 123+0 or 123.4+1";

  private static final Pattern SYNTAX =
      Pattern.compile(
          "(\\d{1,18})(?:_(\\d{1,9})|_\\[([^\\]]+)\\])?(?:\\+(\\d{1,9}))?(?:\\.([A-Za-z0-9_+-]+))?");

  /** Whether this is a step and not the job itself. */
  public boolean isStep() {
    return step.isPresent();
  }

  /**
   * The id of the job that a step belongs to, as {@code sacct} prints it: {@code 123_4} for {@code
   * 123_4.batch}.
   */
  public String jobText() {
    return step.isPresent() ? text.substring(0, text.length() - step.get().length() - 1) : text;
  }

  static Optional<SacctJobId> parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new SacctJobId(
            text,
            Long.parseLong(parts.group(1)),
            number(parts.group(2)),
            Optional.ofNullable(parts.group(3)),
            number(parts.group(4)),
            Optional.ofNullable(parts.group(5))));
  }

  private static OptionalInt number(@Nullable String digits) {
    return digits == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
  }

  @Override
  public String toString() {
    return text;
  }
}
