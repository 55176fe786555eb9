package io.graphmeta.provenance.folding;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.LineageNode.Fate;
import io.graphmeta.provenance.Vocabulary;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Folds a lineage. Elements are alike if they have the same form and, as far as the number of boxes
 * allows, came from and went to what is alike. The form of a process is its program, that of a file
 * its name with a star for each number. If there are more forms than boxes, executables and
 * directories take their place, and then fewer and fewer levels of directories.
 *
 * <p>Elements that are there at different times, or that the question was asked of, are never in
 * one box with others.
 *
 * @param budget most boxes; there can be a few more where that many cannot be told apart by less,
 *     and where boxes are opened
 * @param opened keys, as {@link Box#key} has them, of members of boxes that are to fall into their
 *     members, and of programs of which the building is to be shown
 * @param building whether how programs were built is shown of all
 */
public record Folding(int budget, Set<String> opened, boolean building) {
  /** As many boxes as can be taken in at a look. */
  public static final int DEFAULT_BUDGET = 80;

  /** Least number of boxes that can be asked for. */
  public static final int MIN_BUDGET = 10;

  /** Most boxes that a picture can have. */
  public static final int MAX_BUDGET = 2_000;

  /** A box of more members than this is not opened in place. */
  public static final int MAX_OPENED = 100;

  private static final int MOST_DIRECTORIES = 8;

  public Folding {
    if (budget < MIN_BUDGET || budget > MAX_BUDGET) {
      throw GraphMetaException.invalid(
          "A budget of "
              + budget
              + " boxes; expected a number from "
              + MIN_BUDGET
              + " to "
              + MAX_BUDGET);
    }
    opened = Set.copyOf(opened);
  }

  /** A folding into so many boxes, none of them opened. */
  public Folding(int budget) {
    this(budget, Set.of());
  }

  /** A folding into so many boxes that does not show how programs were built, but of the opened. */
  public Folding(int budget, Set<String> opened) {
    this(budget, opened, false);
  }

  /** The same, with how all programs were built. */
  public Folding withBuilding() {
    return new Folding(budget, opened, true);
  }

  /** Folds a lineage. */
  public FoldedLineage fold(Overlay overlay) {
    Units units = new Units(overlay, opened, building);
    List<Integer> all = units.all();
    int[] classes = new Partition(forms(overlay, units), neighbours(all, units), budget).refined();
    return boxes(overlay, units, opened(overlay, all, classes));
  }

  private List<String> forms(Overlay overlay, Units units) {
    List<String> forms = List.of();
    for (int step = 0; step <= MOST_DIRECTORIES + 2; step++) {
      List<String> coarser = new ArrayList<>();
      for (int unit : units.all()) {
        coarser.add(form(overlay, unit, step));
      }
      forms = coarser;
      if (new HashSet<>(forms).size() <= budget) {
        break;
      }
    }
    return forms;
  }

  private static String form(Overlay overlay, int unit, int step) {
    LineageNode node = overlay.lineage().nodes().get(unit);
    String kind =
        node.label()
            + " "
            + overlay.presences().get(unit)
            + (overlay.starts().contains(unit) ? " start " : " ");
    boolean last = step > MOST_DIRECTORIES + 1;
    if (node.fate() == null) {
      String program = node.description();
      return kind
          + (last ? "" : step == 0 ? NameForm.program(program) : NameForm.executable(program));
    }
    return kind
        + switch (step) {
          case 0 -> NameForm.of(NameForm.baseName(node.id()));
          case 1 -> NameForm.of(NameForm.parent(node.id())) + " " + NameForm.suffix(node.id());
          default -> NameForm.directories(node.id(), Math.max(0, MOST_DIRECTORIES + 1 - step));
        };
  }

  private static int[][] neighbours(List<Integer> all, Units units) {
    Map<Integer, Integer> places = new HashMap<>();
    all.forEach(unit -> places.put(unit, places.size()));
    Map<String, Integer> kinds = new HashMap<>();
    List<List<Integer>> lists = new ArrayList<>();
    all.forEach(unit -> lists.add(new ArrayList<>()));
    for (Units.Flow flow : units.flows().keySet()) {
      int kind = kinds.computeIfAbsent(flow.relation(), relation -> 2 * kinds.size());
      int from = places.getOrDefault(flow.from(), 0);
      int to = places.getOrDefault(flow.to(), 0);
      lists.get(from).addAll(List.of(kind, to));
      lists.get(to).addAll(List.of(kind + 1, from));
    }
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** The members of each box; boxes that are opened have fallen into their members. */
  private List<List<Integer>> opened(Overlay overlay, List<Integer> all, int[] classes) {
    Map<Integer, List<Integer>> byClass = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      byClass.computeIfAbsent(classes[i], key -> new ArrayList<>()).add(all.get(i));
    }
    List<List<Integer>> boxes = new ArrayList<>();
    for (List<Integer> members : byClass.values()) {
      boolean open =
          members.size() <= MAX_OPENED
              && members.stream()
                  .map(overlay.lineage().nodes()::get)
                  .anyMatch(node -> opened.contains(ElementKey.of(node)));
      if (open) {
        members.forEach(member -> boxes.add(List.of(member)));
      } else {
        boxes.add(members);
      }
    }
    boxes.sort((one, other) -> Integer.compare(one.get(0), other.get(0)));
    return boxes;
  }

  private static FoldedLineage boxes(Overlay overlay, Units units, List<List<Integer>> members) {
    Map<Integer, Integer> boxOf = new HashMap<>();
    for (int box = 0; box < members.size(); box++) {
      for (int unit : members.get(box)) {
        boxOf.put(unit, box);
      }
    }
    record Way(int from, int to, String relation, Presence presence) {}
    Map<Way, Integer> counts = new LinkedHashMap<>();
    int[] within = new int[members.size()];
    units
        .flows()
        .forEach(
            (flow, presence) -> {
              int from = boxOf.getOrDefault(flow.from(), 0);
              int to = boxOf.getOrDefault(flow.to(), 0);
              if (from == to) {
                within[from]++;
              } else {
                counts.merge(new Way(from, to, flow.relation(), presence), 1, Integer::sum);
              }
            });
    List<Box> boxes = new ArrayList<>();
    for (int box = 0; box < members.size(); box++) {
      boxes.add(box(overlay, units, box, members.get(box), within[box]));
    }
    List<BoxLink> links = new ArrayList<>();
    counts.forEach(
        (way, count) ->
            links.add(new BoxLink(way.from(), way.to(), way.relation(), count, way.presence())));
    return new FoldedLineage(overlay, boxes, links);
  }

  private static Box box(
      Overlay overlay, Units units, int index, List<Integer> members, int within) {
    List<LineageNode> nodes = members.stream().map(overlay.lineage().nodes()::get).toList();
    LineageNode first = nodes.get(0);
    Set<Integer> jobs = new LinkedHashSet<>();
    Set<Integer> users = new LinkedHashSet<>();
    Set<Integer> programs = new LinkedHashSet<>();
    Set<Integer> built = new LinkedHashSet<>();
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
    boolean run = false;
    for (LineageNode node : nodes) {
      jobs.addAll(units.jobsOf(node.index()));
      programs.addAll(units.executablesOf(node.index()));
      built.addAll(units.builtInto(node.index()));
      doubts.addAll(node.doubts());
      run |= units.isProgram(node.index());
      if (node.fate() != null) {
        fates.merge(node.fate(), 1, Integer::sum);
      }
    }
    jobs.forEach(job -> users.addAll(units.usersOfJob(job)));
    boolean isFile = first.fate() != null;
    Box.Kind kind =
        isFile
            ? run ? Box.Kind.PROGRAM : Box.Kind.FILE
            : first.label().equals(Vocabulary.JOB) ? Box.Kind.JOB : Box.Kind.PROCESS;
    return new Box(
        index,
        kind,
        ElementKey.of(first),
        members,
        List.copyOf(jobs),
        List.copyOf(users),
        List.copyOf(programs),
        List.copyOf(built),
        name(nodes, isFile),
        isFile
            ? NameForm.pattern(nodes.stream().map(node -> NameForm.parent(node.id())).toList())
            : "",
        nodes.stream().mapToLong(LineageNode::versionMicros).min().orElse(0),
        nodes.stream().mapToLong(LineageNode::versionMicros).max().orElse(0),
        doubts,
        fates,
        overlay.presences().get(first.index()),
        overlay.starts().contains(first.index())
            || jobs.stream().anyMatch(overlay.starts()::contains),
        within);
  }

  private static String name(List<LineageNode> nodes, boolean isFile) {
    List<String> names =
        nodes.stream()
            .map(
                node ->
                    isFile ? NameForm.baseName(node.id()) : NameForm.program(node.description()))
            .distinct()
            .toList();
    return NameForm.pattern(names);
  }
}
