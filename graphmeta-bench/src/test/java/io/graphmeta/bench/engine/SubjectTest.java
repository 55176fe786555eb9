package io.graphmeta.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bench.workload.Elements;
import io.graphmeta.storage.Family;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksIterator;

/** The subjects of a comparison do the same work. */
class SubjectTest {
  private static final int VERTICES = 50;

  private final Elements elements = new Elements(VERTICES, 128, 42);

  @TempDir private Path directory;

  @Test
  void everySubjectReadsBackWhatWasWritten() throws IOException {
    List<Subject> subjects =
        List.of(
            new RawSubject(directory.resolve("raw"), false, elements),
            new EngineSubject(directory.resolve("engine"), true, elements),
            GremlinSubject.tinkerGraph(elements));
    for (Subject subject : subjects) {
      try (subject) {
        write(subject);
        subject.mergeFiles();
        try (Subject.Reader reader = subject.reader()) {
          for (int number = 0; number < VERTICES; number++) {
            assertThat(reader.readVertex(number)).isGreaterThanOrEqualTo(128);
          }
          assertThat(reader.scan(new int[] {0})).isEqualTo(VERTICES - 1);
          assertThat(reader.scan(new int[] {1, 0, 2})).isEqualTo(VERTICES);
          assertThat(reader.scan(new int[] {3})).isZero();
        }
      }
    }
  }

  @Test
  void rawRowsHaveTheBytesOfTheEngine() throws IOException {
    Path raw = directory.resolve("raw");
    Path engine = directory.resolve("engine");
    try (Subject subject = new RawSubject(raw, false, elements)) {
      write(subject);
    }
    try (Subject subject = new EngineSubject(engine, true, elements)) {
      write(subject);
    }
    for (Family family : List.of(Family.IDS, Family.ATTRIBUTES, Family.OUT, Family.IN)) {
      assertThat(rows(raw, family))
          .as("rows of %s", family)
          .isEqualTo(rows(engine.resolve("shard-0"), family));
    }
  }

  private static void write(Subject subject) throws IOException {
    try (Subject.Writer writer = subject.writer()) {
      writer.addVertex(0);
      writer.commit();
      for (int number = 1; number < VERTICES; number++) {
        writer.addHotEdge(number);
        writer.commit();
      }
      writer.addEdge(1, 2, VERTICES);
      writer.commit();
    }
  }

  /**
   * Lengths of keys and bytes of values in any order; for ids, the keys, for values hold vertex
   * keys.
   */
  private static List<String> rows(Path store, Family family) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RawStore open = new RawStore(store, 8, false);
        RocksIterator all = open.allRows(family)) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        rows.add(
            family == Family.IDS
                ? HexFormat.of().formatHex(all.key()) + " " + all.value().length
                : all.key().length + " " + HexFormat.of().formatHex(all.value()));
      }
    }
    String[] sorted = rows.toArray(String[]::new);
    Arrays.sort(sorted);
    return List.of(sorted);
  }
}
