package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads the accounting of jobs: users, jobs and who ran them. Steps of jobs are not kept. A job
 * that is loaded again changes only in what differs. Used by one thread.
 */
public final class SacctIngest {
  /** How many lines go well into one transaction. */
  public static final int BATCH_RECORDS = 1_000;

  private static final String PENDING = "PENDING";
  private static final String RUNNING = "RUNNING";

  private final GraphDatabase database;

  /** Loads into a database. */
  public SacctIngest(GraphDatabase database) {
    this.database = database;
  }

  /** Loads lines in one transaction. A job that comes twice stands as its last line says. */
  public LoadResult load(Collection<SacctRecord> records) {
    Map<String, SacctRecord> jobs = new LinkedHashMap<>();
    for (SacctRecord record : records) {
      if (!record.isStep() && begin(record) != null) {
        jobs.put(Vocabulary.jobId(number(record)), record);
      }
    }
    return LoadAttempts.run(() -> loadJobs(jobs));
  }

  private LoadResult loadJobs(Map<String, SacctRecord> jobs) {
    try (GraphTransaction tx = database.begin()) {
      ElementBackfill shared = new ElementBackfill(tx);
      jobs.forEach((id, record) -> askFor(shared, id, record));
      shared.write();
      LoadResult result = new LoadResult(0, 0, shared.addedVertices(), shared.addedEdges());
      Map<String, String> named = new LinkedHashMap<>();
      for (Map.Entry<String, SacctRecord> job : jobs.entrySet()) {
        boolean changed = new JobProperties(tx, shared, job.getKey(), job.getValue()).write();
        changed |= nameUser(tx, shared, job.getValue(), named);
        result = result.plus(new LoadResult(changed ? 1 : 0, changed ? 0 : 1, 0, 0));
      }
      if (tx.hasWrites()) {
        tx.commit();
      }
      return result;
    }
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

  /** When a job began to exist, as far as the line tells. */
  private static @Nullable Instant begin(SacctRecord record) {
    return record.submit().or(record::start).or(record::end).orElse(null);
  }

  private static void askFor(ElementBackfill shared, String jobId, SacctRecord record) {
    long begin = Stamp.startOf(Objects.requireNonNull(begin(record)));
    shared.vertex(jobId, Vocabulary.JOB, new JobFacts(record).fromSubmission(), begin);
    record.start().ifPresent(start -> shared.lookUpAsOf(Stamp.startOf(start)));
    record.end().ifPresent(end -> shared.lookUpAsOf(Stamp.startOf(end)));
    String user = userId(record);
    if (user != null) {
      Map<String, Object> properties = new LinkedHashMap<>();
      record.uid().ifPresent(uid -> properties.put(Vocabulary.UID, uid));
      record.user().ifPresent(name -> properties.put(Vocabulary.NAME, name));
      shared.vertex(user, Vocabulary.USER, properties, begin);
      shared.edge(Vocabulary.RAN + ":" + jobId, user, Vocabulary.RAN, jobId, begin);
    }
  }

  /**
   * Users are known by number, which logs of programs have too; by name only where the text has no
   * numbers.
   */
  private static @Nullable String userId(SacctRecord record) {
    if (record.uid().isPresent()) {
      return Vocabulary.userId(record.uid().getAsLong());
    }
    return record.user().map(name -> "user:" + name).orElse(null);
  }

  private static boolean nameUser(
      GraphTransaction tx, ElementBackfill shared, SacctRecord record, Map<String, String> named) {
    String user = userId(record);
    Optional<String> name = record.user();
    if (user == null || name.isEmpty() || name.get().equals(named.put(user, name.get()))) {
      return false;
    }
    VertexRecord before = shared.before(user);
    if (before == null || name.get().equals(before.value(Vocabulary.NAME))) {
      return false;
    }
    tx.setVertexProperty(
        shared.key(user),
        Vocabulary.NAME,
        name.get(),
        Cardinality.SINGLE,
        Map.of(),
        null,
        before.validStamp());
    return true;
  }

  /** What a line says about its job, by the time from which it is true. */
  private record JobFacts(SacctRecord record) {
    Map<String, Object> fromSubmission() {
      Map<String, Object> facts = new LinkedHashMap<>();
      record.jobName().ifPresent(value -> facts.put(Vocabulary.NAME, value));
      record.account().ifPresent(value -> facts.put(Vocabulary.ACCOUNT, value));
      record.partition().ifPresent(value -> facts.put(Vocabulary.PARTITION, value));
      record.submit().ifPresent(value -> facts.put(Vocabulary.SUBMIT, Times.of(value)));
      record.nodes().ifPresent(value -> facts.put(Vocabulary.NODES, value));
      record.tasks().ifPresent(value -> facts.put(Vocabulary.TASKS, value));
      record.workDir().ifPresent(value -> facts.put(Vocabulary.WORK_DIR, value));
      record.submitLine().ifPresent(value -> facts.put(Vocabulary.SUBMIT_LINE, value));
      // A state that lasted less than the second of the accounting is none.
      if (record.submit().isPresent()
          && !record.submit().equals(record.start())
          && !record.submit().equals(record.end())) {
        facts.put(Vocabulary.STATE, PENDING);
      }
      return facts;
    }

    Map<String, Object> fromStart() {
      Map<String, Object> facts = new LinkedHashMap<>();
      record.start().ifPresent(value -> facts.put(Vocabulary.START, Times.of(value)));
      if (!record.start().equals(record.end())) {
        facts.put(Vocabulary.STATE, RUNNING);
      }
      return facts;
    }

    Map<String, Object> fromEnd() {
      Map<String, Object> facts = new LinkedHashMap<>();
      record.end().ifPresent(value -> facts.put(Vocabulary.END, Times.of(value)));
      record
          .exitCode()
          .ifPresent(code -> facts.put(Vocabulary.EXIT_CODE, code.status() + ":" + code.signal()));
      record.state().ifPresent(state -> facts.put(Vocabulary.STATE, state.name()));
      return facts;
    }
  }

  /** Writes the properties of one job that the graph does not have. */
  private static final class JobProperties {
    private final GraphTransaction tx;
    private final long job;
    private final @Nullable VertexRecord before;
    private final SacctRecord record;
    private boolean changed;

    JobProperties(GraphTransaction tx, ElementBackfill shared, String jobId, SacctRecord record) {
      this.tx = tx;
      this.job = shared.key(jobId);
      this.before = shared.before(jobId);
      this.record = record;
      this.changed = before == null;
    }

    boolean write() {
      Instant begin = Objects.requireNonNull(begin(record));
      JobFacts facts = new JobFacts(record);
      boolean isFirst = before == null || before.value(Vocabulary.STATE) == null;
      boolean hasEnded = before != null && before.value(Vocabulary.END) != null;
      if (before != null && before.validStamp() <= Stamp.startOf(begin)) {
        Map<String, Object> early = facts.fromSubmission();
        if (!isFirst) {
          early.remove(Vocabulary.STATE);
        }
        set(early, begin);
      } else if (before != null) {
        changed = true;
      }
      if (record.start().isPresent() && !hasEnded) {
        Map<String, Object> running = facts.fromStart();
        if (before != null && RUNNING.equals(before.value(Vocabulary.STATE))) {
          running.remove(Vocabulary.STATE);
        }
        set(running, record.start().get());
      }
      if (record.end().isPresent()) {
        set(facts.fromEnd(), record.end().get());
      }
      return changed;
    }

    private void set(Map<String, Object> facts, Instant from) {
      facts.forEach(
          (key, value) -> {
            if (before == null || !value.equals(before.value(key))) {
              tx.setVertexProperty(
                  job, key, value, Cardinality.SINGLE, Map.of(), null, Stamp.startOf(from));
              changed = true;
            }
          });
    }
  }
}
