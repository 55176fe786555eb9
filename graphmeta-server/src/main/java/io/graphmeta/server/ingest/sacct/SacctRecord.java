package io.graphmeta.server.ingest.sacct;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line: a job or a step of one. What the line leaves empty is empty here, as is what the text has
 * no column for, and a time, number, state or exit code that is called {@code Unknown}, {@code
 * None} or {@code N/A}.
 *
 * @param lineNumber the line, counted from 1 (the header)
 * @param id column JobID
 * @param jobName column JobName
 * @param user column User
 * @param uid column UID
 * @param account column Account
 * @param partition column Partition
 * @param state column State
 * @param exitCode column ExitCode
 * @param submit column Submit
 * @param start column Start
 * @param end column End
 * @param nodes column NNodes
 * @param tasks column NTasks
 * @param workDir column WorkDir
 * @param submitLine column SubmitLine
 * @param fields every column as it stands, by its name in the header, in the header's order
 */
public record SacctRecord(
    long lineNumber,
    SacctJobId id,
    Optional<String> jobName,
    Optional<String> user,
    OptionalLong uid,
    Optional<String> account,
    Optional<String> partition,
    Optional<SacctState> state,
    Optional<SacctExitCode> exitCode,
    Optional<Instant> submit,
    Optional<Instant> start,
    Optional<Instant> end,
    OptionalLong nodes,
    OptionalLong tasks,
    Optional<String> workDir,
    Optional<String> submitLine,
    Map<String, String> fields) {

  /** Whether this is a step and not the job itself. */
  public boolean isStep() {
    return id.isStep();
  }
}
