package io.graphmeta.server.ingest.darshan;

import java.util.Optional;

/**
 * What a log tells of the path of a record: all, its end, or nothing.
 *
 * @param path the path
 * @param end the end of the path, if the path is not known
 */
record FileName(Optional<String> path, Optional<String> end) {
  static final FileName NONE = new FileName(Optional.empty(), Optional.empty());

  static FileName of(String path) {
    return new FileName(Optional.of(path), Optional.empty());
  }
}
