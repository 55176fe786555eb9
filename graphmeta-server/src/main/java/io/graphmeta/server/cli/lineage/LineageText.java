package io.graphmeta.server.cli.lineage;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Terminal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints a lineage as a tree for people: a line for each file and process, with job, user and
 * executable on the line of the process. Siblings that differ in nothing but their place are one
 * branch; what stands above is named once more and not unfolded again. Used once.
 */
public final class LineageText {
  private static final int GROUP_MINIMUM = 3;

  private final Lineage lineage;
  private final boolean forward;
  private final boolean foldPrograms;
  private final Terminal terminal;
  private final int width;
  private final Map<Integer, List<Lineage.Link>> links = new HashMap<>();
  private final Map<Integer, String> signatures = new HashMap<>();
  private final Set<Integer> printed = new LinkedHashSet<>();
  private final Map<Doubt, Integer> footnotes = new EnumMap<>(Doubt.class);

  /**
   * @param forward whether it is of what rests on the start
   * @param foldPrograms whether how programs were built is left out
   */
  public LineageText(
      Lineage lineage, boolean forward, boolean foldPrograms, Terminal terminal, int width) {
    this.lineage = lineage;
    this.forward = forward;
    this.foldPrograms = foldPrograms;
    this.terminal = terminal;
    this.width = width;
    for (Lineage.Link link : lineage.links()) {
      links.computeIfAbsent(link.from(), from -> new ArrayList<>()).add(link);
    }
  }

  /** Prints the trees. */
  public void print(PrintWriter out) {
    branch(out, "", "", "", List.of(lineage.root()));
    if (lineage.partial()) {
      out.println(terminal.bold("Partial: a limit ended the search (--depth, --limit)."));
    }
    footnotes.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(
            note ->
                out.println(
                    terminal.dim(
                        wrapped("[" + note.getValue() + "] " + note.getKey().sentence(), "    "))));
  }

  private void branch(
      PrintWriter out, String lead, String below, String relation, List<LineageNode> group) {
    LineageNode first = group.get(0);
    boolean above = group.stream().allMatch(node -> printed.contains(node.index()));
    group.forEach(node -> printed.add(node.index()));
    String word = word(relation, first);
    out.println(
        lead
            + word
            + (first.label().equals(Vocabulary.PROCESS) ? process(group, word, below) : file(group))
            + (above ? terminal.dim(" (above)") : ""));
    if (above) {
      return;
    }
    List<Branch> branches =
        relation.equals(Vocabulary.STORED_IN) && foldPrograms ? List.of() : branches(group);
    if (group.size() > 1 && !first.label().equals(Vocabulary.PROCESS)) {
      String margin = below + (branches.isEmpty() ? "   " : "│  ");
      out.println(margin + terminal.dim(wrapped(places(group), margin)));
    }
    for (int i = 0; i < branches.size(); i++) {
      boolean last = i == branches.size() - 1;
      branch(
          out,
          below + (last ? "└─ " : "├─ "),
          below + (last ? "   " : "│  "),
          branches.get(i).relation(),
          branches.get(i).nodes());
    }
  }

  private record Branch(String relation, List<LineageNode> nodes) {}

  /** What the elements of a group lead to, with what is alike in one branch. */
  private List<Branch> branches(List<LineageNode> group) {
    Map<Integer, String> relations = new LinkedHashMap<>();
    for (LineageNode node : group) {
      for (Lineage.Link link : links.getOrDefault(node.index(), List.of())) {
        if (isBranch(link)) {
          relations.putIfAbsent(link.to(), link.relation());
        } else if (link.relation().equals(Vocabulary.EXE) && !forward) {
          buildsOf(link.to()).forEach(build -> relations.putIfAbsent(build, Vocabulary.STORED_IN));
        }
      }
    }
    Map<String, Branch> branches = new LinkedHashMap<>();
    relations.forEach(
        (index, relation) -> {
          LineageNode node = lineage.nodes().get(index);
          branches
              .computeIfAbsent(
                  relation + " " + signature(node), key -> new Branch(relation, new ArrayList<>()))
              .nodes()
              .add(node);
        });
    List<Branch> result = new ArrayList<>();
    for (Branch branch : branches.values()) {
      if (branch.nodes().size() >= GROUP_MINIMUM) {
        branch.nodes().sort(Comparator.comparing(LineageNode::id));
        result.add(branch);
      } else {
        branch.nodes().forEach(node -> result.add(new Branch(branch.relation(), List.of(node))));
      }
    }
    return result;
  }

