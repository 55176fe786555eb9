package io.graphmeta.server.export;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random graph of the vocabulary whose paths, command lines and names are made of what quoting
 * goes wrong with. Every relation that a lineage can have occurs. Used by one thread.
 */
public final class HostileGraph {
  private static final List<String> PIECES =
      List.of(
          "\"",
          "'",
          "\\",
          "\\\"",
          "\\n",
          "\\N",
          "\n",
          "\r",
          "\t",
          "\"]",
          "\"];",
          "]]",
          "-->",
          "|",
          "<b>",
          "</b>",
          "<script>alert(1)</script>",
          "&amp;",
          "&",
          "&#34;",
          "#34;",
          "#quot;",
          ";",
          "%",
          "%%",
          "%22",
          "%0A",
          "{",
          "}",
          "{{",
          "}}",
          "(",
          ")",
          "`",
          "**",
          "_",
          "$",
          "@",
          "~",
          "#",
          "?",
          ":",
          "::",
          "é",
          "日本語",
          "😀",
          "\u202e",
          "\u200f",
          "ابج",
          "\u2028",
          "\u0007",
          "\u007f",
          "\u0085",
          "\u00a0",
          "end",
          "graph",
          "subgraph",
          "x->y",
          "--",
          "//",
          "*/",
          " ",
          "  ",
          ".",
          "-",
          "click",
          "ﬂ°",
          "¶ß",
          "<br/>",
          "=",
          "0",
          "file:",
          "prov:",
          "gm:",
          "_:");
  private static final long FIRST_MICROS = 1_763_000_000_000_000L;

  private final Random random;
  private final GraphTransaction tx;
  private final List<String> ids = new ArrayList<>();
  private final List<String> files = new ArrayList<>();
  private final Map<String, Long> keys = new LinkedHashMap<>();
  private long clock = FIRST_MICROS;
  private String newest = "";

  private HostileGraph(GraphTransaction tx, long seed) {
    this.tx = tx;
    this.random = new Random(seed);
  }

  /**
   * Writes a graph.
   *
   * @return ids to ask for: a file that was written last, one that was there first, a job
   */
  public static List<String> write(GraphDatabase database, long seed) {
    try (GraphTransaction tx = database.begin()) {
      HostileGraph graph = new HostileGraph(tx, seed);
      List<String> questions = graph.write();
      tx.commit();
      return questions;
    }
  }

  /** A text of pieces that are hard to write down. */
  public static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int pieces = 1 + random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
      if (random.nextBoolean()) {
        text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.toString();
  }

  private List<String> write() {
    String first = file();
    newest = first;
    String job = "";
    for (int round = 0; round < 3 + random.nextInt(4); round++) {
      String user = vertex(Vocabulary.USER, "user:" + text(random), Map.of());
      job = vertex(Vocabulary.JOB, "job:" + text(random), Map.of());
      edge(user, Vocabulary.RAN, job, Map.of());
      for (int i = 0; i <= random.nextInt(2); i++) {
        process(job);
      }
    }
    return List.of(newest, first, job);
  }

