package io.graphmeta.archive;

import io.graphmeta.backup.FileDigest;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaName;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What went to an archive at one time. Immutable. As text, with the SHA-256 of all lines before it
 * in the last one:
 *
 * <pre>
 *  manifest=1
 *  database=UUID
 *  database-format=3
 *  shards=4
 *  taken-millis=MILLIS
 *  watermark=STAMP
 *  label=KIND ID STAMP
 *  name=KIND ID NAME
 *  file=SHARD FAMILY ROWS ROW-BYTES BYTES SHA-256
 *  ...
 *  checksum=SHA-256
 * </pre>
 *
 * Kinds of names are {@code vertex_label}, {@code edge_label} and {@code property_key}; a name is
 * encoded as in the query of a URL. Keys that are not known are passed over.
 *
 * @param name of the archive, and of its directory
 * @param database identity of the database that the rows were in
 * @param format version of the stored format of the rows
 * @param shards of the database
 * @param taken when it was written, by the clock of the machine
 * @param watermark the newest of the stamps below which rows went
 * @param labels of what went
 * @param names of all labels and property keys of the database, by which the rows can be read
 * @param files with the rows
 */
public record Archive(
    String name,
    String database,
    int format,
    int shards,
    Instant taken,
    long watermark,
    List<Label> labels,
    List<SchemaName> names,
    List<ArchivedRows> files) {
  static final String MANIFEST = "manifest";

  private static final int VERSION = 1;
  private static final String CHECKSUM = "checksum=";

  /**
   * A label of which rows went.
   *
   * @param kind whether it is one of vertices or of edges
   * @param id of the label
   * @param watermark the stamp below which they went
   */
  public record Label(NameKind kind, int id, long watermark) {}

  /** Copies what is given. */
  public Archive {
    labels = List.copyOf(labels);
    names = List.copyOf(names);
    files = List.copyOf(files);
  }

  /** Number of rows of all files. */
  public long rows() {
    return files.stream().mapToLong(ArchivedRows::rows).sum();
  }

  /** Keys and values of all rows, before compression. */
  public long rowBytes() {
    return files.stream().mapToLong(ArchivedRows::rowBytes).sum();
  }

  /** The size of all files, in bytes. */
  public long bytes() {
    return files.stream().mapToLong(file -> file.digest().bytes()).sum();
  }

  byte[] write() {
    StringBuilder text =
        new StringBuilder("# What retention has dropped of a GraphMeta database. Do not edit.\n")
            .append("manifest=" + VERSION + "\n")
            .append("database=" + database + "\n")
            .append("database-format=" + format + "\n")
            .append("shards=" + shards + "\n")
            .append("taken-millis=" + taken.toEpochMilli() + "\n")
            .append("watermark=" + watermark + "\n");
    for (Label label : labels) {
      text.append("label=" + word(label.kind) + " " + label.id + " " + label.watermark + "\n");
    }
    for (SchemaName name : names) {
      text.append("name=" + word(name.kind()) + " " + name.id() + " ")
          .append(URLEncoder.encode(name.name(), StandardCharsets.UTF_8) + "\n");
    }
    for (ArchivedRows file : files) {
      text.append("file=")
          .append(file.shard() + " " + file.family() + " " + file.rows() + " " + file.rowBytes())
          .append(" " + file.digest().bytes() + " " + file.digest().sha256() + "\n");
    }
    byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
    text.append(CHECKSUM + FileDigest.of(body).sha256() + "\n");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String word(NameKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static NameKind kind(String word) {
    return NameKind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /**
   * Reads the manifest of an archive.
   *
   * @throws GraphMetaException {@code CORRUPTION} if it is not as it was written; {@code
   *     NEWER_FORMAT}
   */
  static Archive read(Path directory) throws IOException {
    Path file = directory.resolve(MANIFEST);
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    int end = text.lastIndexOf("\n" + CHECKSUM) + 1;
    byte[] body = text.substring(0, end).getBytes(StandardCharsets.UTF_8);
    if (end == 0 || !text.substring(end).equals(CHECKSUM + FileDigest.of(body).sha256() + "\n")) {
      throw damaged(file, "it does not have its checksum");
    }
    try {
      return read(directory.getFileName().toString(), file, text.substring(0, end));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
  }

  private static Archive read(String name, Path file, String body) {
    Map<String, String> fields = new HashMap<>();
    List<Label> labels = new ArrayList<>();
    List<SchemaName> names = new ArrayList<>();
    List<ArchivedRows> files = new ArrayList<>();
    for (String line : body.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (line.startsWith("#") || equals < 0) {
        continue;
      }
      String value = line.substring(equals + 1);
      switch (line.substring(0, equals)) {
        case "label" -> labels.add(label(value.split(" ", 3)));
        case "name" -> names.add(name(value.split(" ", 3)));
        case "file" -> files.add(file(value));
        default -> fields.put(line.substring(0, equals), value);
      }
    }
    if (number(fields, "manifest") > VERSION) {
      throw new GraphMetaException(
          ErrorCode.NEWER_FORMAT,
          file + " was written by a newer GraphMeta; use that to read the archive");
    }
    return new Archive(
        name,
        fields.getOrDefault("database", ""),
        (int) number(fields, "database-format"),
        (int) number(fields, "shards"),
        Instant.ofEpochMilli(number(fields, "taken-millis")),
        number(fields, "watermark"),
        labels,
        names,
        files);
  }

  private static Label label(String[] parts) {
    return new Label(kind(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
  }

  private static SchemaName name(String[] parts) {
    String name = URLDecoder.decode(parts[2], StandardCharsets.UTF_8);
    return new SchemaName(kind(parts[0]), Integer.parseInt(parts[1]), name, false);
  }

  private static ArchivedRows file(String value) {
    String[] parts = value.split(" ", 6);
    if (!FileDigest.isSha256(parts[5])) {
      throw new IllegalArgumentException("'" + parts[5] + "' is no SHA-256");
    }
    return new ArchivedRows(
        Integer.parseInt(parts[0]),
        parts[1],
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        new FileDigest(Long.parseLong(parts[4]), parts[5]));
  }

  private static long number(Map<String, String> fields, String key) {
    String value = fields.get(key);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + key);
    }
    return Long.parseLong(value);
  }

  private static GraphMetaException damaged(Path file, String why) {
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "The archive of " + file + " is damaged: " + why + "; use a copy of it");
  }
}
