package io.graphmeta.server.cli.lineage;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.BoxLink;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Terminal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Prints a folded lineage as a tree for people: a line for each box of the picture, with jobs and
 * users on the line of processes. The branches of a box are those that it has links to, away from
 * the start. What stands above is named once more and not unfolded again; boxes that no link leads
 * to from the start are trees of their own. Used once.
 */
public final class LineageText {
  private static final int LINES_OF_NAMES = 3;
  private static final int DATE_LENGTH = "2026-11-21 ".length();

  private final FoldedLineage folded;
  private final List<LineageNode> nodes;
  private final Terminal terminal;
  private final int width;

  /** Of each box, the boxes that it leads to and the relations by which it does. */
  private final List<Map<Integer, String>> branches = new ArrayList<>();

  private final Set<Integer> printed = new HashSet<>();
  private final Map<Doubt, Integer> footnotes = new EnumMap<>(Doubt.class);

  /** Text of so many columns, where names leave it the choice. */
  public LineageText(FoldedLineage folded, Terminal terminal, int width) {
    this.folded = folded;
    this.nodes = folded.overlay().lineage().nodes();
    this.terminal = terminal;
    this.width = width;
    folded.boxes().forEach(box -> branches.add(new LinkedHashMap<>()));
    // Programs first, and after them what was read, as it was met.
    folded.links().stream()
        .sorted(Comparator.comparing(link -> !link.relation().equals(Vocabulary.EXE)))
        .forEach(this::addBranch);
  }

  private void addBranch(BoxLink link) {
    boolean forward = folded.overlay().forward();
    int near = forward ? link.from() : link.to();
    int far = forward ? link.to() : link.from();
    branches.get(near).putIfAbsent(far, link.relation());
  }