  private void process(String job) {
    clock += 1_000_000;
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Vocabulary.COMMAND_LINE, text(random) + " " + text(random).repeat(8));
    properties.put(Vocabulary.NAME, "run");
    properties.put(Vocabulary.START, time(clock));
    if (random.nextInt(5) > 0) {
      properties.put(Vocabulary.END, time(clock + 900_000));
    }
    String process = vertex(Vocabulary.PROCESS, job + "/" + text(random), properties);
    edge(job, Vocabulary.CONTAINS, process, Map.of());
    if (random.nextBoolean()) {
      String executable = vertex(Vocabulary.EXECUTABLE, "exe:" + text(random), Map.of());
      edge(process, Vocabulary.EXE, executable, Map.of(Vocabulary.START, time(clock)));
      edge(executable, Vocabulary.STORED_IN, file(), Map.of());
    }
    clock += 100_000;
    edge(process, Vocabulary.READ, newest, access(clock, "bytes"));
    edge(process, Vocabulary.READ, file(), access(clock, "opened"));
    clock += 100_000;
    switch (random.nextInt(3)) {
      case 0 -> {
        String target = file();
        Map<String, Object> rename = access(clock, "renamed");
        edge(process, Vocabulary.WROTE, target, rename);
        Map<String, Object> origin = new LinkedHashMap<>(rename);
        origin.put(Vocabulary.BY_PROCESS, process);
        edge(target, Vocabulary.RENAMED_FROM, newest, origin);
        newest = target;
      }
      case 1 -> {
        Map<String, Object> append = access(clock, "bytes");
        append.put(Vocabulary.APPENDED, true);
        edge(process, Vocabulary.WROTE, newest, append);
      }
      default -> write(job, process, properties);
    }
  }

  private void write(String job, String process, Map<String, Object> properties) {
    newest = file();
    switch (random.nextInt(4)) {
      case 0 -> {
        // What others of the job print goes through the opening of this one.
        edge(process, Vocabulary.WROTE, newest, access(clock, opening()));
        Map<String, Object> redirection = access(clock, "bytes");
        redirection.put(Vocabulary.BY_PROCESS, process);
        edge(job, Vocabulary.REDIRECTED, newest, redirection);
      }
      case 1, 2 -> {
        edge(process, Vocabulary.WROTE, newest, access(clock, "bytes"));
        // Another process opened it in the same microsecond.
        String other = vertex(Vocabulary.PROCESS, job + "/" + text(random), properties);
        edge(job, Vocabulary.CONTAINS, other, Map.of());
        edge(other, Vocabulary.WROTE, newest, access(clock, "bytes"));
      }
      default -> edge(process, Vocabulary.WROTE, newest, access(clock, "bytes"));
    }
  }

  private String opening() {
    return List.of("piped", "created", "bytes").get(random.nextInt(3));
  }

  private String file() {
    if (random.nextInt(8) == 0) {
      return vertex(Vocabulary.FILE, "darshan:" + random.nextLong(), Map.of());
    }
    String path = "/" + text(random).replaceFirst("/+$", "");
    while (!fits(path)) {
      path = "/x" + path.substring(1);
    }
    files.add(path);
    return vertex(Vocabulary.FILE, path, Map.of());
  }

  /** What lies above a file is a directory, and loaders call it so: no file is below another. */
  private boolean fits(String path) {
    return !path.endsWith("/")
        && files.stream()
            .noneMatch(
                other ->
                    (path + "/").startsWith(other + "/") || (other + "/").startsWith(path + "/"));
  }

  private String vertex(String label, String id, Map<String, Object> properties) {
    String own = keys.containsKey(id) ? id + ids.size() : id;
    Map<String, Object> all = new LinkedHashMap<>(properties);
    all.putIfAbsent(Vocabulary.NAME, text(random));
    ids.add(own);
    keys.put(own, tx.addVertex(own, label, all, Stamp.startOfMicros(clock)));
    return own;
  }

  private void edge(String from, String label, String to, Map<String, Object> properties) {
    long out = keys.getOrDefault(from, 0L);
    long in = keys.getOrDefault(to, 0L);
    tx.addEdge(null, out, label, in, properties, Stamp.startOfMicros(clock));
  }

  private static Map<String, Object> access(long micros, String evidence) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Vocabulary.START, time(micros));
    properties.put(Vocabulary.END, time(micros + 1_000));
    properties.put(Vocabulary.BYTES, evidence.equals("bytes") ? 10L : 0L);
    properties.put(Vocabulary.OPENS, 1L);
    properties.put(Vocabulary.EVIDENCE, evidence);
    return properties;
  }

  private static OffsetDateTime time(long micros) {
    return OffsetDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
  }
}
