package io.graphmeta.provenance;

import java.util.Locale;

/**
 * What the record does not tell for certain about an element of an answer, and how it was taken.
 */
public enum Doubt {
  APPEND_OR_OVERWRITE("append or overwrite unknown: taken as overwritten"),
  TAKEN_AS_APPEND("written beyond the bytes counted: taken as appended to what was there"),
  MAY_HAVE_KEPT("opened by a shell with > or >>: what was there before taken as kept too"),
  READ_BEYOND_WRITTEN("read beyond what was last written: earlier content taken as read too"),
  OPENED_ONLY("opened, no bytes counted: taken as read"),
  CREATED_ONLY("opened to be created, no bytes counted: taken as written"),
  RENAMED_UNSEEN("opened and renamed, no bytes counted: taken as written"),
  SEVERAL_VERSIONS("may have met more than one version: all taken"),
  TIMES_TOO_CLOSE("too close in time to tell the order: taken as before"),
  SHELL_REDIRECTION(
      "opened by a shell of the job: taken as written by every program that can have printed to it"),
  FROM_COMMAND_LINE("concluded from the command line"),
  SEVERAL_OVERWRITES("opened several times: can be several versions"),
  WRITER_NOT_RECORDED("no writer in the record: there before, or written unseen"),
  EXECUTABLE_BY_TIME("only the path is recorded: version by the time of the start"),
  PATH_BY_HASH("only a hash of the path is recorded: other records of the file not joined"),
  END_NOT_RECORDED("no end recorded: the process was killed");

  private final String sentence;

  Doubt(String sentence) {
    this.sentence = sentence;
  }

  /** The doubt in words. */
  public String sentence() {
    return sentence;
  }

  /** The doubt as a word for programs, such as {@code opened-only}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
