package io.graphmeta.provenance;

/**
 * The rule of {@link RecordRules} on the redirection of shells, over what was read from the graph.
 */
final class Redirections {
  private Redirections() {}

  /**
   * Whether a version was opened by a shell of a job, or by {@code tee}, for what programs of the
   * job print. Its program must be loaded.
   */
  static boolean isRedirection(RecordSource source, Access write, FileCard card) {
    return write.isPrintedByOthers()
        && source.program(write.process()).jobs.stream().anyMatch(card.redirectingJobs::contains);
  }

  /**
   * Whether a program can have printed to a file: it ran while a shell of its job had it open, or
   * while {@code tee} ran, for a pipe can be filled before its reader opens a file.
   */
  static boolean mayHavePrinted(RecordSource source, Program program, Access write, FileCard card) {
    boolean isWriterItself = program.members.contains(write.process());
    long from =
        write.evidence() == Evidence.PIPED
            ? Math.min(source.program(write.process()).startMicros, write.startMicros())
            : write.startMicros();
    boolean overlaps =
        program.startMicros <= write.endMicros() + RecordRules.LATE_MICROS
            && (program.endMicros == 0 || program.endMicros + RecordRules.LATE_MICROS >= from);
    return !isWriterItself && overlaps && !opensItself(program, write, card);
  }

  /** What was left out for want of time can tell that it did. */
  private static boolean opensItself(Program program, Access write, FileCard card) {
    return program.readsCut
        || card.readsCut
        || program.reads.stream().anyMatch(read -> read.file() == write.file())
        || card.reads.stream().anyMatch(read -> program.members.contains(read.process()))
        || card.writes.stream().anyMatch(other -> program.members.contains(other.process()));
  }
}
