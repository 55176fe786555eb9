package io.graphmeta.server.export;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lineage whose links point the way that content went, whichever way it was asked: from what was
 * there before to what rests on it, from a user to the jobs and from a job to its processes.
 * Immutable.
 */
public final class LineageGraph {
  /** Namespace of the terms and names of GraphMeta. It names, and nothing is found there. */
  public static final String NAMESPACE = "tag:graphmeta.io,2026:";

  /** Version of what was in a file before the first write on record. */
  static final String INITIAL = "initial";

  /**
   * A link.
   *
   * @param from where it comes from
   * @param to what rests on that, or belongs to it
   * @param relation label of the edge, or {@link Lineage#CONTINUES}
   */
  record Arrow(LineageNode from, LineageNode to, String relation) {}

  private final Lineage lineage;
  private final List<Arrow> arrows = new ArrayList<>();
  private final Map<Integer, List<Arrow>> into = new HashMap<>();
  private final Map<Integer, List<Arrow>> outOf = new HashMap<>();
  private final Map<Integer, String> keys = new LinkedHashMap<>();

  /**
   * A lineage to write.
   *
   * @param forward whether it is of what rests on the start
   */
  public LineageGraph(Lineage lineage, boolean forward) {
    this.lineage = lineage;
    Map<String, Integer> taken = new HashMap<>();
    for (LineageNode node : lineage.nodes()) {
      String key = plainKey(node);
      // Two processes can have opened a file in the same microsecond.
      int same = taken.merge(key, 1, Integer::sum);
      keys.put(node.index(), same == 1 ? key : key + "~" + same);
    }
    // A lineage of a job tells of its processes from both ends: that is one link.
    Set<Lineage.Link> turned = new LinkedHashSet<>();
    lineage.links().forEach(link -> turned.add(turned(link, forward)));
    for (Lineage.Link link : turned) {
      Arrow arrow =
          new Arrow(
              lineage.nodes().get(link.from()), lineage.nodes().get(link.to()), link.relation());
      arrows.add(arrow);
      outOf.computeIfAbsent(link.from(), key -> new ArrayList<>()).add(arrow);
      into.computeIfAbsent(link.to(), key -> new ArrayList<>()).add(arrow);
    }
  }

  private Lineage.Link turned(Lineage.Link link, boolean forward) {
    String near = lineage.nodes().get(link.from()).label();
    // Jobs and users are told with what they ran, in whichever direction the search goes.
    boolean nearFirst =
        switch (link.relation()) {
          case Vocabulary.CONTAINS -> near.equals(Vocabulary.JOB);
          case Vocabulary.RAN -> near.equals(Vocabulary.USER);
          default -> forward;
        };
    return nearFirst ? link : new Lineage.Link(link.to(), link.from(), link.relation());
  }

  LineageNode root() {
    return lineage.root();
  }

  boolean partial() {
    return lineage.partial();
  }

  List<LineageNode> elements() {
    return lineage.nodes();
  }

  Stream<LineageNode> elements(String label) {
    return lineage.nodes().stream().filter(node -> node.label().equals(label));
  }

  List<Arrow> arrows() {
    return arrows;
  }

  /** How many links there are. */
  public int arrowCount() {
    return arrows.size();
  }

  List<Arrow> arrowsInto(LineageNode node) {
    return into.getOrDefault(node.index(), List.of());
  }

  List<Arrow> arrowsOutOf(LineageNode node) {
    return outOf.getOrDefault(node.index(), List.of());
  }

  /** The users of the jobs that ran a process, or of a job. */
  List<LineageNode> usersOf(LineageNode node) {
    return arrowsInto(node).stream()
        .flatMap(
            arrow ->
                switch (arrow.relation()) {
                  case Vocabulary.RAN -> Stream.of(arrow.from());
                  case Vocabulary.CONTAINS -> usersOf(arrow.from()).stream();
                  default -> Stream.empty();
                })
        .distinct()
        .toList();
  }

  /**
   * A name for an element that no other element has, of letters, digits and {@code -._~/%@:}:
   * label, id, and of a file or executable the version.
   */
  String key(LineageNode node) {
    return String.valueOf(keys.get(node.index()));
  }

  private static String plainKey(LineageNode node) {
    String key = node.label() + "/" + Percent.encode(node.id());
    String version = version(node);
    return version == null ? key : key + "@" + version;
  }

  /** The version of a file or executable; null of other elements. */
  static @Nullable String version(LineageNode node) {
    if (isFile(node)) {
      return node.writer() == null ? INITIAL : time(node.versionMicros());
    }
    return node.label().equals(Vocabulary.EXECUTABLE) ? time(node.versionMicros()) : null;
  }

  static boolean isFile(LineageNode node) {
    return node.fate() != null;
  }

  static boolean isProcess(LineageNode node) {
    return node.label().equals(Vocabulary.PROCESS);
  }

  static String time(long micros) {
    return Stamp.format(Stamp.startOfMicros(micros));
  }

  /** The doubts about an element as words, in their order. */
  static List<String> doubts(LineageNode node) {
    return node.doubts().stream().sorted().map(doubt -> doubt.word()).toList();
  }
}
