package io.graphmeta.server.gremlin;

import io.graphmeta.server.gremlin.rules.Caller;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.graphmeta.server.metrics.ServerMetrics;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts what happened and writes it into the audit. Safe for use by many threads. */
final class RecordedQueries implements QueryLog {
  private final ServerMetrics metrics;
  private final AuditLog audit;

  RecordedQueries(ServerMetrics metrics, AuditLog audit) {
    this.metrics = metrics;
    this.audit = audit;
  }

  @Override
  public void ended(Query query, long nanos, long results, @Nullable Failure failure) {
    String kind = query.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    String outcome = failure == null ? "done" : failure.kind();
    metrics.queryEnded(kind, outcome, nanos);
    audit.write(
        query.caller(),
        kind,
        query.session(),
        outcome,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        results,
        query.gremlin());
  }

  @Override
  public void refused(Caller caller, String request, Failure failure) {
    metrics.requestRefused(failure.kind());
    audit.write(caller, "refused", null, failure.kind() + ": " + failure.message(), 0, 0, request);
  }

  @Override
  public void loggedIn(String user, String address, boolean welcome) {
    metrics.loggedIn(welcome);
    audit.write(
        new Caller(user, address), "log-in", null, welcome ? "done" : "unauthorized", 0, 0, "");
  }

  @Override
  public void turnedAway(String address, String why) {
    metrics.requestRefused("turned-away");
    audit.write(new Caller("-", address), "turned-away", null, why, 0, 0, "");
  }
}
