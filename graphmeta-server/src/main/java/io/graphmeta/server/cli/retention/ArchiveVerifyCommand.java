package io.graphmeta.server.cli.retention;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.server.cli.output.JsonLines;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies archives. */
@Command(
    name = "verify",
    description =
        "Reads every byte of the archives in a directory and compares it with what was written. Names each file that is"
            + " damaged or missing. Exit code 1 if there is one.",
    footer = {"%nExamples:%n  graphmeta archive verify /archives/graph%n"})
final class ArchiveVerifyCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "ARCHIVES", description = "The directory of archives.")
  private Path archives = Path.of("");

  @Option(names = "--json", description = "One JSON object for each archive, on a line.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    ArchiveDirectory directory = new ArchiveDirectory(archives, FileOperations.ON_DISK);
    int damaged = 0;
    List<Archive> all = directory.list();
    for (Archive archive : all) {
      List<String> faults = directory.faults(archive);
      damaged += faults.isEmpty() ? 0 : 1;
      if (json) {
        Map<String, Object> fields = new LinkedHashMap<>(ArchiveText.fields(archive));
        fields.put("faults", faults);
        JsonLines.printAnswer(out, fields);
      } else {
        faults.forEach(fault -> out.println("fault: " + fault));
      }
    }
    if (!json) {
      out.printf(Locale.ROOT, "archives: %,d whole, %,d damaged%n", all.size() - damaged, damaged);
    }
    return damaged == 0 ? 0 : 1;
  }
}
