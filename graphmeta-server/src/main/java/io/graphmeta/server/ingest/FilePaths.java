package io.graphmeta.server.ingest;

import org.jspecify.annotations.Nullable;

/** The paths of files as ids of vertices. Pure. */
final class FilePaths {
  private FilePaths() {}

  /** Whether a name in a log stands for a file, and not for a standard stream or the like. */
  static boolean isFile(String name) {
    return !name.isEmpty() && !name.startsWith("<");
  }

  static boolean isAbsolute(String path) {
    return path.startsWith("/");
  }

  /**
   * The path without double slashes, {@code .} parts and a slash at the end; {@code ..} stays, as
   * links may be below.
   */
  static String normalized(String path) {
    if (!path.contains("//")
        && !path.contains("/./")
        && !path.endsWith("/")
        && !path.endsWith("/.")) {
      return path;
    }
    StringBuilder result = new StringBuilder(path.length());
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty() && !part.equals(".")) {
        if (!result.isEmpty() || isAbsolute(path)) {
          result.append('/');
        }
        result.append(part);
      }
    }
    return result.isEmpty() ? "/" : result.toString();
  }

  /** The directory that holds a path; null for the root and for a name without directory. */
  static @Nullable String parent(String path) {
    int slash = path.lastIndexOf('/');
    if (slash < 0 || path.length() == 1) {
      return null;
    }
    return slash == 0 ? "/" : path.substring(0, slash);
  }
}
