package io.graphmeta.server.cli.demo;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.ingest.DarshanIngest;
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
import java.util.ArrayList;
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
    LoadResult result = LoadResult.NONE;
    List<Path> logs =
        DarshanIngest.logs(List.of(directory.resolve("logs"), directory.resolve("logs_partial")));
    DarshanIngest ingest = new DarshanIngest(database, ProcessGranularity.JOB);
    try (Progress progress = terminal.progress(err, "Loading logs", logs.size())) {
      for (int i = 0; i < logs.size(); i++) {
        result = result.plus(ingest.load(logs.get(i)));
        progress.update(i + 1);
      }
    }
    List<SacctRecord> jobs = new ArrayList<>();
    try (SacctReader reader =
        SacctReader.open(directory.resolve("sacct.txt"), SacctOptions.defaults())) {
      for (Optional<SacctRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
        jobs.add(next.get());
      }
    }
    return result.plus(new SacctIngest(database).load(jobs));
  }
}
