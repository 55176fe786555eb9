package io.graphmeta.backup;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A backup: what it is of, and its files. Immutable. As text, with the SHA-256 of all lines before
 * it in the last one:
 *
 * <pre>
 *  manifest=1
 *  database=UUID                  database-format=3
 *  stamp=S                        taken-millis=MILLIS
 *  shards=4                       virtual-nodes=1024         placement=dido
 *  file=SHARD BYTES SHA-256 ORIGIN NAME
 *  ...
 *  checksum=SHA-256
 * </pre>
 *
 * each on a line of its own. Keys that are not known are passed over.
 *
 * @param name of the backup: the moment of its stamp
 * @param database what it is of
 * @param taken when it was taken, by the clock of the machine
 * @param files of the stores of all shards
 */
record BackupManifest(
    String name, BackedUpDatabase database, Instant taken, List<StoredFile> files) {
  static final String ENDING = ".manifest";

  private static final int VERSION = 1;
  private static final String CHECKSUM = "checksum=";
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  BackupManifest {
    files = List.copyOf(files);
  }

  /** The name of a backup at a stamp. */
  static String nameAt(long stamp) {
    return NAME.format(Stamp.instant(stamp));
  }

  /** The size of all files, in bytes. */
  long bytes() {
    return files.stream().mapToLong(file -> file.digest().bytes()).sum();
  }

  byte[] write() {
    StringBuilder text =
        new StringBuilder("# A backup of a GraphMeta database. Do not edit.\n")
            .append("manifest=" + VERSION + "\n")
            .append("database=" + database.identity() + "\n")
            .append("database-format=" + database.format() + "\n")
            .append("stamp=" + database.stamp() + "\n")
            .append("taken-millis=" + taken.toEpochMilli() + "\n")
            .append("shards=" + database.shards() + "\n")
            .append("virtual-nodes=" + database.virtualNodes() + "\n")
            .append("placement=" + database.placement() + "\n");
    for (StoredFile file : files) {
      text.append("file=")
          .append(file.shard() + " " + file.digest().bytes() + " " + file.digest().sha256() + " ")
          .append(file.origin() + " " + file.name() + "\n");
    }
    byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
    text.append(CHECKSUM + FileDigest.of(body).sha256() + "\n");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a manifest.
   *
   * @throws GraphMetaException {@code CORRUPTION} if it is not as it was written; {@code
   *     NEWER_FORMAT}
   */
  static BackupManifest read(Path file) throws IOException {
    return parse(file.toString(), Files.readAllBytes(file));
  }

  /**
   * As {@link #read(Path)}, of what was read.
   *
   * @param file its name, with or without directories
   */
  static BackupManifest parse(String file, byte[] bytes) {
    String name =
        file.substring(
            Math.max(file.lastIndexOf('/'), file.lastIndexOf(File.separatorChar)) + 1,
            file.length() - ENDING.length());
    String text = new String(bytes, StandardCharsets.ISO_8859_1); // a character for each byte
    int end = text.lastIndexOf("\n" + CHECKSUM) + 1;
    byte[] body = text.substring(0, end).getBytes(StandardCharsets.ISO_8859_1);
    if (end == 0 || !text.substring(end).equals(CHECKSUM + FileDigest.of(body).sha256() + "\n")) {
      throw damaged(file, "it does not have its checksum");
    }
    try {
      return read(name, file, new String(body, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
  }

  private static BackupManifest read(String name, String file, String body) {
    Map<String, String> fields = new HashMap<>();
    List<StoredFile> files = new ArrayList<>();
    for (String line : body.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (line.startsWith("#") || equals < 0) {
        continue;
      }
      String key = line.substring(0, equals);
      String value = line.substring(equals + 1);
      if (key.equals("file")) {
        files.add(file(value));
      } else {
        fields.put(key, value);
      }
    }
    if (number(fields, "manifest") > VERSION) {
      throw new GraphMetaException(
          ErrorCode.NEWER_FORMAT,
          file + " was written by a newer GraphMeta; use that, or another backup");
    }
    return new BackupManifest(
        name,
        new BackedUpDatabase(
            text(fields, "database"),
            (int) number(fields, "database-format"),
            number(fields, "stamp"),
            (int) number(fields, "shards"),
            (int) number(fields, "virtual-nodes"),
            text(fields, "placement")),
        Instant.ofEpochMilli(number(fields, "taken-millis")),
        files);
  }

  private static StoredFile file(String value) {
    String[] parts = value.split(" ", 5);
    if (!FileDigest.isSha256(parts[2])) {
      throw new IllegalArgumentException("'" + parts[2] + "' is no SHA-256");
    }
    return new StoredFile(
        Integer.parseInt(parts[0]),
        parts[4],
        new FileDigest(Long.parseLong(parts[1]), parts[2]),
        parts[3]);
  }

  private static String text(Map<String, String> fields, String key) {
    String value = fields.get(key);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + key);
    }
    return value;
  }

  private static long number(Map<String, String> fields, String key) {
    return Long.parseLong(text(fields, key));
  }

  private static GraphMetaException damaged(String file, String why) {
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "The backup in "
            + file
            + " is damaged: "
            + why
            + ". Use another backup; remove the file when it is no longer wanted");
  }
}
