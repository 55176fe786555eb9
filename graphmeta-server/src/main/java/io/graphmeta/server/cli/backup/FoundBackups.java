package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.server.cli.output.JsonLines;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints backups as they are found: those that are whole, and what is damaged. */
final class FoundBackups implements BackupReader.Findings {
  private final PrintWriter out;
  private final boolean json;
  private long backups;
  private long faults;

  FoundBackups(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  @Override
  public void backup(BackupSummary backup) {
    backups++;
    if (json) {
      JsonLines.printAnswer(out, BackupText.fields(backup));
    } else {
      out.println(BackupText.line(backup));
    }
  }

  @Override
  public void fault(String what) {
    faults++;
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("fault", what);
      JsonLines.printAnswer(out, fields);
    } else {
      out.println("fault: " + what);
    }
  }

  long backups() {
    return backups;
  }

  long faults() {
    return faults;
  }
}
