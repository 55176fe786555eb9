package io.graphmeta.server.cli.demo;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.DatabaseLoad;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The sample campaign that comes with the distribution. Used by one thread. */
public final class SampleCampaign {
  private static final String HOME = "graphmeta.home";

  private final Path directory;

  private SampleCampaign(Path directory) {
    this.directory = directory;
  }

  /** The sample of the distribution. */
  public static SampleCampaign find() {
    String home = System.getProperty(HOME);
    Path sample = Path.of(home == null ? "." : home, "sample", "campaign");
    if (!Files.isDirectory(sample)) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There is no sample at "
              + sample.toAbsolutePath()
              + "; run bin/graphmeta of the distribution, which brings it along");
    }
    return new SampleCampaign(sample);
  }

  /** Loads it; what is there already stays as it is. */
  public LoadResult load(GraphDatabase database, Terminal terminal, PrintWriter err)
      throws IOException {
    List<Path> logs =
        DarshanIngest.logs(List.of(directory.resolve("logs"), directory.resolve("logs_partial")));
    try (DatabaseLoad load = new DatabaseLoad(database, SampleCampaign::failed);
        Progress progress = terminal.progress(err, "Loading logs", logs.size());
        SacctReader jobs =
            SacctReader.open(directory.resolve("sacct.txt"), SacctOptions.defaults())) {
      for (int i = 0; i < logs.size(); i++) {
        load.add(logs.get(i).toString(), DarshanIngest.read(logs.get(i), ProcessGranularity.JOB));
        progress.update(i + 1);
      }
      for (Optional<SacctRecord> job = jobs.next(); job.isPresent(); job = jobs.next()) {
        SacctIngest.account(job.get())
            .ifPresent(account -> load.add("job " + account.number(), account));
      }
      return load.finish();
    }
  }

  private static void failed(String source, String reason) {
    throw new GraphMetaException(
        ErrorCode.INTERNAL, "The sample cannot be loaded: " + source + ": " + reason);
  }
}
