package io.graphmeta.archive;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What retention has dropped, or would drop.
 *
 * @param archive what has the rows; null if nothing was dropped
 * @param labels of which rows go, in the order of their names
 * @param watermark the stamp from which on all of them are answered; 0 if nothing goes
 * @param bytesBefore bytes of all files of the database, before rows were dropped
 * @param bytesAfter the same afterwards
 */
public record RetentionReport(
    @Nullable Archive archive,
    List<OfLabel> labels,
    long watermark,
    long bytesBefore,
    long bytesAfter) {
  /** Copies what is given. */
  public RetentionReport {
    labels = List.copyOf(labels);
  }

  /**
   * What goes of one label.
   *
   * @param kind "vertex" or "edge"
   * @param label its name
   * @param rows versions; of an edge those at both ends
   * @param bytes keys and values, before compression
   */
  public record OfLabel(String kind, String label, long rows, long bytes) {}

  /** Number of rows of all labels. */
  public long rows() {
    return labels.stream().mapToLong(OfLabel::rows).sum();
  }

  /** Keys and values of all rows, before compression. */
  public long rowBytes() {
    return labels.stream().mapToLong(OfLabel::bytes).sum();
  }
}
