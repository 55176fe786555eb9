package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;

/**
 * What another reader finds in logs, as the scripts in {@code src/test/python} wrote it: for each
 * log a line that begins with L and names it, and the lines behind it.
 */
final class ExpectedLogs {
  private ExpectedLogs() {}

  /** Says in the lines of the script what our reader finds in a log. */
  interface Description {
    List<String> of(Path folder, Path log) throws IOException;
  }

  /** One test for each log of a file of expectations, which has so many. */
  static Stream<DynamicTest> tests(
      String expectations, Path folder, int logCount, Description description) throws IOException {
    List<List<String>> logs = read(Fixtures.resource(expectations));
    assertThat(logs).hasSize(logCount);
    return logs.stream()
        .map(
            expected -> {
              String name = expected.get(0).split("\t", -1)[1];
              return dynamicTest(
                  name,
                  () ->
                      assertThat(description.of(folder, folder.resolve(name)))
                          .containsExactlyElementsOf(expected));
            });
  }

  private static List<List<String>> read(Path file) throws IOException {
    List<List<String>> logs = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("L\t")) {
          logs.add(new ArrayList<>());
        }
        logs.get(logs.size() - 1).add(line);
      }
    }
    return logs;
  }

  /** The metadata and the mounts of a job. */
  static void describe(DarshanJob job, List<String> lines) {
    job.metadata().forEach((key, value) -> lines.add(line("K", key, value)));
    job.mounts().stream()
        .sorted(Comparator.comparing(Mount::type).thenComparing(Mount::path))
        .forEach(mount -> lines.add(line("M", mount.type(), mount.path())));
  }

  static String line(String kind, Object... fields) {
    StringBuilder line = new StringBuilder(kind);
    for (Object field : fields) {
      line.append('\t')
          .append(field.toString().replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"));
    }
    return line.toString();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
