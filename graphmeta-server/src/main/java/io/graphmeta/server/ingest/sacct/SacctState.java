package io.graphmeta.server.ingest.sacct;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code State} column. Not an enum: Slurm adds states, and sites print their own.
 *
 * @param name the state in capitals, such as {@code COMPLETED}, {@code FAILED}, {@code TIMEOUT},
 *     {@code CANCELLED}
 * @param cancelledByUid who cancelled it, for {@code CANCELLED by 20027}
 */
public record SacctState(String name, OptionalLong cancelledByUid) {
  static final String EXPECTED = "a state such as COMPLETED or \"CANCELLED by 20027\"";

  // "CANCELLED+" is a state that was cut to the width of its column.
  private static final Pattern SYNTAX = Pattern.compile("([A-Z][A-Z_]*)\\+?(?: by (\\d{1,18}))?");

  static Optional<SacctState> parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String uid = parts.group(2);
    return Optional.of(
        new SacctState(
            parts.group(1),
            uid == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(uid))));
  }
}
