package io.graphmeta.search.lucene;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.ThreadInterruptedException;

/** Failures of Lucene and of the disk below it as those of the port. */
final class LuceneErrors {
  private LuceneErrors() {}

  /**
   * What a failure means.
   *
   * @param what the index, as a reader of the message knows it
   */
  static GraphMetaException of(String what, Exception failure) {
    if (failure instanceof GraphMetaException known) {
      return known;
    }
    Throwable cause = failure;
    // A writer that has failed is closed, and says why.
    while (cause instanceof AlreadyClosedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof LockObtainFailedException) {
      return new GraphMetaException(
          ErrorCode.ALREADY_OPEN,
          what + " is open already, in this process or another; close it there first",
          failure);
    }
    if (isDamage(cause)) {
      return new GraphMetaException(
          ErrorCode.CORRUPTION,
          what + " is damaged: " + cause + "; it has to be built again from the store",
          failure);
    }
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        what
            + " cannot be written or read: "
            + cause
            + "; look after the disk: the index goes on by itself when it can",
        failure);
  }

  private static boolean isDamage(Throwable cause) {
    return cause instanceof CorruptIndexException
        || cause instanceof IndexFormatTooNewException
        || cause instanceof IndexFormatTooOldException
        || cause instanceof IndexNotFoundException
        || cause instanceof NoSuchFileException
        || cause instanceof FileNotFoundException
        || cause instanceof EOFException
        // What Lucene's own reading of damaged bytes runs into.
        || cause instanceof RuntimeException && !(cause instanceof ThreadInterruptedException);
  }
}
