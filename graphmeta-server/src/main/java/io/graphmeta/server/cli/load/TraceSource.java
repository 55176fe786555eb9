package io.graphmeta.server.cli.load;

import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.ingest.RunTrace;
import io.graphmeta.server.ingest.trace.OpenLineageReader;
import io.graphmeta.server.ingest.trace.ProvReader;
import io.graphmeta.server.ingest.trace.TraceLimits;
import io.graphmeta.server.ingest.trace.TracedRun;
import io.graphmeta.time.Stamp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads what other tools wrote down of runs. */
abstract class TraceSource implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NewGraphOptions target = new NewGraphOptions();

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "The files.")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "The summary as one JSON object.")
  private boolean json;

  /** The runs that a file tells of; what of it cannot be taken is handed over. */
  abstract List<TracedRun> read(Path file, Consumer<IOException> failures) throws IOException;

  @Override
  public Integer call() throws IOException {
    try (Loading loading = Loading.into(target, spec.commandLine(), "Loading runs", 0)) {
      for (Path file : files) {
        try {
          for (TracedRun run : read(file, loading::fail)) {
            loading.add(file + ": " + run.id(), new RunTrace(run));
            loading.step();
          }
        } catch (IOException e) {
          loading.fail(e);
        }
      }
      return loading.finish("runs", 0, json);
    }
  }

  /** Events of OpenLineage. */
  @Command(
      name = "openlineage",
      description = {
        "Loads events of OpenLineage, one JSON object a line: what runs read and wrote. A run that is loaded already is"
            + " added what it lacks. A bad line is named and passed over, and the exit code is 1 then."
      },
      footer = {"%nExample:%n  graphmeta load openlineage --db graph events.jsonl%n"})
  static final class OpenLineage extends TraceSource {
    @Override
    List<TracedRun> read(Path file, Consumer<IOException> failures) throws IOException {
      return OpenLineageReader.read(file, TraceLimits.DEFAULT, failures);
    }
  }

  /** Documents of PROV-JSON. */
  @Command(
      name = "prov",
      description = {
        "Loads documents of PROV-JSON: activities as runs, entities as files. A run that is loaded already is added what"
            + " it lacks. A bad document is named and passed over, and the exit code is 1 then."
      },
      footer = {"%nExample:%n  graphmeta load prov --db graph workflow.json%n"})
  static final class Prov extends TraceSource {
    @Option(
        names = "--at",
        paramLabel = "T",
        converter = ViewOptions.Viewpoint.class,
        description =
            "When activities were of which a document tells no time. Without it, such a document is passed over.")
    private @Nullable Long untimed;

    @Override
    List<TracedRun> read(Path file, Consumer<IOException> failures) throws IOException {
      long micros = untimed == null ? 0 : Stamp.micros(untimed);
      return ProvReader.read(file, TraceLimits.DEFAULT, micros);
    }
  }
}
