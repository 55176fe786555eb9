package io.graphmeta.server.ingest.shell;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.ingest.shell.Disk.Content;
import io.graphmeta.server.ingest.shell.Disk.Label;
import io.graphmeta.server.ingest.shell.Disk.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares answers with the truth. */
final class Answers {
  /** Doubts that say of an element: it may not belong here. */
  private static final Set<Doubt> MAY_BE_TOO_MUCH =
      EnumSet.of(
          Doubt.SEVERAL_VERSIONS,
          Doubt.TIMES_TOO_CLOSE,
          Doubt.READ_BEYOND_WRITTEN,
          Doubt.SHELL_REDIRECTION,
          Doubt.MAY_HAVE_KEPT,
          Doubt.WRITER_NOT_RECORDED);

  /** Doubts that say of a version: what it rests on may not all belong here. */
  private static final Set<Doubt> RESTS_ON_TOO_MUCH =
      EnumSet.of(Doubt.SEVERAL_OVERWRITES, Doubt.CREATED_ONLY, Doubt.SHELL_REDIRECTION);

  /** Longer than any removal takes with what times may be late, in microseconds. */
  private static final long LONG = 200_000;

  private final ShellCampaign campaign;
  private final Truth truth;
  private final Map<String, Long> pids;
  private final long seed;
  private final Tally tally;

  Answers(ShellCampaign campaign, Truth truth, Map<String, Long> pids, long seed, Tally tally) {
    this.campaign = campaign;
    this.truth = truth;
    this.pids = pids;
    this.seed = seed;
    this.tally = tally;
  }

  /** The version that an element is; pid 0 where no writer is recorded. */
  Label label(LineageNode node) {
    return new Label(node.id(), node.writer() == null ? 0 : pids.get(node.writer()));
  }

  private Collection<Version> versionsOf(Label label) {
    return campaign.disk().versions.stream()
        .filter(version -> version.label.equals(label))
        .toList();
  }

  /** What a file rests on, in the content that it held. */
  void backward(Lineage lineage, String path, Content content) {
    Set<Version> may = new LinkedHashSet<>(content.may());
    Label root = label(lineage.root());
    may.addAll(versionsOf(root));
    Found found = new Found(lineage);
    Set<Version> closure = truth.closure(may, true, false);
    List<String> wrong = new ArrayList<>(tooMuch(found, closure, Truth.processes(closure)));
    Set<Version> must = truth.closure(content.must(), true, true);
    for (Version version : content.must()) {
      if (!found.has(version.label) && !found.saysOverwritten(path)) {
        wrong.add("lacks its own " + version);
      }
    }
    for (Version version : must) {
      if (found.has(version.label)) {
        lacking(found, version, wrong);
      }
    }
    boolean exact = found.versions.keySet().equals(Truth.labels(truth.closure(may, true, true)));
    tell("backward", path + " = " + root, lineage, wrong, kindOf(root), exact);
  }

  private void lacking(Found found, Version version, List<String> wrong) {
    if (!found.pids.contains(version.writer.pid)) {
      wrong.add("lacks " + version.writer + ", which wrote " + version);
    }
    for (Truth.Step step : truth.steps(version, true)) {
      Version older = step.to();
      if (step.must() && !found.has(older.label)) {
        if (step.sizesTell() || !found.saysOverwritten(older.label.path())) {
          wrong.add(
              "lacks "
                  + older
                  + ", on which "
                  + version
                  + " rests"
                  + (step.sizesTell() ? ", as sizes tell" : ""));
        }
      }
    }
  }

  /** What rests on a version. */
  void forward(Lineage lineage, Label root, long untilMicros) {
    Collection<Version> start = versionsOf(root);
    Found found = new Found(lineage);
    Set<Version> may = truth.closure(start, false, false);
    Set<Long> processes = readersOf(may);
    may.stream()
        .filter(version -> !version.label.equals(root))
        .forEach(version -> processes.addAll(Truth.processes(Set.of(version))));
    List<String> wrong = new ArrayList<>(tooMuch(found, may, processes));
    for (Version version : truth.closure(start, false, true)) {
      if (!found.has(version.label)) {
        continue;
      }
      boolean marked =
          found.versions.get(version.label).doubts().contains(Doubt.APPEND_OR_OVERWRITE);
      for (Truth.Step step : truth.steps(version, false)) {
        Version newer = step.from();
        if (step.must()
            && newer.writer.beginMicros < untilMicros
            && !found.has(newer.label)
            && (step.sizesTell() || !marked)) {
          wrong.add(
              "lacks "
                  + newer
                  + ", which rests on "
                  + version
                  + (step.sizesTell() ? ", as sizes tell" : ""));
        }
      }
    }
    boolean exact = found.versions.keySet().equals(Truth.labels(truth.closure(start, false, true)));
    tell("forward", root.toString(), lineage, wrong, kindOf(root), exact);
  }

  /** All that read a version, even if they wrote nothing. */
  private Set<Long> readersOf(Set<Version> versions) {
    return campaign.disk().runs.values().stream()
        .filter(
            run ->
                run.reads.stream()
                    .anyMatch(read -> read.content().may().stream().anyMatch(versions::contains)))
        .map(run -> run.pid)
        .collect(Collectors.toSet());
  }