  private boolean isBranch(Lineage.Link link) {
    String label = lineage.nodes().get(link.to()).label();
    return !label.equals(Vocabulary.JOB)
        && !label.equals(Vocabulary.USER)
        && !label.equals(Vocabulary.EXECUTABLE);
  }

  private List<Integer> buildsOf(int executable) {
    return links.getOrDefault(executable, List.of()).stream().map(Lineage.Link::to).toList();
  }

  /**
   * What makes siblings alike: name and origin of a file, executable and inputs (forward: outputs)
   * of a process.
   */
  private String signature(LineageNode node) {
    String known = signatures.get(node.index());
    if (known == null) {
      // The links of an element can lead back to it: till it is known, its place stands for it.
      signatures.put(node.index(), "#" + node.index());
      known =
          node.label().equals(Vocabulary.PROCESS)
              ? signatureOfProcess(node)
              : signatureOfFile(node);
      signatures.put(node.index(), known);
    }
    return known;
  }

  private String signatureOfProcess(LineageNode node) {
    TreeSet<String> parts = new TreeSet<>();
    for (Lineage.Link link : links.getOrDefault(node.index(), List.of())) {
      LineageNode target = lineage.nodes().get(link.to());
      if (target.label().equals(Vocabulary.JOB)) {
        continue;
      }
      boolean output = forward && target.fate() != null;
      parts.add(link.relation() + " " + (output ? baseName(target.id()) : "#" + target.index()));
    }
    return baseName(command(node)) + " " + parts;
  }

  private String signatureOfFile(LineageNode node) {
    TreeSet<String> parts = new TreeSet<>();
    for (Lineage.Link link : links.getOrDefault(node.index(), List.of())) {
      parts.add(forward ? "#" + link.to() : signature(lineage.nodes().get(link.to())));
    }
    // What leads nowhere is alike by its directory and its kind only.
    String place =
        parts.isEmpty() ? parent(node.id()) + "/*" + suffix(node.id()) : baseName(node.id());
    return place + " " + parts;
  }

  private String word(String relation, LineageNode node) {
    boolean isProcess = node.label().equals(Vocabulary.PROCESS);
    return switch (relation) {
      case Vocabulary.WROTE -> isProcess ? "written by " : "wrote ";
      case Vocabulary.READ -> isProcess ? "read by " : "read ";
      case Vocabulary.EXE -> "run by ";
      case Vocabulary.STORED_IN -> "program ";
      case Vocabulary.REDIRECTED -> isProcess ? "printed by " : "printed to ";
      case Vocabulary.RENAMED_FROM -> forward ? "renamed to " : "renamed from ";
      case Lineage.CONTINUES -> forward ? "continued by " : "continues ";
      case Vocabulary.CONTAINS -> "process ";
      default -> "";
    };
  }

  private String file(List<LineageNode> group) {
    LineageNode first = group.get(0);
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    group.forEach(node -> doubts.addAll(node.doubts()));
    if (group.size() > 1) {
      return group.size() + " × " + pattern(group) + notes(doubts);
    }
    boolean versioned = first.fate() != null && first.writer() != null;
    String time = versioned ? "  " + terminal.highlight(time(first.versionMicros())) : "";
    return first.id() + time + fate(first) + notes(doubts);
  }

  private String fate(LineageNode node) {
    LineageNode.Fate fate = node.fate();
    return fate == null || fate == LineageNode.Fate.CURRENT
        ? ""
        : terminal.dim(" " + fate.name().toLowerCase(Locale.ROOT) + " since");
  }

  private String process(List<LineageNode> group, String word, String below) {
    LineageNode first = group.get(0);
    Set<String> users = new TreeSet<>();
    Set<String> jobs = new LinkedHashSet<>();
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    for (LineageNode node : group) {
      doubts.addAll(node.doubts());
      LineageNode job = job(node);
      if (job != null) {
        String name =
            job.description().startsWith("job:") || group.size() > 1 ? "" : " " + job.description();
        jobs.add(job.id().replaceFirst("^job:", "") + name);
        // Of a lineage that starts at a job, links lead from it to its processes, too.
        links.getOrDefault(job.index(), List.of()).stream()
            .map(link -> lineage.nodes().get(link.to()))
            .filter(other -> other.label().equals(Vocabulary.USER))
            .forEach(user -> users.add(user.description()));
      }
    }
    String plain =
        (group.size() > 1
            ? baseName(command(first))
            : shortened(first.description(), below.length() + word.length()));
    String what = terminal.bold(plain);
    String where =
        jobs.isEmpty()
            ? ""
            : (jobs.size() == 1 ? ", job " : ", " + jobs.size() + " jobs ")
                + String.join(" ", jobs);
    String who = users.isEmpty() ? "" : " of " + String.join(", ", users);
    String place = where + who;
    if (plain.length() + place.length() + below.length() + word.length() > width) {
      String indent = below + (branches(group).isEmpty() ? "   " : "│  ");
      return what
          + notes(doubts)
          + System.lineSeparator()
          + indent
          + wrapped(place.replaceFirst("^, ", ""), indent);
    }
    return what + place + notes(doubts);
  }

