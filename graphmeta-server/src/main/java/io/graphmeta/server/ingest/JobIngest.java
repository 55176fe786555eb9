package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Loads the accounting of jobs: users, jobs and who ran them. A job that is loaded again changes
 * only in what differs. Safe for use by many threads.
 */
final class JobIngest {
  private static final String PENDING = "PENDING";
  private static final String RUNNING = "RUNNING";

  private final GraphDatabase database;

  JobIngest(GraphDatabase database) {
    this.database = database;
  }

  /**
   * Loads accounts in one transaction. A job that comes twice stands as its last account says; one
   * of which no time is known is passed over.
   */
  LoadResult load(Collection<JobAccount> accounts) {
    Map<String, JobAccount> jobs = new LinkedHashMap<>();
    for (JobAccount account : accounts) {
      if (account.begin().isPresent()) {
        jobs.put(Vocabulary.jobId(account.number()), account);
      }
    }
    return LoadAttempts.run(jobs.size(), () -> loadJobs(jobs));
  }

  private LoadResult loadJobs(Map<String, JobAccount> jobs) {
    try (GraphTransaction tx = database.begin()) {
      ElementBackfill shared = new ElementBackfill(tx);
      jobs.forEach((id, account) -> askFor(shared, id, account));
      shared.write();
      LoadResult result = new LoadResult(0, 0, shared.addedVertices(), shared.addedEdges());
      Map<String, String> named = new LinkedHashMap<>();
      for (Map.Entry<String, JobAccount> job : jobs.entrySet()) {
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

  private static void askFor(ElementBackfill shared, String jobId, JobAccount account) {
    long begin = Stamp.startOf(account.begin().orElseThrow());
    shared.vertex(jobId, Vocabulary.JOB, new JobFacts(account).fromSubmission(), begin);
    if (account.start() != null) {
      shared.lookUpAsOf(Stamp.startOf(account.start()));
    }
    if (account.end() != null) {
      shared.lookUpAsOf(Stamp.startOf(account.end()));
    }
    String user = userId(account);
    if (user != null) {
      Map<String, Object> properties = new LinkedHashMap<>();
      put(properties, Vocabulary.UID, account.uid());
      put(properties, Vocabulary.NAME, account.user());
      shared.vertex(user, Vocabulary.USER, properties, begin);
      shared.edge(Vocabulary.RAN + ":" + jobId, user, Vocabulary.RAN, jobId, begin);
    }
  }

  /**
   * Users are known by number, which logs of programs have too; by name only where the text has no
   * numbers.
   */
  private static @Nullable String userId(JobAccount account) {
    if (account.uid() != null) {
      return Vocabulary.userId(account.uid());
    }
    return account.user() == null ? null : "user:" + account.user();
  }

  private static void put(Map<String, Object> facts, String key, @Nullable Object value) {
    if (value != null) {
      facts.put(key, value);
    }
  }

  private static boolean nameUser(
      GraphTransaction tx, ElementBackfill shared, JobAccount account, Map<String, String> named) {
    String user = userId(account);
    String name = account.user();
    if (user == null || name == null || name.equals(named.put(user, name))) {
      return false;
    }
    VertexRecord before = shared.before(user);
    if (before == null || name.equals(before.value(Vocabulary.NAME))) {
      return false;
    }
    tx.setVertexProperty(
        shared.key(user),
        Vocabulary.NAME,
        name,
        Cardinality.SINGLE,
        Map.of(),
        null,
        before.validStamp());
    return true;
  }

  /** What an account says about its job, by the time from which it is true. */
  private record JobFacts(JobAccount account) {
    Map<String, Object> fromSubmission() {
      Map<String, Object> facts = new LinkedHashMap<>();
      put(facts, Vocabulary.NAME, account.name());
      put(facts, Vocabulary.ACCOUNT, account.account());
      put(facts, Vocabulary.PARTITION, account.partition());
      putTime(facts, Vocabulary.SUBMIT, account.submit());
      put(facts, Vocabulary.NODES, account.nodes());
      put(facts, Vocabulary.TASKS, account.tasks());
      put(facts, Vocabulary.WORK_DIR, account.workDir());
      put(facts, Vocabulary.SUBMIT_LINE, account.submitLine());
      // A state that lasted less than the second of the accounting is none.
      if (account.submit() != null
          && !account.submit().equals(account.start())
          && !account.submit().equals(account.end())) {
        facts.put(Vocabulary.STATE, PENDING);
      }
      return facts;
    }

    Map<String, Object> fromStart() {
      Map<String, Object> facts = new LinkedHashMap<>();
      putTime(facts, Vocabulary.START, account.start());
      if (!Objects.equals(account.start(), account.end())) {
        facts.put(Vocabulary.STATE, RUNNING);
      }
      return facts;
    }

    Map<String, Object> fromEnd() {
      Map<String, Object> facts = new LinkedHashMap<>();
      putTime(facts, Vocabulary.END, account.end());
      put(facts, Vocabulary.EXIT_CODE, account.exitCode());
      put(facts, Vocabulary.STATE, account.state());
      return facts;
    }

    private static void putTime(Map<String, Object> facts, String key, @Nullable Instant time) {
      put(facts, key, time == null ? null : Times.of(time));
    }
  }

  /** Writes the properties of one job that the graph does not have. */
  private static final class JobProperties {
    private final GraphTransaction tx;
    private final long job;
    private final @Nullable VertexRecord before;
    private final JobAccount account;
    private boolean changed;

    JobProperties(GraphTransaction tx, ElementBackfill shared, String jobId, JobAccount account) {
      this.tx = tx;
      this.job = shared.key(jobId);
      this.before = shared.before(jobId);
      this.account = account;
      this.changed = before == null;
    }

    boolean write() {
      Instant begin = account.begin().orElseThrow();
      JobFacts facts = new JobFacts(account);
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
      if (account.start() != null && !hasEnded) {
        Map<String, Object> running = facts.fromStart();
        if (before != null && RUNNING.equals(before.value(Vocabulary.STATE))) {
          running.remove(Vocabulary.STATE);
        }
        set(running, account.start());
      }
      if (account.end() != null) {
        set(facts.fromEnd(), account.end());
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
