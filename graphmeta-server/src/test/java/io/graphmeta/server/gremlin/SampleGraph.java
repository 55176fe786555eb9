package io.graphmeta.server.gremlin;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.DatabaseLoad;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The sample campaign of the distribution, loaded. */
final class SampleGraph {
  private static final Path SAMPLE = Path.of("src/main/sample/campaign").toAbsolutePath();

  private SampleGraph() {}

  static void load(GraphDatabase database) throws IOException {
    List<Path> logs =
        DarshanIngest.logs(List.of(SAMPLE.resolve("logs"), SAMPLE.resolve("logs_partial")));
    try (DatabaseLoad load = new DatabaseLoad(database, SampleGraph::failed);
        SacctReader jobs = SacctReader.open(SAMPLE.resolve("sacct.txt"), SacctOptions.defaults())) {
      for (Path log : logs) {
        load.add(log.toString(), DarshanIngest.read(log, ProcessGranularity.JOB));
      }
      for (Optional<SacctRecord> job = jobs.next(); job.isPresent(); job = jobs.next()) {
        SacctIngest.account(job.get())
            .ifPresent(account -> load.add("job " + account.number(), account));
      }
      load.finish();
    }
  }

  private static void failed(String source, String reason) {
    throw new AssertionError(source + ": " + reason);
  }
}
