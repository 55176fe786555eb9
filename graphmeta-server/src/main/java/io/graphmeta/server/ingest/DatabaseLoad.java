package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;

/**
 * A load into a database of this process, or into a cluster of which this process is a client.
 * Records are loaded in their order, and some of one kind in one transaction: they have much in
 * common, which is looked up once, and over a network each transaction costs some round trips. Of a
 * transaction that the graph does not take, each half is loaded by itself, and so on until the
 * record is found that it does not take.
 */
public final class DatabaseLoad implements RecordLoad {
  private static final int MAX_ACCOUNTS = 1_000;
  private static final int MAX_RUNS = 50;

  /** How many accesses of files all runs of a transaction have, unless one alone has more. */
  private static final int MAX_ACCESSES = 2_000;

  private final RunIngest runs;
  private final TraceIngest traces;
  private final JobIngest jobs;
  private final Failures failures;
  private final List<Added> batch = new ArrayList<>();
  private int accesses;
  private LoadResult result = LoadResult.NONE;

  private record Added(String source, LoadRecord record) {}

  /** A load that has begun. The first into a new graph creates indexes over what it writes. */
  public DatabaseLoad(GraphDatabase database, Failures failures) {
    SearchDefaults.create(database);
    this.runs = new RunIngest(database);
    this.traces = new TraceIngest(database);
    this.jobs = new JobIngest(database);
    this.failures = failures;
  }

  @Override
  public void add(String source, LoadRecord record) {
    if (!batch.isEmpty() && !goesWith(batch.get(0).record, record)) {
      loadBatch();
    }
    batch.add(new Added(source, record));
    accesses += accesses(record);
  }

  /** Whether there is room for a record in the transaction of another kind, or of the same. */
  private boolean goesWith(LoadRecord first, LoadRecord record) {
    if (first instanceof JobAccount && record instanceof JobAccount) {
      return batch.size() < MAX_ACCOUNTS;
    }
    return first instanceof ProgramRun
        && record instanceof ProgramRun run
        && batch.size() < MAX_RUNS
        && accesses + accesses(run) <= MAX_ACCESSES
        && !RunMapping.dependsOnWhatIsKnown(run);
  }

  private static int accesses(LoadRecord record) {
    return record instanceof ProgramRun run ? run.uses().size() + run.renames().size() : 0;
  }

  private void loadBatch() {
    List<Added> added = List.copyOf(batch);
    batch.clear();
    accesses = 0;
    load(added);
  }

  private void load(List<Added> added) {
    try {
      result = result.plus(write(added));
    } catch (GraphMetaException e) {
      int half = added.size() / 2;
      if (half > 0 && (isOfContent(e) || LoadAttempts.isConflict(e))) {
        load(added.subList(0, half));
        load(added.subList(half, added.size()));
      } else if (isOfContent(e)) {
        failures.failed(added.get(0).source, String.valueOf(e.getMessage()));
      } else {
        throw e;
      }
    }
  }

  /** Bad content of a record is a failure of this record; a full disk is one of all. */
  private static boolean isOfContent(GraphMetaException e) {
    ErrorCode.Category category = e.code().category();
    return category == ErrorCode.Category.INPUT || category == ErrorCode.Category.LIMIT;
  }

  /** Loads records of one kind in one transaction. */
  private LoadResult write(List<Added> added) {
    if (added.get(0).record instanceof RunTrace trace) {
      return traces.load(trace.run());
    }
    return added.get(0).record instanceof JobAccount
        ? jobs.load(records(added, JobAccount.class))
        : runs.load(records(added, ProgramRun.class));
  }

  private static <T> List<T> records(List<Added> added, Class<T> kind) {
    return added.stream().map(each -> kind.cast(each.record)).toList();
  }

  @Override
  public LoadResult finish() {
    if (!batch.isEmpty()) {
      loadBatch();
    }
    return result;
  }

  @Override
  public void close() {
    batch.clear();
  }
}
