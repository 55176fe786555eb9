package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.NameForm;
import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the processes of a job did, added up by process and by file. Each access is told by its
 * first and its last moment, since the record has no more. Used once.
 */
final class JobUse {
  private static final int MOST_FILES = 1_000;
  private static final int MOST_ACCESSES = 100;

  private final Map<String, Program> programs = new LinkedHashMap<>();
  private final Map<String, Use> files = new LinkedHashMap<>();
  private final Use all = new Use();

  /** Sums over accesses. */
  private static final class Use {
    private long readBytes;
    private long writtenBytes;
    private long operations;
    private final Set<String> others = new LinkedHashSet<>();

    void add(boolean wrote, Values values, String other) {
      long bytes = values.numberOr0(Vocabulary.BYTES);
      if (wrote) {
        writtenBytes += bytes;
      } else {
        readBytes += bytes;
      }
      operations += values.numberOr0(Vocabulary.OPERATIONS);
      others.add(other);
    }

    long bytes() {
      return readBytes + writtenBytes;
    }

    void put(Members members) {
      members
          .put("readBytes", readBytes)
          .put("writtenBytes", writtenBytes)
          .put("operations", operations);
    }
  }

  private static final class Program {
    private final String id;
    private final Values values;
    private final Use use = new Use();
    private final List<Access> accesses = new ArrayList<>();

    Program(String id, Values values) {
      this.id = id;
      this.values = values;
    }

    long startMicros() {
      Long start = values.micros(Vocabulary.START);
      return start == null ? Long.MAX_VALUE : start;
    }
  }

  private record Access(String file, boolean wrote, Values values) {
    long startMicros() {
      Long start = values.micros(Vocabulary.START);
      return start == null ? Long.MAX_VALUE : start;
    }
  }

  void program(Map<String, Object> row) {
    String id = AnswerRow.text(row, "id");
    programs.put(id, new Program(id, new Values(row.get("properties"))));
  }

  void access(Map<String, Object> row) {
    Program program = programs.get(AnswerRow.text(row, "program"));
    if (program == null) {
      return;
    }
    String file = AnswerRow.text(row, "file");
    boolean wrote = AnswerRow.text(row, "label").equals(Vocabulary.WROTE);
    Values values = new Values(row.get("properties"));
    program.use.add(wrote, values, file);
    program.accesses.add(new Access(file, wrote, values));
    files.computeIfAbsent(file, key -> new Use()).add(wrote, values, program.id);
    all.add(wrote, values, file);
  }

  Map<String, Object> toMap() {
    List<Program> byStart = new ArrayList<>(programs.values());
    byStart.sort(
        Comparator.comparingLong(Program::startMicros).thenComparing(program -> program.id));
    List<Map.Entry<String, Use>> byBytes = new ArrayList<>(files.entrySet());
    byBytes.sort(
        Comparator.comparingLong((Map.Entry<String, Use> entry) -> -entry.getValue().bytes())
            .thenComparing(Map.Entry::getKey));
    Members members =
        new Members().put("processCount", programs.size()).put("fileCount", files.size());
    all.put(members);
    return members
        .list("processes", byStart.stream().map(JobUse::told).toList())
        .list("files", byBytes.stream().limit(MOST_FILES).map(JobUse::told).toList())
        .toMap();
  }

  private static Map<String, Object> told(Map.Entry<String, Use> file) {
    Members members =
        new Members().put("id", file.getKey()).put("text", VisibleText.of(file.getKey()));
    file.getValue().put(members);
    return members.put("processes", file.getValue().others.size()).toMap();
  }

  private static Map<String, Object> told(Program program) {
    Values values = program.values;
    String line = values.text(Vocabulary.COMMAND_LINE);
    String name = line.isEmpty() ? values.text(Vocabulary.NAME) : NameForm.program(line);
    program.accesses.sort(
        Comparator.comparingLong(Access::startMicros).thenComparing(Access::file));
    Members members =
        new Members()
            .put("id", program.id)
            .put("text", VisibleText.of(name.isEmpty() ? program.id : name))
            .put("commandLine", VisibleText.of(line))
            .put("startMicros", values.micros(Vocabulary.START))
            .put("endMicros", values.micros(Vocabulary.END))
            .put("ranks", values.number(Vocabulary.RANKS))
            .put("incomplete", Boolean.TRUE.equals(values.get(Vocabulary.INCOMPLETE)))
            .put("files", program.use.others.size())
            .put("accessCount", program.accesses.size());
    program.use.put(members);
    return members
        .list("accesses", program.accesses.stream().limit(MOST_ACCESSES).map(JobUse::told).toList())
        .toMap();
  }

  private static Map<String, Object> told(Access access) {
    return new Members()
        .put("file", access.file())
        .put("text", VisibleText.of(access.file()))
        .put("wrote", access.wrote())
        .put("startMicros", access.values().micros(Vocabulary.START))
        .put("endMicros", access.values().micros(Vocabulary.END))
        .put("bytes", access.values().numberOr0(Vocabulary.BYTES))
        .put("operations", access.values().numberOr0(Vocabulary.OPERATIONS))
        .put("opens", access.values().numberOr0(Vocabulary.OPENS))
        .toMap();
  }
}
