package io.graphmeta.provenance.folding;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The elements of a lineage that get boxes, and the ways of data between them.
 *
 * <p>Versions of files and processes are units. Jobs, users and executables belong to the units of
 * their processes, and the way from an executable's file to its processes becomes a link of its
 * own. What is reached through the file of a program alone tells how that program was built: it is
 * no unit, unless the program is opened. Of what rests on something, nothing is left out.
 *
 * <p>Links go with the data, so from the left to the right of a picture. Used once, by one thread.
 */
final class Units {
  /**
   * A way of data from a unit to another.
   *
   * @param from position of an element
   * @param to position of an element
   */
  record Flow(int from, int to, String relation) {}

  private final Overlay overlay;
  private final List<LineageNode> nodes;
  private final Map<Flow, Presence> flows = new LinkedHashMap<>();
  private final Map<Integer, Set<Integer>> jobs = new HashMap<>();
  private final Map<Integer, Set<Integer>> users = new HashMap<>();
  private final Map<Integer, Set<Integer>> executables = new HashMap<>();
  private final Map<Integer, Set<Integer>> programFiles = new HashMap<>();
  private final Map<Integer, List<Integer>> built = new HashMap<>();
  private final Set<Integer> programs = new HashSet<>();
  private final Set<Integer> units = new LinkedHashSet<>();

  /**
   * The units of a lineage.
   *
   * @param opened keys of files of programs of which the building is shown
   * @param building whether it is shown of all
   */
  Units(Overlay overlay, Set<String> opened, boolean building) {
    this.overlay = overlay;
    this.nodes = overlay.lineage().nodes();
    Map<Flow, Presence> all = sortLinks();
    Set<Integer> shown =
        overlay.forward() || building ? everyUnit() : withoutBuilding(all.keySet(), opened);
    nodes.stream().map(LineageNode::index).filter(shown::contains).forEach(units::add);
    all.forEach(
        (flow, presence) -> {
          if (units.contains(flow.from()) && units.contains(flow.to())) {
            flows.put(flow, presence);
          }
        });
  }

  /** Positions of the elements that are units, in their order. */
  List<Integer> all() {
    return List.copyOf(units);
  }

  Map<Flow, Presence> flows() {
    return flows;
  }

  /** The jobs of a process. */
  Set<Integer> jobsOf(int unit) {
    return nodes.get(unit).label().equals(Vocabulary.JOB)
        ? Set.of(unit)
        : jobs.getOrDefault(unit, Set.of());
  }

  Set<Integer> usersOfJob(int job) {
    return users.getOrDefault(job, Set.of());
  }

  Set<Integer> executablesOf(int process) {
    return executables.getOrDefault(process, Set.of());
  }

  /** Whether processes of the picture ran a version of a file. */
  boolean isProgram(int unit) {
    return programs.contains(unit);
  }

  /** What tells how a program was built and is left out. */
  List<Integer> builtInto(int unit) {
    return built.getOrDefault(unit, List.of());
  }

  private boolean isProcess(int position) {
    return nodes.get(position).label().equals(Vocabulary.PROCESS);
  }

  private boolean isAttribute(int position) {
    return switch (nodes.get(position).label()) {
      case Vocabulary.JOB, Vocabulary.USER, Vocabulary.EXECUTABLE -> true;
      default -> false;
    };
  }

  private Map<Flow, Presence> sortLinks() {
    Map<Flow, Presence> all = new LinkedHashMap<>();
    Map<Integer, Presence> ofPrograms = new HashMap<>();
    List<Lineage.Link> links = overlay.lineage().links();
    for (int i = 0; i < links.size(); i++) {
      Lineage.Link link = links.get(i);
      Presence presence = overlay.linkPresences().get(i);
      int near = link.from();
      int far = link.to();
      switch (link.relation()) {
        case Vocabulary.CONTAINS -> attribute(jobs, near, far, Vocabulary.JOB);
        case Vocabulary.RAN -> attribute(users, near, far, Vocabulary.USER);
        case Vocabulary.STORED_IN -> attribute(programFiles, near, far, Vocabulary.FILE);
        default -> {
          boolean nearRan = nodes.get(near).label().equals(Vocabulary.EXECUTABLE);
          boolean farRan = nodes.get(far).label().equals(Vocabulary.EXECUTABLE);
          if (nearRan || farRan) {
            attribute(executables, near, far, Vocabulary.EXECUTABLE);
            ofPrograms.put(nearRan ? far : near, presence);
          } else if (!isAttribute(near) && !isAttribute(far)) {
            Flow flow =
                overlay.forward()
                    ? new Flow(near, far, link.relation())
                    : new Flow(far, near, link.relation());
            all.merge(flow, presence, (one, other) -> one == other ? one : Presence.KEPT);
          }
        }
      }
    }
    for (LineageNode process : nodes) {
      for (int executable : executablesOf(process.index())) {
        for (int file : programFiles.getOrDefault(executable, Set.of())) {
          Flow flow = new Flow(file, process.index(), Vocabulary.EXE);
          all.putIfAbsent(flow, ofPrograms.getOrDefault(process.index(), Presence.KEPT));
        }
      }
    }
    all.keySet().stream()
        .filter(flow -> flow.relation().equals(Vocabulary.EXE))
        .forEach(flow -> programs.add(flow.from()));
    return all;
  }

