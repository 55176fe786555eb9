package io.graphmeta.server.picture;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.LineageNode.Fate;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Presence;
import io.graphmeta.server.picture.Picture.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What boxes say. Every text that comes out is visible. Used by one thread. */
final class BoxText {
  private static final int MOST_NAMED = 12;
  private static final int MOST_CHARACTERS = 600;

  private final List<LineageNode> nodes;
  private final Times times;

  BoxText(FoldedLineage folded) {
    this.nodes = folded.overlay().lineage().nodes();
    this.times = Times.of(folded.boxes());
  }

  /** The number of members that comes before the name; empty of one. */
  static String count(Box box) {
    return box.count() == 1 ? "" : String.format(Locale.ROOT, "%,d × ", box.count());
  }

  static String name(Box box) {
    return VisibleText.of(box.name());
  }

  /** The lines below the name. */
  List<String> details(Box box) {
    List<String> lines = new ArrayList<>();
    switch (box.kind()) {
      case FILE -> lines.add(VisibleText.of(box.place()));
      case PROGRAM -> {
        lines.add(VisibleText.of(box.place()));
        if (!box.built().isEmpty()) {
          lines.add(
              String.format(Locale.ROOT, "program · built from %,d more", box.built().size()));
          return lines;
        }
      }
      case PROCESS, JOB -> lines.add(jobsAndUsers(box));
    }
    lines.add(isInitial(box) ? "no writer recorded" : times.range(box));
    return lines;
  }

  private boolean isInitial(Box box) {
    return !box.fates().isEmpty()
        && box.members().stream().allMatch(member -> nodes.get(member).writer() == null);
  }

  private String jobsAndUsers(Box box) {
    String users = String.join(", ", users(box));
    String jobs =
        box.jobs().size() == 1
            ? job(nodes.get(box.jobs().get(0)))
            : box.jobs().isEmpty() ? "" : String.format(Locale.ROOT, "%,d jobs", box.jobs().size());
    return jobs.isEmpty() || users.isEmpty() ? jobs + users : jobs + " · " + users;
  }

  private Set<String> users(Box box) {
    return box.users().stream()
        .map(user -> VisibleText.of(nodes.get(user).description()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String job(LineageNode job) {
    String number = VisibleText.of(job.id().replaceFirst("^job:", ""));
    String name = VisibleText.of(job.description());
    return name.isEmpty() || name.equals(number) || name.equals("job:" + number)
        ? "job " + number
        : "job " + number + " " + name;
  }

  static String signs(Box box) {
    StringBuilder signs = new StringBuilder();
    Map<Fate, Integer> fates = box.fates();
    add(signs, box.presence() == Presence.NEW, Sign.NEW);
    add(signs, box.presence() == Presence.GONE, Sign.GONE);
    add(signs, !box.doubts().isEmpty(), Sign.DOUBT);
    add(signs, box.withinLinks() > 0, Sign.WITHIN);
    add(signs, fates.containsKey(Fate.REPLACED), Sign.REPLACED);
    add(signs, fates.containsKey(Fate.RENAMED), Sign.RENAMED);
    add(signs, fates.containsKey(Fate.DELETED), Sign.DELETED);
    return signs.toString();
  }

  private static void add(StringBuilder signs, boolean holds, Sign sign) {
    if (holds) {
      signs.append(sign.character());
    }
  }

  /** All that is known of a box, a sentence a line. */
  List<String> description(Box box) {
    List<String> lines = new ArrayList<>();
    LineageNode first = nodes.get(box.members().get(0));
    String count = count(box);
    if (box.kind() == Box.Kind.FILE || box.kind() == Box.Kind.PROGRAM) {
      String place =
          box.place().isEmpty() || box.place().equals("/") ? box.place() : box.place() + "/";
      lines.add(cut(count + VisibleText.of(box.count() == 1 ? first.id() : place + box.name())));
    } else {
      lines.add(cut(count + (box.count() == 1 ? VisibleText.of(first.description()) : name(box))));
    }
    if (!box.jobs().isEmpty()) {
      String more = box.jobs().size() > MOST_NAMED ? " …" : "";
      lines.add(
          box.jobs().stream()
                  .limit(MOST_NAMED)
                  .map(job -> job(nodes.get(job)))
                  .collect(Collectors.joining(", "))
              + more);
    }
    if (!box.users().isEmpty()) {
      lines.add("of " + String.join(", ", users(box)));
    }
    lines.add(isInitial(box) ? "no writer recorded" : Times.exact(box));
    box.fates()
        .forEach(
            (fate, number) -> {
              if (fate != Fate.CURRENT) {
                String of = box.count() == 1 ? "" : number + " ";
                lines.add(of + fate.name().toLowerCase(Locale.ROOT) + " since");
              }
            });
    if (!box.built().isEmpty()) {
      lines.add("built from " + box.built().size() + " more elements");
    }
    if (box.withinLinks() > 0) {
      lines.add(box.withinLinks() + " links between its members");
    }
    switch (box.presence()) {
      case NEW -> lines.add("new: only in the second of the two");
      case GONE -> lines.add("gone: only in the first of the two");
      case KEPT -> {}
    }
    for (Doubt doubt : box.doubts()) {
      lines.add("? " + doubt.sentence());
    }
    return lines;
  }

  private static String cut(String text) {
    return VisibleText.shortened(text, MOST_CHARACTERS);
  }
}
