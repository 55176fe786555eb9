package io.graphmeta.provenance;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How an access to a file is known. */
public enum Evidence {
  /** Bytes were counted. */
  BYTES,
  /** Opened with a creation mode, no bytes counted. */
  CREATED,
  /**
   * Opened by a shell for what its programs print. Bytes that the shell itself wrote may be counted
   * besides. Concluded from an edge {@link Vocabulary#REDIRECTED}.
   */
  REDIRECTED,
  /** Opened by {@code tee} for what it gets through a pipe, no bytes counted. */
  PIPED,
  /** Opened by {@code cp}, which names it as the target, no bytes counted. */
  COPIED,
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
