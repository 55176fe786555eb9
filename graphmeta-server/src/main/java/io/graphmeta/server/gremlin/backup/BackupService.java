package io.graphmeta.server.gremlin.backup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.gremlin.rules.CallerStrategy;
import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.WritingServices;
import io.graphmeta.server.settings.ServerSettings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValue;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * {@code graphmeta.backup}: begins a backup of the database that is served, and tells how it goes.
 * It takes longer than a request may; so nobody's request waits for it, and it goes on when the
 * client has gone. Safe for use by many threads.
 */
public final class BackupService implements Service.ServiceFactory<Object, Object> {
  private static final String DO = "do";
  private static final String TARGET = "target";
  private static final String RATE = "bytesPerSecond";
  private static final String ID = "id";
  private static final int MOST_TOLD = 16;

  private static final Map<String, String> PARAMETERS =
      Map.of(
          DO,
          "'start' a backup, or tell its 'status'.",
          TARGET,
          "With 'start': the directory of backups, below the one that the server is told.",
          RATE,
          "With 'start': how fast files are copied at most, in bytes a second; 0: as fast as may be.",
          ID,
          "With 'status': the backup, as 'start' has told it.");

  private final GraphDatabase database;
  private final BackupPlace place;

  /** The newest backups, by their ids. */
  @GuardedBy("this")
  private final Map<String, BackupRun> runs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, BackupRun> eldest) {
          return size() > MOST_TOLD;
        }
      };

  /** Backs up a database. */
  public BackupService(GraphDatabase database, ServerSettings settings) {
    this.database = database;
    this.place = BackupPlace.of(settings);
  }

  @Override
  public String getName() {
    return WritingServices.BACKUP;
  }

  @Override
  public Set<Service.Type> getSupportedTypes() {
    return EnumSet.of(Service.Type.Start);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Map describeParams() {
    return PARAMETERS;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Service<Object, Object> createService(boolean isStart, Map staticParameters) {
    if (!isStart) {
      throw GraphMetaException.invalid(getName() + " is called at the start of a traversal only");
    }
    return new Call();
  }

  private final class Call implements Service<Object, Object> {
    @Override
    public Type getType() {
      return Type.Start;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public CloseableIterator<Object> execute(ServiceCallContext context, Map given) {
      CallerStrategy asks =
          context.getTraversal().getStrategies().getStrategy(CallerStrategy.class).orElse(null);
      if (asks == null) {
        throw Refusal.forbidden(
            getName() + " is called by its name in the query, as 'graphmeta backup' does");
      }
      place.requireAdministrator(asks.caller().user());
      return CloseableIterator.of(List.<Object>of(answer(given)).iterator());
    }
  }

  private Map<String, Object> answer(Map<?, ?> given) {
    for (Object name : given.keySet()) {
      if (!PARAMETERS.containsKey(String.valueOf(name))) {
        throw GraphMetaException.invalid(
            "Parameter '"
                + Excerpt.of(String.valueOf(name))
                + "' of "
                + getName()
                + " is unknown; expected do, target, bytesPerSecond or id");
      }
    }
    return switch (text(given, DO)) {
      case "start" -> start(place.target(text(given, TARGET)), rate(given));
      case "status" -> status(text(given, ID));
      default ->
          throw GraphMetaException.invalid(
              "'"
                  + Excerpt.of(text(given, DO))
                  + "' cannot be done by "
                  + getName()
                  + "; expected start or status");
    };
  }

  private static String text(Map<?, ?> given, String name) {
    if (plain(given.get(name)) instanceof String text) {
      return text;
    }
    throw GraphMetaException.invalid(
        "Parameter '" + name + "' of " + WritingServices.BACKUP + " is missing, or no text");
  }

  private static long rate(Map<?, ?> given) {
    Object rate = plain(given.get(RATE));
    if (rate == null || rate instanceof Number) {
      return rate instanceof Number number ? number.longValue() : 0;
    }
    throw GraphMetaException.invalid(
        "Parameter '" + RATE + "' of " + WritingServices.BACKUP + " is no number");
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof GValue<?> variable ? variable.get() : value;
  }

  private synchronized Map<String, Object> start(Path target, long bytesPerSecond) {
    if (runs.values().stream().anyMatch(run -> !run.isOver())) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN, "Another backup of the database is being taken; try again later");
    }
    BackupRun run = new BackupRun(UUID.randomUUID().toString(), database, target, bytesPerSecond);
    runs.put(run.id(), run);
    Thread thread = new Thread(run, "graphmeta-backup");
    thread.setDaemon(true);
    thread.start();
    return run.state();
  }

  private synchronized Map<String, Object> status(String id) {
    BackupRun run = runs.get(id);
    if (run == null) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "This server knows of no backup '"
              + Excerpt.of(id)
              + "'; it may have been started again, and the backup cut off: see 'graphmeta backup list'");
    }
    return run.state();
  }
}
