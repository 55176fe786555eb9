package io.graphmeta.provenance;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How an access to a file is known. */
public enum Evidence {
  /** Bytes were counted. */
  BYTES,
  /** Opened with a creation mode, no bytes counted. */
  CREATED,
  /** Opened, no bytes counted. */
  OPENED,
  /** A rename was counted. */
  RENAMED,
  /** Concluded from the command line of {@code mv} or {@code rm}. */
  COMMAND_LINE;

  /** As it stands in the property {@link Vocabulary#EVIDENCE}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The evidence of a text; {@link #BYTES} for none or an unknown one, as for edges that users add
   * themselves.
   */
  public static Evidence of(@Nullable Object text) {
    for (Evidence evidence : values()) {
      if (evidence.text().equals(text)) {
        return evidence;
      }
    }
    return BYTES;
  }
}
