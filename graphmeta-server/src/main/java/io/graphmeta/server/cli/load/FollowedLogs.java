package io.graphmeta.server.cli.load;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.ingest.ArrivingLogs;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.ProcessGranularity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/**
 * Loads Darshan logs as they come, until the process is told to end. The database, or the server,
 * is opened for each lot of new logs and closed after it, so that others can use the database
 * between. While it cannot be, the logs wait. Used by one thread; that of the JVM's end only says
 * so.
 */
final class FollowedLogs {
  /** How long the end waits for the log that is being loaded. */
  private static final long END_SECONDS = 60;

  private final NewGraphOptions target;
  private final CommandLine line;
  private final ProcessGranularity granularity;
  private final boolean json;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private String lastFailure = "";

  FollowedLogs(
      NewGraphOptions target, CommandLine line, ProcessGranularity granularity, boolean json) {
    this.target = target;
    this.line = line;
    this.granularity = granularity;
    this.json = json;
  }

  /** Follows until the process ends. */
  int follow(ArrivingLogs logs, int seconds) {
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end-of-following"));
    try {
      do {
        look(logs);
      } while (!ending.await(seconds, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
    return 0;
  }

  private void end() {
    ending.countDown();
    try {
      if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
        line.getErr()
            .println("graphmeta: A log is left half read; it will be loaded the next time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(ArrivingLogs logs) {
    try {
      logs.look(this::load);
      lastFailure = "";
    } catch (IOException | GraphMetaException e) {
      fail(e);
    }
  }

  /** Loads a lot; whether it was the whole. */
  private boolean load(List<Path> lot) throws IOException {
    try (Loading loading = Loading.into(target, line, "Loading logs", lot.size())) {
      int count = 0;
      for (Path log : lot) {
        if (ending.getCount() == 0) {
          break;
        }
        try {
          loading.add(log.toString(), DarshanIngest.read(log, granularity));
        } catch (IOException e) {
          loading.fail(e);
        }
        loading.step();
        count++;
      }
      loading.finish(count == 1 ? "log" : "logs", count, json);
      line.getOut().flush();
      return count == lot.size();
    }
  }

  /** What goes on failing in the same way is told once. */
  private void fail(Exception e) {
    String failure = String.valueOf(e.getMessage());
    if (!failure.equals(lastFailure)) {
      lastFailure = failure;
      Failures.report(line.getErr(), e);
    }
  }
}
