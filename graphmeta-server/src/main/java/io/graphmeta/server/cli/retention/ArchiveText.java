package io.graphmeta.server.cli.retention;

import io.graphmeta.archive.Archive;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Archives in words and as fields. */
final class ArchiveText {
  private ArchiveText() {}

  static String line(Archive archive) {
    return String.format(
        Locale.ROOT,
        "%s  database %s, up to %s, %,d versions in %,d bytes",
        archive.name(),
        archive.database(),
        Stamp.format(archive.watermark()),
        archive.rows(),
        archive.bytes());
  }

  static Map<String, Object> fields(Archive archive) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("archive", archive.name());
    fields.put("database", archive.database());
    fields.put("format", archive.format());
    fields.put("shards", archive.shards());
    fields.put("taken", JsonLines.isoTime(Stamp.epochMicros(archive.taken())));
    fields.put("watermark", Stamp.format(archive.watermark()));
    fields.put("versions", archive.rows());
    fields.put("versionBytes", archive.rowBytes());
    fields.put("files", archive.files().size());
    fields.put("bytes", archive.bytes());
    return fields;
  }
}
