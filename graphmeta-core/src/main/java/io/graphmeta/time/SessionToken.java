package io.graphmeta.time;

import io.graphmeta.error.GraphMetaException;
import java.util.HexFormat;

/**
 * What a session has seen, as text that its user carries from one client of a database to another:
 * the session goes on there without missing anything that it was told before. Immutable.
 *
 * @param stamp the newest stamp that the session has committed or read at
 */
public record SessionToken(long stamp) {
  private static final int DIGITS = 16;

  /**
   * The token that a text stands for.
   *
   * @throws GraphMetaException if it stands for none
   */
  public static SessionToken of(Object text) {
    if (text instanceof String digits
        && digits.length() == DIGITS
        && digits.chars().allMatch(HexFormat::isHexDigit)) {
      long stamp = HexFormat.fromHexDigitsToLong(digits);
      if (stamp >= Stamp.MIN) {
        return new SessionToken(stamp);
      }
    }
    throw GraphMetaException.invalid(
        "'"
            + text
            + "' is not a session token; expected the text that an answer had as its"
            + " 'graphmeta.session', as it was");
  }

  /** The text that stands for it: always of the same length. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(stamp);
  }
}
