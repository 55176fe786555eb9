package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.util.regex.Pattern;

/** Names of clusters and nodes, each of which is part of the path of a znode. */
final class Names {
  /** Neither {@code .} nor {@code ..}, which are no names to ZooKeeper. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private Names() {}

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * The name.
   *
   * @param what it is a name of, for people
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if it cannot be taken
   */
  static String require(String what, String name) {
    if (!isName(name)) {
      throw GraphMetaException.invalid(
          "'"
              + name
              + "' is no name of a "
              + what
              + "; expected 1 to 64 letters of A-Z and a-z, digits, '-', '_' and '.', the first a"
              + " letter or a digit");
    }
    return name;
  }
}
