package io.graphmeta.search.lucene;

import io.graphmeta.search.AttributeIndex.IndexProgress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;

/**
 * What both indexes say with a commit.
 *
 * @param number counts commits; the two indexes belong together where they say the same
 * @param stamp at and below it they hold everything
 * @param progress which definitions are indexed, and how far
 */
record CommitState(long number, long stamp, List<IndexProgress> progress) {
  /** Counts the ways in which versions have been documents. Of an older one they are built anew. */
  private static final String FORMAT_VERSION = "3";

  private static final String FORMAT = "format";
  private static final String NUMBER = "number";
  private static final String STAMP = "stamp";
  private static final String PROGRESS = "progress.";
  private static final String BUILT = "built";

  /** As Lucene keeps it. */
  Map<String, String> data() {
    Map<String, String> data = new LinkedHashMap<>();
    data.put(FORMAT, FORMAT_VERSION);
    data.put(NUMBER, Long.toString(number));
    data.put(STAMP, Long.toString(stamp));
    for (IndexProgress each : progress) {
      data.put(
          PROGRESS + each.definition(),
          (each.built() ? BUILT : "") + ":" + HexFormat.of().formatHex(each.next()));
    }
    return data;
  }

  /** What Lucene has kept. */
  static CommitState of(Map<String, String> data) throws CorruptIndexException {
    if (!FORMAT_VERSION.equals(data.getOrDefault(FORMAT, "1"))) {
      throw new CorruptIndexException(
          "The index has format " + data.getOrDefault(FORMAT, "1") + "; expected " + FORMAT_VERSION,
          "commit data");
    }
    try {
      List<IndexProgress> progress = new ArrayList<>();
      for (Map.Entry<String, String> entry : data.entrySet()) {
        if (entry.getKey().startsWith(PROGRESS)) {
          String[] parts = entry.getValue().split(":", -1);
          progress.add(
              new IndexProgress(
                  Long.parseLong(entry.getKey().substring(PROGRESS.length())),
                  parts[0].equals(BUILT),
                  HexFormat.of().parseHex(parts[1])));
        }
      }
      return new CommitState(
          Long.parseLong(data.getOrDefault(NUMBER, "")),
          Long.parseLong(data.getOrDefault(STAMP, "")),
          List.copyOf(progress));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new CorruptIndexException("A commit says " + data, "commit data", e);
    }
  }
}
