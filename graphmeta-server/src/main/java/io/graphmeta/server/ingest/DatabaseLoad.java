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
  private final List<String> sourcesOfAccounts = new ArrayList<>();
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
      sourcesOfAccounts.add(source);
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
    if (accounts.isEmpty()) {
      return;
    }
    try {
      result = result.plus(jobs.load(accounts));
    } catch (GraphMetaException e) {
      requireOfContent(e);
      // Nothing of them is there; each by itself shows which the graph does not take.
      for (int i = 0; i < accounts.size(); i++) {
        List<JobAccount> alone = accounts.subList(i, i + 1);
        load(sourcesOfAccounts.get(i), () -> jobs.load(alone));
      }
    }
    accounts.clear();
    sourcesOfAccounts.clear();
  }

  private void load(String source, Supplier<LoadResult> run) {
    try {
      result = result.plus(run.get());
    } catch (GraphMetaException e) {
      requireOfContent(e);
      failures.failed(source, String.valueOf(e.getMessage()));
    }
  }

  /** Bad content of a record is a failure of this record; a full disk is one of all. */
  private static void requireOfContent(GraphMetaException e) {
    ErrorCode.Category category = e.code().category();
    if (category != ErrorCode.Category.INPUT && category != ErrorCode.Category.LIMIT) {
      throw e;
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
    sourcesOfAccounts.clear();
  }
}
