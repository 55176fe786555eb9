package io.graphmeta.backup;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;

/** What is told of targets that are not as they should be. */
final class TargetErrors {
  private TargetErrors() {}

  static String damaged(Object stored, StoredFile file) {
    return stored
        + " is damaged: it does not have the "
        + file.digest().bytes()
        + " bytes with the SHA-256 of its name that were written. It is "
        + file.name()
        + " of shard "
        + file.shard()
        + "; put it back from another copy, or use a backup without it";
  }

  static String missing(Object stored, StoredFile file) {
    return stored
        + " is missing. It is "
        + file.name()
        + " of shard "
        + file.shard()
        + "; put it back from another copy, or use a backup without it, if its backup was not expired meanwhile";
  }

  static GraphMetaException unreadable(Object target, IOException e) {
    String why =
        e instanceof AccessDeniedException denied
            ? "no permission for " + denied.getFile()
            : String.valueOf(e.getMessage());
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        "Backups in " + target + " cannot be read or written: " + why,
        e);
  }
}
