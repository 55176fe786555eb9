package io.graphmeta.server.cli.report;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.coalesce;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.constant;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.id;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.identity;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.label;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.values;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.cli.lineage.LineageText;
import io.graphmeta.server.report.JobReport;
import io.graphmeta.server.report.JobReport.Effect;
import io.graphmeta.server.report.JobReport.Program;
import io.graphmeta.server.report.JobReport.Use;
import io.graphmeta.server.report.JobReport.Version;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/** Asks a graph for all that a report of a job tells. Used by one thread. */
final class JobQuestions {
  /** Most programs, accesses and elements of lineage that are asked for. */
  static final int MAX_PROGRAMS = 10_000;

  static final int MAX_USES = 200_000;
  private static final int MAX_EFFECTS = 10_000;

  /** From the job to its programs, what they read, and the files of executables. */
  private static final int INPUT_DEPTH = 3;

  private static final Map<String, String> FACTS = new LinkedHashMap<>();

  static {
    FACTS.put(Vocabulary.STATE, "State");
    FACTS.put(Vocabulary.EXIT_CODE, "Exit code");
    FACTS.put(Vocabulary.ACCOUNT, "Account");
    FACTS.put(Vocabulary.PARTITION, "Partition");
    FACTS.put(Vocabulary.NODES, "Nodes");
    FACTS.put(Vocabulary.TASKS, "Tasks");
    FACTS.put(Vocabulary.SUBMIT, "Submitted");
    FACTS.put(Vocabulary.START, "Started");
    FACTS.put(Vocabulary.END, "Ended");
    FACTS.put(Vocabulary.WORK_DIR, "Directory");
    FACTS.put(Vocabulary.SUBMIT_LINE, "Submitted by");
  }

  private final AskedGraph graph;
  private final ViewOptions view;
  private final String job;
  private boolean partial;

  JobQuestions(AskedGraph graph, ViewOptions view, String job) {
    this.graph = graph;
    this.view = view;
    this.job = job;
  }

  /**
   * The report.
   *
   * @param maker what makes it
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such job in the view
   */
  JobReport report(String maker) {
    List<Map<Object, Object>> jobs =
        ask(g -> g.V(job).hasLabel(Vocabulary.JOB).elementMap()).stream().map(Map::copyOf).toList();
    if (jobs.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There is no job '" + job + "'; expected the id of a job, as job:184251, or its number");
    }
    Map<Object, Object> properties = jobs.get(0);
    Map<String, String> facts = new LinkedHashMap<>();
    FACTS.forEach(
        (key, shown) -> {
          if (properties.containsKey(key)) {
            facts.put(shown, fact(properties.get(key)));
          }
        });
    List<Program> programs = programs();
    Set<String> own = new HashSet<>();
    programs.forEach(program -> own.add(program.id()));
    List<Use> uses = uses(own);
    List<Version> inputs = inputs(own);
    Rest rest = rest(own);
    return new JobReport(
        job,
        text(properties, Vocabulary.NAME),
        user(),
        facts,
        programs,
        uses,
        inputs,
        rest.outputs(),
        rest.effects(),
        partial,
        view.asOfText() == null ? "as known when this page was made" : "as of " + view.asOfText(),
        maker);
  }

  private static String fact(@Nullable Object value) {
    return value instanceof OffsetDateTime
        ? LineageText.time(AnswerRow.micros(value))
        : String.valueOf(value);
  }

  private <T> List<T> ask(Function<GraphTraversalSource, GraphTraversal<?, T>> question) {
    try {
      return question.apply(graph.source(view, false)).toList();
    } catch (RuntimeException e) {
      throw graph.told(e);
    }
  }

  private <T> List<T> upTo(
      int most, Function<GraphTraversalSource, GraphTraversal<?, T>> question) {
    List<T> found = ask(g -> question.apply(g).limit(most + 1L));
    partial |= found.size() > most;
    return found.subList(0, Math.min(most, found.size()));
  }

  private String user() {
    List<Map<Object, Object>> users = ask(g -> g.V(job).in(Vocabulary.RAN).elementMap());
    if (users.isEmpty()) {
      return "";
    }
    String name = text(users.get(0), Vocabulary.NAME);
    return name.isEmpty() ? String.valueOf(users.get(0).get(T.id)) : name;
  }

  private static GraphTraversal<?, Vertex> processes(GraphTraversalSource g, String job) {
    return g.V(job).out(Vocabulary.CONTAINS).hasLabel(Vocabulary.PROCESS);
  }

  private List<Program> programs() {
    List<Program> programs = new ArrayList<>();
    List<Map<Object, Object>> found = upTo(MAX_PROGRAMS, g -> processes(g, job).elementMap());
    for (Map<Object, Object> each : found) {
      programs.add(
          new Program(
              String.valueOf(each.get(T.id)),
              text(each, Vocabulary.NAME),
              text(
                  each,
                  each.containsKey(Vocabulary.COMMAND_LINE)
                      ? Vocabulary.COMMAND_LINE
                      : Vocabulary.NAME),
              AnswerRow.micros(each.get(Vocabulary.START)),
              AnswerRow.micros(each.get(Vocabulary.END)),
              number(each.get(Vocabulary.RANKS)),
              Boolean.TRUE.equals(each.get(Vocabulary.INCOMPLETE)),
              each.get(Vocabulary.SPAN_SECONDS) instanceof Number seconds
                  ? seconds.doubleValue()
                  : 0,
              spans(each.get(Vocabulary.READ_BY_SPAN)),
              spans(each.get(Vocabulary.WRITTEN_BY_SPAN))));
    }
    programs.sort(Comparator.comparingLong(Program::startMicros).thenComparing(Program::id));
    return programs;
  }