  /** Prints the trees. */
  public void print(PrintWriter out) {
    List<Box> starts = folded.boxes().stream().filter(Box::isStart).toList();
    LineageNode root = folded.overlay().lineage().root();
    boolean isOfJob = root.label().equals(Vocabulary.JOB) && starts.get(0).kind() != Box.Kind.JOB;
    if (isOfJob) {
      out.println(root.id());
    }
    for (int i = 0; i < starts.size(); i++) {
      if (isOfJob) {
        boolean last = i == starts.size() - 1;
        branch(out, last ? "└─ " : "├─ ", last ? "   " : "│  ", "process ", starts.get(i));
      } else {
        branch(out, "", "", "", starts.get(i));
      }
    }
    for (Box box : folded.boxes()) {
      if (!printed.contains(box.index())) {
        branch(out, "", "", "", box);
      }
    }
    if (folded.overlay().lineage().partial()) {
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

  private void branch(PrintWriter out, String lead, String below, String word, Box box) {
    boolean above = !printed.add(box.index());
    out.println(
        lead
            + word
            + (box.kind() == Box.Kind.PROCESS ? process(box, word, below, above) : file(box))
            + (above ? terminal.dim(" (above)") : ""));
    if (above) {
      return;
    }
    Map<Integer, String> further = branches.get(box.index());
    Set<String> places = places(box);
    if (places.size() > 1) {
      String margin = below + (further.isEmpty() ? "   " : "│  ");
      out.println(margin + terminal.dim(wrapped(asFarAsThereIsRoom(places), margin)));
    }
    int left = further.size();
    for (Map.Entry<Integer, String> entry : further.entrySet()) {
      boolean last = --left == 0;
      Box other = folded.boxes().get(entry.getKey());
      branch(
          out,
          below + (last ? "└─ " : "├─ "),
          below + (last ? "   " : "│  "),
          word(entry.getValue(), other),
          other);
    }
  }

  private String word(String relation, Box box) {
    boolean forward = folded.overlay().forward();
    boolean isProcess = box.kind() == Box.Kind.PROCESS;
    return switch (relation) {
      case Vocabulary.WROTE -> isProcess ? "written by " : "wrote ";
      case Vocabulary.READ -> isProcess ? "read by " : "read ";
      case Vocabulary.EXE -> isProcess ? "run by " : "program ";
      case Vocabulary.REDIRECTED -> isProcess ? "printed by " : "printed to ";
      case Vocabulary.RENAMED_FROM -> forward ? "renamed to " : "renamed from ";
      case Lineage.CONTINUES -> forward ? "continued by " : "continues ";
      default -> "";
    };
  }

  private String file(Box box) {
    if (box.count() > 1) {
      return count(box) + pattern(box) + times(box) + fates(box) + notes(box.doubts());
    }
    LineageNode only = nodes.get(box.members().get(0));
    return only.id() + times(box) + fates(box) + notes(box.doubts());
  }

  private static String count(Box box) {
    return box.count() == 1 ? "" : String.format(Locale.ROOT, "%,d × ", box.count());
  }

  private static String pattern(Box box) {
    return box.place().isEmpty() || box.place().endsWith("/")
        ? box.place() + box.name()
        : box.place() + "/" + box.name();
  }

  /** When versions were written; of those that have no writer nothing is known. */
  private String times(Box box) {
    List<Long> written =
        box.members().stream()
            .map(nodes::get)
            .filter(node -> node.fate() != null && node.writer() != null)
            .map(LineageNode::versionMicros)
            .sorted()
            .toList();
    if (written.isEmpty()) {
      return "";
    }
    String first = time(written.get(0));
    String last = time(written.get(written.size() - 1));
    // Of the last one, what differs from the first: the day, or the time of it.
    boolean sameDay = first.startsWith(last.substring(0, DATE_LENGTH));
    return "  "
        + terminal.highlight(
            first.equals(last)
                ? first
                : first + " … " + (sameDay ? last.substring(DATE_LENGTH) : last));
  }

  private String fates(Box box) {
    String fates =
        box.fates().entrySet().stream()
            .filter(fate -> fate.getKey() != LineageNode.Fate.CURRENT)
            .map(
                fate ->
                    (box.count() == 1 ? "" : fate.getValue() + " ")
                        + fate.getKey().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return fates.isEmpty() ? "" : terminal.dim(" " + fates + " since");
  }

  private String process(Box box, String word, String below, boolean above) {
    LineageNode first = nodes.get(box.members().get(0));
    String plain =
        box.count() > 1
            ? count(box) + box.name()
            : shortened(first.description(), below.length() + word.length());
    String what = terminal.bold(plain);
    String place = jobs(box, above) + users(box);
    if (plain.length() + place.length() + below.length() + word.length() > width) {
      String indent = below + (above || branches.get(box.index()).isEmpty() ? "   " : "│  ");
      return what
          + notes(box.doubts())
          + System.lineSeparator()
          + indent
          + wrapped(place.replaceFirst("^, ", ""), indent);
    }
    return what + place + notes(box.doubts());
  }

  /** Many jobs are listed once. */
  private String jobs(Box box, boolean above) {
    Set<String> names = new TreeSet<>();
    for (int index : box.jobs()) {
      LineageNode job = nodes.get(index);
      String name =
          job.description().startsWith("job:") || box.count() > 1 ? "" : " " + job.description();
      names.add(job.id().replaceFirst("^job:", "") + name);
    }
    return switch (names.size()) {
      case 0 -> "";
      case 1 -> ", job " + names.iterator().next();
      default -> ", " + names.size() + " jobs" + (above ? "" : " " + asFarAsThereIsRoom(names));
    };
  }

  private String users(Box box) {
    Set<String> users = new TreeSet<>();
    box.users().forEach(user -> users.add(nodes.get(user).description()));
    return users.isEmpty() ? "" : " of " + String.join(", ", users);
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

  /** What differs in the paths of a box, each once; nothing if it is of processes. */
  private Set<String> places(Box box) {
    if (box.kind() == Box.Kind.PROCESS) {
      return Set.of();
    }
    List<String> paths = box.members().stream().map(nodes::get).map(LineageNode::id).toList();
    int from = sharedPrefix(paths).length();
    int cut = sharedSuffix(paths).length();
    Set<String> places = new TreeSet<>();
    for (String path : paths) {
      places.add(path.substring(from, Math.max(from, path.length() - cut)));
    }
    return places;
  }

  private String asFarAsThereIsRoom(Collection<String> names) {
    List<String> some = new ArrayList<>();
    int room = LINES_OF_NAMES * width;
    for (String name : names) {
      room -= name.length() + 1;
      if (room < 0) {
        some.add("… and " + (names.size() - some.size()) + " more");
        break;
      }
      some.add(name);
    }
    return String.join(" ", some);
  }

  private static String sharedPrefix(List<String> paths) {
    String prefix = paths.get(0);
    for (String path : paths) {
      int length = 0;
      while (length < Math.min(prefix.length(), path.length())
          && prefix.charAt(length) == path.charAt(length)) {
        length++;
      }
      prefix = prefix.substring(0, length);
    }
    return prefix.substring(0, prefix.lastIndexOf('/') + 1);
  }

  private static String sharedSuffix(List<String> paths) {
    String suffix = paths.get(0).substring(sharedPrefix(paths).length());
    for (String path : paths) {
      int length = 0;
      while (length < Math.min(suffix.length(), path.length())
          && suffix.charAt(suffix.length() - 1 - length)
              == path.charAt(path.length() - 1 - length)) {
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
}
