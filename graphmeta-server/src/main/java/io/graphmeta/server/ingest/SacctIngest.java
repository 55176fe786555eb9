package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.ingest.sacct.SacctExitCode;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import io.graphmeta.server.ingest.sacct.SacctState;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Loads lines of {@code sacct}. Steps of jobs are not kept, and neither is what has no time. Safe
 * for use by many threads.
 */
public final class SacctIngest {
  private final JobIngest jobs;

  /** Loads into a database. */
  public SacctIngest(GraphDatabase database) {
    this.jobs = new JobIngest(database);
  }

  /** Loads lines in one transaction. A job that comes twice stands as its last line says. */
  public LoadResult load(Collection<SacctRecord> records) {
    return jobs.load(records.stream().flatMap(record -> account(record).stream()).toList());
  }

  /** The account of a line; empty if it is not one of a job. */
  public static Optional<JobAccount> account(SacctRecord record) {
    JobAccount account =
        new JobAccount(
            number(record),
            record.user().orElse(null),
            number(record.uid()),
            record.jobName().orElse(null),
            record.account().orElse(null),
            record.partition().orElse(null),
            record.state().map(SacctState::name).orElse(null),
            record.exitCode().map(SacctIngest::text).orElse(null),
            record.submit().orElse(null),
            record.start().orElse(null),
            record.end().orElse(null),
            number(record.nodes()),
            number(record.tasks()),
            record.workDir().orElse(null),
            record.submitLine().orElse(null));
    return record.isStep() || account.begin().isEmpty() ? Optional.empty() : Optional.of(account);
  }

  private static String text(SacctExitCode code) {
    return code.status() + ":" + code.signal();
  }

  private static @Nullable Long number(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  /**
   * The number that programs of the job see: for tasks of arrays only the column JobIDRaw has it.
   */
  private static String number(SacctRecord record) {
    for (Map.Entry<String, String> field : record.fields().entrySet()) {
      if (field.getKey().equalsIgnoreCase("JobIDRaw") && field.getValue().matches("\\d+")) {
        return field.getValue();
      }
    }
    return record.id().jobText();
  }
}
