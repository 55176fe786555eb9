package io.graphmeta.server.cli.report;

import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.report.JobReport;
import io.graphmeta.server.report.ReportFile;
import io.graphmeta.server.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** All about one job on one page. */
@Command(
    name = "report",
    description = {
      "Writes all about one job as a page of HTML: its programs and when they ran, what it read and wrote and in which"
          + " versions, what rests on that, bytes by file and program. The page needs no network and no script."
    },
    footer = {"%nExample:%n  graphmeta report --db graph --html job.html 184251%n"})
public final class ReportCommand extends ViewQuestion {
  @Parameters(paramLabel = "JOB", description = "The number of a job, or its id, as job:184251.")
  private String job = "";

  @Option(
      names = "--html",
      paramLabel = "OUT",
      required = true,
      description = "The file to write. One that is there is replaced when the page is whole.")
  private Path file = Path.of("");

  @Override
  public Integer call() throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new NoSuchFileException(directory.toString());
    }
    if (Files.isDirectory(file)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--html " + file + " is a directory; expected the name of a file");
    }
    JobReport report;
    try (AskedGraph graph = open()) {
      String id = job.startsWith("job:") ? job : "job:" + job;
      String version = spec.root().version()[0];
      report = new JobQuestions(graph, view, id).report("Made by " + version + ".");
    }
    ReportFile.write(file, ReportPage.of(report));
    out()
        .printf(
            Locale.ROOT,
            "%s: %,d programs, %,d inputs, %,d outputs, %,d elements that rest on them%n",
            file,
            report.programs().size(),
            report.inputs().size(),
            report.outputs().size(),
            report.effects().size());
    if (report.partial()) {
      err().println("graphmeta: The report is partial: limits ended its lists");
    }
    return 0;
  }
}