  private @Nullable LineageNode job(LineageNode process) {
    for (Lineage.Link link : links.getOrDefault(process.index(), List.of())) {
      LineageNode target = lineage.nodes().get(link.to());
      if (target.label().equals(Vocabulary.JOB)) {
        return target;
      }
    }
    return null;
  }

  /** Numbers of footnotes. */
  private String notes(Collection<Doubt> doubts) {
    if (doubts.isEmpty()) {
      return "";
    }
    String numbers =
        doubts.stream()
            .map(doubt -> footnotes.computeIfAbsent(doubt, key -> footnotes.size() + 1).toString())
            .collect(Collectors.joining(","));
    return terminal.dim(" [" + numbers + "]");
  }

  /** The paths of a group with a star for what differs. */
  private static String pattern(List<LineageNode> group) {
    return sharedPrefix(group) + "*" + sharedSuffix(group);
  }

  private String places(List<LineageNode> group) {
    int from = sharedPrefix(group).length();
    int cut = sharedSuffix(group).length();
    List<String> places = new ArrayList<>();
    int room = 3 * width;
    for (LineageNode node : group) {
      String place = node.id().substring(from, Math.max(from, node.id().length() - cut));
      room -= place.length() + 1;
      if (room < 0) {
        places.add("… and " + (group.size() - places.size()) + " more");
        break;
      }
      places.add(place);
    }
    return String.join(" ", places);
  }

  private static String sharedPrefix(List<LineageNode> group) {
    String prefix = group.get(0).id();
    for (LineageNode node : group) {
      int length = 0;
      while (length < Math.min(prefix.length(), node.id().length())
          && prefix.charAt(length) == node.id().charAt(length)) {
        length++;
      }
      prefix = prefix.substring(0, length);
    }
    return prefix.substring(0, prefix.lastIndexOf('/') + 1);
  }

  private static String sharedSuffix(List<LineageNode> group) {
    String suffix = group.get(0).id().substring(sharedPrefix(group).length());
    for (LineageNode node : group) {
      int length = 0;
      while (length < Math.min(suffix.length(), node.id().length())
          && suffix.charAt(suffix.length() - 1 - length)
              == node.id().charAt(node.id().length() - 1 - length)) {
        length++;
      }
      suffix = suffix.substring(suffix.length() - length);
    }
    int slash = suffix.indexOf('/');
    int dot = suffix.lastIndexOf('.');
    return slash >= 0 ? suffix.substring(slash) : dot >= 0 ? suffix.substring(dot) : "";
  }

  private String shortened(String text, int indent) {
    int room = Math.max(24, width - indent - 4);
    return text.length() <= room ? text : text.substring(0, room - 1) + "…";
  }

  /** Breaks text at blanks to the width, with a margin on each further line. */
  private String wrapped(String text, String margin) {
    StringBuilder result = new StringBuilder();
    int column = margin.length();
    for (String word : text.split(" ")) {
      if (column + word.length() + 1 > width && column > margin.length()) {
        result.append(System.lineSeparator()).append(margin);
        column = margin.length();
      } else if (!result.isEmpty()) {
        result.append(' ');
        column++;
      }
      result.append(word);
      column += word.length();
    }
    return result.toString();
  }

  /** Date and time to the millisecond. */
  public static String time(long micros) {
    return JsonLines.isoTime(micros).replace('T', ' ').replaceFirst("\\d{3}Z$", "");
  }

  private static String command(LineageNode process) {
    int blank = process.description().indexOf(' ');
    return blank < 0 ? process.description() : process.description().substring(0, blank);
  }

  private static String baseName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private static String suffix(String path) {
    String name = baseName(path);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(dot);
  }
}
