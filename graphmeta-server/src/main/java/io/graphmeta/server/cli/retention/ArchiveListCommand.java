package io.graphmeta.server.cli.retention;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.server.cli.output.JsonLines;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists archives. */
@Command(
    name = "list",
    description = "Lists the archives in a directory, oldest first.",
    footer = {"%nExamples:%n  graphmeta archive list /archives/graph%n"})
final class ArchiveListCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "ARCHIVES", description = "The directory of archives.")
  private Path archives = Path.of("");

  @Option(names = "--json", description = "One JSON object for each archive, on a line.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (Archive archive : new ArchiveDirectory(archives, FileOperations.ON_DISK).list()) {
      if (json) {
        JsonLines.printAnswer(out, ArchiveText.fields(archive));
      } else {
        out.println(ArchiveText.line(archive));
      }
    }
    return 0;
  }
}
