package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.ingest.darshan.DarshanJob;
import io.graphmeta.server.ingest.darshan.DarshanLog;
import io.graphmeta.server.ingest.darshan.DarshanReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Loads Darshan logs. A log is known again by its content, whatever its name. Safe for use by many
 * threads, each of which may hold a log of the greatest size in memory.
 */
public final class DarshanIngest {
  private static final List<String> SUFFIXES = List.of(".darshan", ".darshan.gz", ".darshan.bz2");
  private static final int DIGEST_HEX_DIGITS = 12;

  private final RunIngest runs;
  private final ProcessGranularity granularity;

  /** Loads into a database. */
  public DarshanIngest(GraphDatabase database, ProcessGranularity granularity) {
    this.runs = new RunIngest(database);
    this.granularity = granularity;
  }

  /**
   * The logs among files and, below directories, those with the suffix {@code .darshan}, {@code
   * .darshan.gz} or {@code .darshan.bz2}, in the order of their names.
   *
   * @throws NoSuchFileException if a path does not exist
   */
  public static List<Path> logs(Collection<Path> paths) throws IOException {
    List<Path> logs = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        List<Path> below = new ArrayList<>();
        Files.walkFileTree(
            path,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && isLog(file)) {
                  below.add(file);
                }
                return FileVisitResult.CONTINUE;
              }
            });
        Collections.sort(below);
        logs.addAll(below);
      } else if (Files.exists(path)) {
        logs.add(path);
      } else {
        throw new NoSuchFileException(path.toString());
      }
    }
    return logs;
  }

  static boolean isLog(Path file) {
    return SUFFIXES.stream().anyMatch(file.toString()::endsWith);
  }

  /**
   * Loads one log in one transaction; a log that is there already changes nothing.
   *
   * @throws io.graphmeta.server.ingest.darshan.DarshanFormatException if the log is damaged, with
   *     file, offset and reason
   * @throws IOException if the log can't be read
   * @throws GraphMetaException if the graph does not take it; nothing is changed then
   */
  public LoadResult load(Path path) throws IOException {
    return runs.load(List.of(read(path, granularity)));
  }

  /**
   * What a log tells, for a load that takes it later or elsewhere.
   *
   * @throws io.graphmeta.server.ingest.darshan.DarshanFormatException if the log is damaged, with
   *     file, offset and reason
   * @throws IOException if the log can't be read
   */
  public static ProgramRun read(Path path, ProcessGranularity granularity) throws IOException {
    DarshanLog log = DarshanReader.read(path);
    DarshanJob job = log.job();
    LogUses uses = new LogUses(log, granularity == ProcessGranularity.RANK);
    return new ProgramRun(
        digest(path),
        String.valueOf(log.file().getFileName()),
        job.uid(),
        job.jobId(),
        job.executable(),
        job.commandLine(),
        job.processes(),
        job.startMicros(),
        job.endMicros(),
        job.start().getNano() == 0,
        job.slackMillis(),
        log.header().partial(),
        log.timeline(),
        List.copyOf(uses.uses()),
        List.copyOf(uses.renames()),
        Map.copyOf(uses.namesByHash()));
  }

  private static String digest(Path path) throws IOException {
    MessageDigest digest = Digests.sha256();
    try (InputStream in = Files.newInputStream(path)) {
      byte[] chunk = new byte[1 << 16];
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        digest.update(chunk, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_HEX_DIGITS);
    }
  }
}
