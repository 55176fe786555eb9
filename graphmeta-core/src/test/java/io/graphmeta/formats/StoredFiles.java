package io.graphmeta.formats;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** The files of a database as one compressed file. */
public final class StoredFiles {
  private StoredFiles() {}

  /** Packs a directory, without the logs of RocksDB for people. */
  static void pack(Path directory, Path into) throws IOException {
    Files.createDirectories(into.getParent());
    try (Stream<Path> walk = Files.walk(directory);
        OutputStream file = Files.newOutputStream(into);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      List<Path> files =
          walk.filter(Files::isRegularFile).filter(StoredFiles::isKept).sorted().toList();
      zip.setLevel(9);
      for (Path each : files) {
        ZipEntry entry = new ZipEntry(directory.relativize(each).toString());
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(each, zip);
        zip.closeEntry();
      }
    }
  }

  private static boolean isKept(Path file) {
    String name = file.getFileName().toString();
    return !name.equals("LOCK") && !name.startsWith("LOG");
  }

  /** Unpacks a directory. */
  public static void unpack(Path packed, Path into) throws IOException {
    try (InputStream file = Files.newInputStream(packed);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException(entry.getName() + " lies outside of " + into);
        }
        Files.createDirectories(target.getParent());
        Files.copy(zip, target);
      }
    }
  }
}
