package io.graphmeta.server.export;

import java.nio.charset.StandardCharsets;

/** Percent-encoding of RFC 3986. Pure. */
final class Percent {
  private static final String PLAIN = "-._~/";

  private Percent() {}

  /** A text as part of a URI: letters and digits of ASCII and {@code -._~/} stay. */
  static String encode(String text) {
    StringBuilder result = new StringBuilder(text.length() + 16);
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          octet >= 'a' && octet <= 'z'
              || octet >= 'A' && octet <= 'Z'
              || octet >= '0' && octet <= '9'
              || PLAIN.indexOf(octet) >= 0;
      if (plain) {
        result.append((char) octet);
      } else {
        result.append(String.format("%%%02X", octet & 0xff));
      }
    }
    return result.toString();
  }
}
