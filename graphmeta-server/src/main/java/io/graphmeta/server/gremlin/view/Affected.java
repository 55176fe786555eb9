package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.ElementKey;
import io.graphmeta.provenance.folding.NameForm;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Who is affected by a version of a file: users, their jobs, and what these wrote. Used once. */
final class Affected {
  private static final int MOST_JOBS = 2_000;
  private static final int MOST_FILES = 50;
  private static final String UNKNOWN = "";

  private final Lineage lineage;
  private final Map<Integer, Set<Integer>> jobs = new HashMap<>();
  private final Map<Integer, Set<Integer>> users = new HashMap<>();
  private final Map<Integer, Set<Integer>> files = new HashMap<>();

  /** What one job did with what is affected. Positions are those of the lineage. */
  private record Row(int job, Set<Integer> processes, Set<Integer> files) {}

  Affected(Lineage lineage) {
    this.lineage = lineage;
    for (Lineage.Link link : lineage.links()) {
      switch (link.relation()) {
        case Vocabulary.CONTAINS -> belongs(jobs, link, Vocabulary.JOB);
        case Vocabulary.RAN -> belongs(users, link, Vocabulary.USER);
        case Vocabulary.WROTE, Vocabulary.REDIRECTED ->
            files.computeIfAbsent(link.from(), from -> new LinkedHashSet<>()).add(link.to());
        default -> {}
      }
    }
  }

  private void belongs(Map<Integer, Set<Integer>> owners, Lineage.Link link, String label) {
    boolean farOwns = node(link.to()).label().equals(label);
    if (farOwns || node(link.from()).label().equals(label)) {
      owners
          .computeIfAbsent(farOwns ? link.from() : link.to(), from -> new LinkedHashSet<>())
          .add(farOwns ? link.to() : link.from());
    }
  }

  private LineageNode node(int position) {
    return lineage.nodes().get(position);
  }

  Map<String, Object> toMap() {
    Map<Integer, Row> rows = new LinkedHashMap<>();
    Set<Integer> processes = new LinkedHashSet<>();
    Set<Integer> written = new LinkedHashSet<>();
    for (LineageNode node : lineage.nodes()) {
      if (node.index() == 0) {
        continue;
      }
      if (node.label().equals(Vocabulary.PROCESS)) {
        processes.add(node.index());
        for (int job : jobs.getOrDefault(node.index(), Set.of(-1))) {
          Row row =
              rows.computeIfAbsent(
                  job, key -> new Row(key, new LinkedHashSet<>(), new LinkedHashSet<>()));
          row.processes().add(node.index());
          row.files().addAll(files.getOrDefault(node.index(), Set.of()));
          // What a shell opened for the output of its programs is told of its job.
          row.files().addAll(files.getOrDefault(job, Set.of()));
        }
      } else if (node.fate() != null) {
        written.add(node.index());
      }
    }
    Set<String> names = new TreeSet<>();
    rows.keySet().forEach(job -> names.addAll(users(job)));
    List<Row> sorted = new ArrayList<>(rows.values());
    sorted.sort(
        Comparator.comparing((Row row) -> String.join(", ", users(row.job())))
            .thenComparing(row -> row.job() < 0 ? 0L : node(row.job()).versionMicros())
            .thenComparing(Row::job));
    return new Members()
        .put("users", names.size())
        .put("jobs", rows.keySet().stream().filter(job -> job >= 0).count())
        .put("processes", processes.size())
        .put("files", written.size())
        .put("currentFiles", written.stream().filter(this::isCurrent).count())
        .put("moreJobs", sorted.size() > MOST_JOBS ? sorted.size() - MOST_JOBS : null)
        .list("rows", sorted.stream().limit(MOST_JOBS).map(this::row).toList())
        .toMap();
  }

  private boolean isCurrent(int file) {
    return node(file).fate() == LineageNode.Fate.CURRENT;
  }

  private Set<String> users(int job) {
    Set<String> names = new TreeSet<>();
    for (int user : users.getOrDefault(job, Set.of())) {
      names.add(VisibleText.of(node(user).description()));
    }
    return names;
  }

  private Map<String, Object> row(Row row) {
    Map<String, Integer> programs = new LinkedHashMap<>();
    long first = Long.MAX_VALUE;
    for (int process : row.processes()) {
      programs.merge(
          VisibleText.of(NameForm.program(node(process).description())), 1, Integer::sum);
      first = Math.min(first, node(process).versionMicros());
    }
    List<Object> told = new ArrayList<>();
    row.files().stream().limit(MOST_FILES).forEach(file -> told.add(file(node(file))));
    Members members = new Members();
    if (row.job() >= 0) {
      members
          .put("job", node(row.job()).id())
          .put("text", VisibleText.of(node(row.job()).id().replaceFirst("^job:", "")))
          .put("name", VisibleText.of(node(row.job()).description()));
    }
    return members
        .put("user", row.job() < 0 ? UNKNOWN : String.join(", ", users(row.job())))
        .put("first", Stamp.format(Stamp.startOfMicros(first)))
        .put("programs", programs)
        .put("fileCount", row.files().size())
        .put("currentFiles", row.files().stream().filter(this::isCurrent).count())
        .list("files", told)
        .toMap();
  }

  private static Map<String, Object> file(LineageNode file) {
    return new Members()
        .put("id", file.id())
        .put("key", ElementKey.of(file))
        .put("text", VisibleText.of(file.id()))
        .put("from", Stamp.format(Stamp.startOfMicros(file.versionMicros())))
        .put("fate", String.valueOf(file.fate()).toLowerCase(Locale.ROOT))
        .put("doubts", file.doubts().stream().sorted().map(each -> each.sentence()).toList())
        .toMap();
  }
}
