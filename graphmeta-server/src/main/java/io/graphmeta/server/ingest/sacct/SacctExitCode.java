package io.graphmeta.server.ingest.sacct;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code ExitCode} column, {@code 1:0}.
 *
 * @param status exit status of the program
 * @param signal signal that ended it, 0 for none
 */
public record SacctExitCode(int status, int signal) {
  static final String EXPECTED = "an exit status and a signal such as 1:0";

  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9}):(\\d{1,9})");

  static Optional<SacctExitCode> parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    return parts.matches()
        ? Optional.of(
            new SacctExitCode(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2))))
        : Optional.empty();
  }
}