  private List<String> tooMuch(Found found, Set<Version> may, Set<Long> processes) {
    Set<Label> labels = Truth.labels(may);
    List<String> wrong = new ArrayList<>();
    for (Lineage.Link link : found.lineage.links()) {
      LineageNode from = found.lineage.nodes().get(link.from());
      LineageNode to = found.lineage.nodes().get(link.to());
      if (link.relation().equals(Vocabulary.READ) && isRuledOut(from, to)) {
        wrong.add("holds " + to + " after " + from + ", which the record rules out");
      }
      if (belongs(from, labels, processes)
          && !belongs(to, labels, processes)
          && !isMarked(to)
          && from.doubts().stream().noneMatch(RESTS_ON_TOO_MUCH::contains)) {
        wrong.add("holds " + to + " after " + from);
      }
    }
    return wrong;
  }

  /**
   * Whether the record rules out that a process read a version, whatever the marks: the version was
   * removed long before, or the sizes of later ones account for all that was read.
   */
  private boolean isRuledOut(LineageNode process, LineageNode version) {
    if (!process.label().equals(Vocabulary.PROCESS)) {
      return false;
    }
    List<Disk.Read> reads =
        campaign.disk().runs.get(pids.get(process.id())).reads.stream()
            .filter(read -> read.path().equals(version.id()))
            .toList();
    Collection<Version> openings = versionsOf(label(version));
    if (reads.size() != 1 || openings.size() != 1) {
      return false;
    }
    Disk.Read read = reads.get(0);
    Version older = openings.iterator().next();
    if (read.content().may().contains(older)) {
      return false;
    }
    boolean removed =
        campaign.disk().removals.getOrDefault(version.id(), List.of()).stream()
            .anyMatch(at -> older.openedMicros + LONG < at && at + LONG < read.atMicros());
    List<Version> held = read.content().must();
    boolean sized =
        read.counted()
            && older.counted
            && truth.isAccountedFor(read.content())
            && older.lastMicros + LONG < held.get(0).openedMicros
            && campaign.disk().versions.stream()
                .filter(each -> each.label.path().equals(version.id()) && !held.contains(each))
                .noneMatch(
                    each ->
                        each.openedMicros > held.get(0).openedMicros - LONG
                            && each.openedMicros < read.atMicros() + LONG)
            && held.get(held.size() - 1).openedMicros + LONG < read.atMicros();
    return (removed && older.taken == null) || sized;
  }

  private boolean isMarked(LineageNode node) {
    return node.doubts().stream().anyMatch(MAY_BE_TOO_MUCH::contains)
        || (isFailedRename(node) && node.doubts().contains(Doubt.FROM_COMMAND_LINE));
  }

  private boolean isFailedRename(LineageNode node) {
    return node.fate() != null && campaign.disk().failedRenames.contains(label(node));
  }

  private boolean belongs(LineageNode node, Set<Label> labels, Set<Long> processes) {
    if (node.fate() != null && node.id().startsWith("/data/")) {
      return labels.contains(label(node));
    }
    return !node.label().equals(Vocabulary.PROCESS) || processes.contains(pids.get(node.id()));
  }

  private String kindOf(Label label) {
    List<String> kinds =
        versionsOf(label).stream()
            .map(
                version ->
                    version.writer.kind
                        + (version.writer.pid == label.pid() ? "" : " through another")
                        + (version.appended ? ", appended" : ""))
            .toList();
    return kinds.size() == 1 ? kinds.get(0) : kinds.isEmpty() ? "none" : "several openings";
  }

  private void tell(
      String question, String of, Lineage lineage, List<String> wrong, String kind, boolean exact) {
    boolean plain =
        lineage.nodes().stream()
            .noneMatch(node -> belongsToCampaign(node) && !node.doubts().isEmpty());
    tally.count(question + " " + kind, wrong.isEmpty(), exact, plain);
    for (String each : wrong) {
      tally.wrong(
          String.format(
              "-Dgraphmeta.seed=%d: %s of %s %s%n%s", seed, question, of, each, text(lineage)));
    }
  }

  private static boolean belongsToCampaign(LineageNode node) {
    return node.id().startsWith("/data/") || node.label().equals(Vocabulary.PROCESS);
  }

  private String text(Lineage lineage) {
    return Stream.concat(
            Stream.of(campaign.story()),
            lineage.nodes().stream()
                .filter(node -> node.fate() != null || node.label().equals(Vocabulary.PROCESS))
                .map(
                    node ->
                        "  ".repeat(node.depth())
                            + node.relation()
                            + " "
                            + node.id()
                            + (node.writer() == null ? "" : " by " + pids.get(node.writer()))
                            + " "
                            + node.doubts()))
        .collect(Collectors.joining("\n"));
  }

  /** The elements of an answer. */
  private final class Found {
    final Lineage lineage;
    final List<LineageNode> nodes;
    final Map<Label, LineageNode> versions = new HashMap<>();
    final Set<Long> pids = new HashSet<>();

    Found(Lineage lineage) {
      this.lineage = lineage;
      this.nodes = lineage.nodes();
      for (LineageNode node : nodes) {
        if (node.fate() != null && node.id().startsWith("/data/")) {
          versions.put(label(node), node);
        } else if (node.label().equals(Vocabulary.PROCESS)) {
          pids.add(Answers.this.pids.get(node.id()));
        }
      }
    }

    /**
     * Whether the answer says of a version of a file that it may have been an append, or concluded
     * one that never was.
     */
    boolean saysOverwritten(String path) {
      return nodes.stream()
          .anyMatch(
              node ->
                  node.id().equals(path)
                      && (node.doubts().contains(Doubt.APPEND_OR_OVERWRITE)
                          || (isFailedRename(node) && isMarked(node))));
    }

    boolean has(Label label) {
      return versions.containsKey(label);
    }
  }
}
