package io.graphmeta.archive;

import io.graphmeta.backup.FileDigest;
import java.util.Locale;

/**
 * A file of an archive.
 *
 * @param shard that the rows were on
 * @param family of the rows, by its name
 * @param rows how many there are
 * @param rowBytes keys and values of these, before compression
 * @param digest what the file holds
 */
public record ArchivedRows(int shard, String family, long rows, long rowBytes, FileDigest digest) {
  /** The name of the file in the directory of its archive. */
  public String fileName() {
    return fileName(shard, family);
  }

  /** The name of the file of a shard and family. */
  public static String fileName(int shard, String family) {
    return "shard-" + shard + "-" + family.toLowerCase(Locale.ROOT) + ".sst";
  }
}
