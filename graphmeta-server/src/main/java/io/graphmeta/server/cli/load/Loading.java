package io.graphmeta.server.cli.load;

import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.client.RemoteGraph;
import io.graphmeta.server.client.RemoteLoad;
import io.graphmeta.server.ingest.DatabaseLoad;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.RecordLoad;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;

/**
 * A load that a command makes, into a database that it opens or makes, or through a server; with
 * its progress, and with what it came to. Every source ends in this. Used by one thread.
 */
final class Loading implements AutoCloseable {
  private final PrintWriter out;
  private final boolean quiet;
  private final FailedSources failed;
  private final RecordLoad load;
  private final Runnable closing;
  private final Progress progress;
  private long done;

  private Loading(
      CommandLine line,
      FailedSources failed,
      RecordLoad load,
      Runnable closing,
      Progress progress) {
    this.out = line.getOut();
    this.quiet = Terminal.isQuiet(line.getCommandSpec());
    this.failed = failed;
    this.load = load;
    this.closing = closing;
    this.progress = progress;
  }

  /** Names what fails on standard error, and counts it. */
  private static final class FailedSources implements RecordLoad.Failures {
    private final PrintWriter err;
    private int count;

    FailedSources(PrintWriter err) {
      this.err = err;
    }

    void add(IOException failure) {
      count++;
      Failures.report(err, failure);
    }

    @Override
    public void failed(String source, String reason) {
      add(new IOException(source + ": " + reason));
    }
  }

  /**
   * Opens what the options name.
   *
   * @param doing what the progress is of
   * @param total how much there is to do; 0 if it is not known
   */
  static Loading into(NewGraphOptions target, CommandLine line, String doing, long total)
      throws IOException {
    FailedSources failed = new FailedSources(line.getErr());
    Progress progress =
        Terminal.detect(line.getCommandSpec()).progress(line.getErr(), doing, total);
    return target.openOrCreate(
        database ->
            new Loading(
                line, failed, new DatabaseLoad(database, failed), database::close, progress),
        server -> new Loading(line, failed, through(server, failed), server::close, progress));
  }

  private static RecordLoad through(RemoteGraph server, FailedSources failed) {
    try {
      return new RemoteLoad(server, failed);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Takes a record. */
  void add(String source, LoadRecord record) {
    load.add(source, record);
  }

  /** Something could not be read: it is named, and passed over. */
  void fail(IOException e) {
    failed.add(e);
  }

  /** One thing more is done. */
  void step() {
    progress.update(++done);
  }

  /**
   * Loads what is left and prints what all came to.
   *
   * @param things what was loaded
   * @param total how many there were; 0 if only now that is known
   * @return the exit code
   */
  int finish(String things, int total, boolean json) {
    LoadResult result = load.finish();
    progress.close();
    if (json) {
      new JsonLines.Line()
          .put("loaded", result.loaded())
          .put("unchanged", result.unchanged())
          .put("failed", failed.count)
          .put("vertices", result.vertices())
          .put("edges", result.edges())
          .print(out);
    } else if (!quiet) {
      out.printf(
          Locale.ROOT,
          "%,d %s: %,d loaded, %,d there already, %,d failed; %,d vertices and %,d edges added%n",
          total == 0 ? result.loaded() + result.unchanged() + failed.count : total,
          things,
          result.loaded(),
          result.unchanged(),
          failed.count,
          result.vertices(),
          result.edges());
    }
    return failed.count == 0 ? 0 : 1;
  }

  @Override
  public void close() {
    progress.close();
    load.close();
    closing.run();
  }
}
