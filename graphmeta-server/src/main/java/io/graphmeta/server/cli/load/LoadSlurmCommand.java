package io.graphmeta.server.cli.load;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.addV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.unfold;

import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.ingest.accounting.SacctProcess;
import io.graphmeta.time.Stamp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Loads the accounting of Slurm as {@code sacct} tells it. Up to when it was asked is kept in the
 * graph, as a property of a vertex for the source; the next time it is asked from a while before
 * that, for jobs of which Slurm had not been told in time. A job that ran then and has ended since
 * was in some state after that time, and so is told again.
 */
@Command(
    name = "slurm",
    description = {
      "Asks Slurm's sacct for the jobs since the last time, and loads them. The first time, --since says from when on. A"
          + " bad line is named and passed over, and the exit code is 1 then."
    },
    footer = {
      "%nExamples:%n  graphmeta load slurm --db graph --since 2026-11-01%n"
          + "  graphmeta load slurm --connect localhost:8182%n"
    })
final class LoadSlurmCommand implements Callable<Integer> {
  private static final String SOURCE = "source:slurm";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NewGraphOptions target = new NewGraphOptions();

  @Option(
      names = "--since",
      paramLabel = "T",
      converter = ViewOptions.Viewpoint.class,
      description = "Ask from T on, whatever was asked before.")
  private @Nullable Long since;

  @Option(
      names = "--overlap",
      paramLabel = "MINUTES",
      defaultValue = "60",
      description =
          "Ask from so long before the last time, for what Slurm learned of late. Default: ${DEFAULT-VALUE}.")
  private int overlapMinutes = 60;

  @Option(
      names = "--sacct",
      paramLabel = "PROGRAM",
      defaultValue = "sacct",
      description = "The program to ask. Default: ${DEFAULT-VALUE}, as found on the PATH.")
  private String sacct = "sacct";

  @Option(names = "--json", description = "The summary as one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (overlapMinutes < 0) {
      throw usage("--overlap " + overlapMinutes + "; expected minutes, 0 or more");
    }
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Instant from = from(now);
    int exitCode;
    try (SacctProcess asked = SacctProcess.start(sacct, from, now)) {
      try (Loading loading = Loading.into(target, spec.commandLine(), "Loading jobs", 0)) {
        LoadAccountingCommands.addAll(asked, sacct, loading);
        exitCode = loading.finish("jobs", 0, json);
      }
      asked.finish();
    }
    remember(now);
    return exitCode;
  }

  private Instant from(Instant now) throws IOException {
    if (since != null) {
      return Instant.EPOCH.plus(Stamp.micros(since), ChronoUnit.MICROS);
    }
    Instant last = lastAsked();
    if (last == null) {
      throw usage(
          "This graph has not asked Slurm before; expected --since T, the time to begin with");
    }
    return (last.isBefore(now) ? last : now).minus(Duration.ofMinutes(overlapMinutes));
  }

  private @Nullable Instant lastAsked() throws IOException {
    if (target.isNew()) {
      return null;
    }
    try (AskedGraph graph = target.open()) {
      try {
        List<Object> times =
            graph
                .source(new ViewOptions(), false)
                .V(SOURCE)
                .values(Vocabulary.ASKED_UNTIL)
                .toList();
        return !times.isEmpty() && times.get(0) instanceof OffsetDateTime time
            ? time.toInstant()
            : null;
      } catch (RuntimeException e) {
        throw graph.told(e);
      }
    }
  }

  private void remember(Instant until) throws IOException {
    try (AskedGraph graph = target.open(true)) {
      try {
        graph
            .source(new ViewOptions(), true)
            .V(SOURCE)
            .fold()
            .coalesce(unfold(), addV(Vocabulary.SOURCE).property(T.id, SOURCE))
            .property(
                VertexProperty.Cardinality.single,
                Vocabulary.ASKED_UNTIL,
                until.atOffset(ZoneOffset.UTC))
            .iterate();
        graph.commit();
      } catch (RuntimeException e) {
        throw graph.told(e);
      }
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
