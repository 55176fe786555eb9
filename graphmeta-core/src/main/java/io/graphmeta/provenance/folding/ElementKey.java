package io.graphmeta.provenance.folding;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;

/**
 * Names that elements of a lineage keep from one answer to the next: the id, and of a file and an
 * executable the version. So what was opened in one picture is found in the next one.
 */
public final class ElementKey {
  private static final String INITIAL = "initial";

  private ElementKey() {}

  /** The key of an element, such as {@code /scratch/a@2026-11-21T00:35:30.000000Z}. */
  public static String of(LineageNode node) {
    if (node.fate() == null && !node.label().equals(Vocabulary.EXECUTABLE)) {
      return node.id();
    }
    boolean isInitial = node.fate() != null && node.writer() == null;
    return node.id()
        + "@"
        + (isInitial ? INITIAL : Stamp.format(Stamp.startOfMicros(node.versionMicros())));
  }

  /** As {@link #of}, told apart also from a version that another process began at that moment. */
  static String exactly(LineageNode node) {
    return node.label() + " " + of(node) + " " + node.writer();
  }
}
