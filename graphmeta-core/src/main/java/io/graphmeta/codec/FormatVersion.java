package io.graphmeta.codec;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/**
 * The versions of the stored format. A constant is added for each change, with what an older reader
 * would get wrong; the numbers are stored and never change.
 */
public enum FormatVersion {
  /** Keys and values as this package describes them. */
  V1(1),

  /**
   * As version 1 in all rows. The files about them have other names: an older reader would find no
   * stores.
   */
  V2(2),

  /**
   * Has definitions of indexes, and lists the changes that an index has to follow. An older reader
   * would change elements without listing them, so that indexes missed what it wrote.
   */
  V3(3);

  /** The version that new databases are written in. */
  public static final FormatVersion CURRENT = V3;

  private final int number;

  FormatVersion(int number) {
    this.number = number;
  }

  /** The stored number. */
  public int number() {
    return number;
  }

  /**
   * The version of a stored number.
   *
   * @param where what was read, for the error
   * @throws GraphMetaException {@code NEWER_FORMAT} if this build does not know it
   */
  public static FormatVersion ofNumber(int number, String where) {
    for (FormatVersion version : values()) {
      if (version.number == number) {
        return version;
      }
    }
    throw new GraphMetaException(
        ErrorCode.NEWER_FORMAT,
        where
            + " has format version "
            + number
            + "; this build reads up to "
            + CURRENT.number
            + ". Open it with a newer GraphMeta");
  }
}
