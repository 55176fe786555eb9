package io.graphmeta.provenance;

import io.graphmeta.provenance.RecordSource.FileCard;
import io.graphmeta.provenance.RecordSource.Program;

/**
 * The rule of {@link RecordRules} on the redirection of shells, over what was read from the graph.
 */
final class Redirections {
  private Redirections() {}

  /**
   * Whether a version was opened by a shell for what its programs print. Its program must be
   * loaded.
   */
  static boolean isRedirection(RecordSource source, Access write, FileCard card) {
    return write.evidence() == Evidence.CREATED
        && source.program(write.process()).jobs.stream().anyMatch(card.redirectingJobs::contains)
        && RecordRules.isShell(LineageBuilder.executableName(source.vertex(write.process())));
  }

  /** Whether a program can have printed to a file while a shell of its job had it open. */
  static boolean mayHavePrinted(Program program, Access write, FileCard card) {
    boolean isShellItself = program.members.contains(write.process());
    boolean overlaps =
        program.startMicros <= write.endMicros() + RecordRules.LATE_MICROS
            && (program.endMicros == 0
                || program.endMicros + RecordRules.LATE_MICROS >= write.startMicros());
    return !isShellItself && overlaps && !opensItself(program, write, card);
  }

  private static boolean opensItself(Program program, Access write, FileCard card) {
    return program.reads.stream().anyMatch(read -> read.file() == write.file())
        || card.reads.stream().anyMatch(read -> program.members.contains(read.process()))
        || card.writes.stream().anyMatch(other -> program.members.contains(other.process()));
  }
}
