package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Backups in words and as fields. */
final class BackupText {
  private BackupText() {}

  /** What is known of a backup wherever it is named. */
  static Map<String, Object> fields(BackupSummary backup) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("backup", backup.name());
    fields.put("stamp", Stamp.format(backup.database().stamp()));
    fields.put("taken", JsonLines.isoTime(Stamp.epochMicros(backup.taken())));
    fields.put("database", backup.database().identity());
    fields.put("format", backup.database().format());
    fields.put("shards", backup.database().shards());
    fields.put("files", backup.files());
    fields.put("bytes", backup.bytes());
    return fields;
  }

  static String line(BackupSummary backup) {
    return String.format(
        Locale.ROOT,
        "%s  database %s, %s, %s",
        backup.name(),
        backup.database().identity(),
        counted(backup.database().shards(), "shard"),
        size(backup.files(), backup.bytes()));
  }

  static String size(int files, long bytes) {
    return String.format(Locale.ROOT, "%s with %,d bytes", counted(files, "file"), bytes);
  }

  static String counted(long number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
