package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A load into a database of this process: each run of a program is a transaction, and so are some
 * accounts of jobs together.
 */
public final class DatabaseLoad implements RecordLoad {
  /** How many accounts go well into one transaction. */
  private static final int BATCH_ACCOUNTS = 1_000;

  private final RunIngest runs;
  private final TraceIngest traces;
  private final JobIngest jobs;
  private final Failures failures;
  private final List<JobAccount> accounts = new ArrayList<>();
  private LoadResult result = LoadResult.NONE;

  /** A load that has begun. */
  public DatabaseLoad(GraphDatabase database, Failures failures) {
    this.runs = new RunIngest(database);
    this.traces = new TraceIngest(database);
    this.jobs = new JobIngest(database);
    this.failures = failures;
  }

  @Override
  public void add(String source, LoadRecord record) {
    if (record instanceof JobAccount account) {
      accounts.add(account);
      if (accounts.size() == BATCH_ACCOUNTS) {
        loadAccounts();
      }
    } else if (record instanceof ProgramRun run) {
      loadAccounts();
      load(source, () -> runs.load(run));
    } else if (record instanceof RunTrace trace) {
      loadAccounts();
      load(source, () -> traces.load(trace.run()));
    }
  }

  private void loadAccounts() {
    if (!accounts.isEmpty()) {
      result = result.plus(jobs.load(accounts));
      accounts.clear();
    }
  }

  private void load(String source, Supplier<LoadResult> run) {
    try {
      result = result.plus(run.get());
    } catch (GraphMetaException e) {
      // Bad content of this run is a failure of this run; a full disk is one of all.
      ErrorCode.Category category = e.code().category();
      if (category != ErrorCode.Category.INPUT && category != ErrorCode.Category.LIMIT) {
        throw e;
      }
      failures.failed(source, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public LoadResult finish() {
    loadAccounts();
    return result;
  }

  @Override
  public void close() {
    accounts.clear();
  }
}