  /** Notes which end of a link belongs to which, whichever end is nearer to the start. */
  private void attribute(
      Map<Integer, Set<Integer>> attributes, int near, int far, String labelOfAttribute) {
    boolean nearIs = nodes.get(near).label().equals(labelOfAttribute);
    if (!nearIs && !nodes.get(far).label().equals(labelOfAttribute)) {
      return;
    }
    attributes
        .computeIfAbsent(nearIs ? far : near, owner -> new LinkedHashSet<>())
        .add(nearIs ? near : far);
  }

  private Set<Integer> everyUnit() {
    Set<Integer> shown = new HashSet<>();
    Set<Integer> withProcesses = new HashSet<>();
    jobs.values().forEach(withProcesses::addAll);
    for (LineageNode node : nodes) {
      boolean alone =
          overlay.starts().contains(node.index()) && !withProcesses.contains(node.index());
      if (alone || !isAttribute(node.index())) {
        shown.add(node.index());
      }
    }
    return shown;
  }

  /** Goes from the start against the flow, and stops at files that were run and not read. */
  private Set<Integer> withoutBuilding(Set<Flow> flows, Set<String> opened) {
    Map<Integer, List<Flow>> into = new HashMap<>();
    flows.forEach(flow -> into.computeIfAbsent(flow.to(), to -> new ArrayList<>()).add(flow));
    Set<Integer> every = everyUnit();
    Set<Integer> reached = new LinkedHashSet<>();
    Set<Integer> entered = new LinkedHashSet<>();
    for (int start : startsAmong(every)) {
      enter(start, into, opened, reached, entered);
    }
    Set<Integer> assigned = new HashSet<>(reached);
    for (int unit : nodes.stream().map(LineageNode::index).filter(reached::contains).toList()) {
      if (!entered.contains(unit)) {
        List<Integer> parts = new ArrayList<>();
        Deque<Integer> next = new ArrayDeque<>(List.of(unit));
        while (!next.isEmpty()) {
          for (Flow flow : into.getOrDefault(next.remove(), List.of())) {
            if (assigned.add(flow.from())) {
              parts.add(flow.from());
              next.add(flow.from());
            }
          }
        }
        if (!parts.isEmpty()) {
          built.put(unit, parts);
        }
      }
    }
    // What no way leads to, as in an answer of which a part was taken away, is shown.
    every.stream().filter(unit -> !assigned.contains(unit)).forEach(reached::add);
    return reached;
  }

  private Set<Integer> startsAmong(Set<Integer> every) {
    Set<Integer> starts = new LinkedHashSet<>();
    for (LineageNode node : nodes) {
      boolean ofStart =
          isProcess(node.index())
              && jobsOf(node.index()).stream().anyMatch(overlay.starts()::contains);
      if (every.contains(node.index()) && (overlay.starts().contains(node.index()) || ofStart)) {
        starts.add(node.index());
      }
    }
    return starts;
  }

  private void enter(
      int start,
      Map<Integer, List<Flow>> into,
      Set<String> opened,
      Set<Integer> reached,
      Set<Integer> entered) {
    Deque<Integer> next = new ArrayDeque<>();
    reached.add(start);
    if (entered.add(start)) {
      next.add(start);
    }
    while (!next.isEmpty()) {
      for (Flow flow : into.getOrDefault(next.remove(), List.of())) {
        reached.add(flow.from());
        boolean isBuilding =
            flow.relation().equals(Vocabulary.EXE)
                && !opened.contains(ElementKey.of(nodes.get(flow.from())));
        if (!isBuilding && entered.add(flow.from())) {
          next.add(flow.from());
        }
      }
    }
  }
}