  private static List<Long> spans(@Nullable Object value) {
    List<Long> spans = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(each -> spans.add(number(each)));
    }
    return spans;
  }

  private List<Use> uses(Set<String> own) {
    Map<String, String> programOfRank = new HashMap<>();
    List<Map<String, Object>> ranks =
        upTo(
            MAX_USES,
            g ->
                processes(g, job)
                    .where(out(Vocabulary.CONTAINS).hasLabel(Vocabulary.PROCESS))
                    .<Object>project("program", "ranks")
                    .by(id())
                    .by(out(Vocabulary.CONTAINS).hasLabel(Vocabulary.PROCESS).id().fold()));
    for (Map<String, Object> program : ranks) {
      for (Object rank : (List<?>) program.getOrDefault("ranks", List.of())) {
        programOfRank.put(String.valueOf(rank), AnswerRow.text(program, "program"));
      }
    }
    own.addAll(programOfRank.keySet());
    List<Use> uses = new ArrayList<>();
    List<Map<String, Object>> accesses =
        upTo(
            MAX_USES,
            g ->
                processes(g, job)
                    .union(identity(), out(Vocabulary.CONTAINS).hasLabel(Vocabulary.PROCESS))
                    .outE(Vocabulary.READ, Vocabulary.WROTE)
                    .<Object>project("process", "file", "label", "bytes", "operations")
                    .by(outV().id())
                    .by(inV().id())
                    .by(label())
                    .by(coalesce(values(Vocabulary.BYTES), constant(0L)))
                    .by(coalesce(values(Vocabulary.OPERATIONS), constant(0L))));
    for (Map<String, Object> access : accesses) {
      String process = AnswerRow.text(access, "process");
      uses.add(
          new Use(
              programOfRank.getOrDefault(process, process),
              AnswerRow.text(access, "file"),
              AnswerRow.text(access, "label").equals(Vocabulary.WROTE),
              number(access.get("bytes")),
              number(access.get("operations"))));
    }
    return uses;
  }

  private List<Map<String, Object>> lineage(String direction, int depth, int limit) {
    Map<String, Object> parameters =
        new LinkedHashMap<>(
            Map.of("id", job, "direction", direction, "result", "maps", "limit", limit));
    if (depth > 0) {
      parameters.put("depth", depth);
    }
    List<Map<String, Object>> rows = graph.call(view, "graphmeta.lineage", parameters);
    partial |= depth == 0 && rows.stream().anyMatch(row -> row.containsKey("partial"));
    return rows;
  }

  /** Versions from elsewhere that programs of the job read or ran. */
  private List<Version> inputs(Set<String> own) {
    List<Version> inputs = new ArrayList<>();
    for (Map<String, Object> row : lineage("backward", INPUT_DEPTH, MAX_USES / 2)) {
      boolean used =
          own.contains(AnswerRow.text(row, "from"))
              || AnswerRow.text(row, "relation").equals(Vocabulary.STORED_IN);
      if (isFile(row) && used && !own.contains(AnswerRow.text(row, "writer"))) {
        inputs.add(version(row));
      }
    }
    inputs.sort(Comparator.comparing(Version::file).thenComparing(Version::beganMicros));
    return inputs;
  }

  private record Rest(List<Version> outputs, List<Effect> effects) {}

  private Rest rest(Set<String> own) {
    List<Version> outputs = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    for (Map<String, Object> row : lineage("forward", 0, MAX_EFFECTS)) {
      String id = AnswerRow.text(row, "id");
      if (isFile(row) && own.contains(AnswerRow.text(row, "writer"))) {
        outputs.add(version(row));
      } else if (isFile(row)
          || AnswerRow.text(row, "label").equals(Vocabulary.PROCESS) && !own.contains(id)) {
        effects.add(effect(row, id));
      }
    }
    outputs.sort(Comparator.comparing(Version::file).thenComparing(Version::beganMicros));
    return new Rest(outputs, effects);
  }

  private static boolean isFile(Map<String, Object> row) {
    return AnswerRow.text(row, "label").equals(Vocabulary.FILE);
  }

  private static Version version(Map<String, Object> row) {
    boolean initial = AnswerRow.text(row, "version").equals("initial");
    return new Version(
        AnswerRow.text(row, "id"),
        initial ? 0 : AnswerRow.micros(row.get("valid")),
        AnswerRow.text(row, "fate"),
        AnswerRow.text(row, "writer"),
        AnswerRow.doubts(row));
  }

  private static Effect effect(Map<String, Object> row, String id) {
    return new Effect(
        id,
        AnswerRow.text(row, "label"),
        AnswerRow.text(row, "description"),
        AnswerRow.micros(row.get("valid")),
        AnswerRow.text(row, "fate"),
        AnswerRow.text(row, "relation"),
        (int) number(row.get("depth")),
        AnswerRow.doubts(row));
  }

  private static String text(Map<Object, Object> properties, String key) {
    return String.valueOf(properties.getOrDefault(key, ""));
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? Math.max(0, number.longValue()) : 0;
  }
}
