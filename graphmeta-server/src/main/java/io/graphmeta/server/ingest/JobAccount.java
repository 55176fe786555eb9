package io.graphmeta.server.ingest;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduler keeps of one job, whichever it is. What it does not tell is null. Immutable.
 *
 * @param number the number that programs of the job see
 * @param user name of the user
 * @param uid number of the user
 * @param name name of the job
 * @param account who pays
 * @param partition queue or partition
 * @param state last known state, in capitals
 * @param exitCode exit status and signal, such as {@code 1:0}
 * @param submit when it was submitted
 * @param start when it started
 * @param end when it ended
 * @param nodes number of nodes
 * @param tasks number of tasks
 * @param workDir working directory
 * @param submitLine the command that submitted it
 */
public record JobAccount(
    String number,
    @Nullable String user,
    @Nullable Long uid,
    @Nullable String name,
    @Nullable String account,
    @Nullable String partition,
    @Nullable String state,
    @Nullable String exitCode,
    @Nullable Instant submit,
    @Nullable Instant start,
    @Nullable Instant end,
    @Nullable Long nodes,
    @Nullable Long tasks,
    @Nullable String workDir,
    @Nullable String submitLine)
    implements LoadRecord {

  /** When the job began to exist, as far as is known; empty if no time is. */
  Optional<Instant> begin() {
    return Optional.ofNullable(submit != null ? submit : start != null ? start : end);
  }
}
