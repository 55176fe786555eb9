package io.graphmeta.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What must be in the database of a {@link SplitCrashWriter}, by what it has printed. Transactions
 * that were not acknowledged are settled by what is found after the crash, once and for all.
 */
final class SplitCrashModel {
  private static final long UNTOLD = -1;

  private final Map<String, Edge> edges = new LinkedHashMap<>();
  private final Map<String, Long> dropped = new HashMap<>();
  private final List<String> vertices = new ArrayList<>();
  private final List<Long> stamps = new ArrayList<>();
  private final List<Saw> saws = new ArrayList<>();
  private final Map<String, List<Op>> open = new LinkedHashMap<>();
  private int acknowledged;
  private int splits;

  SplitCrashModel() {
    for (int i = 0; i < SplitCrashWriter.FILES; i++) {
      vertices.add(SplitCrashWriter.file(i));
    }
  }

  /** What a reader has seen of the edges of a vertex. */
  record Saw(long stamp, String hub, boolean outgoing, String fingerprint) {}

  /** An edge as a reader finds it. */
  record Found(String name, String out, String in, String value) {}

  /** An edge and the stamps that it exists between; {@link #UNTOLD} where only the crash knows. */
  private static final class Edge {
    private final String out;
    private final String in;
    private final long from;
    private long until = Long.MAX_VALUE;
    private String value;

    Edge(String name, String out, String in, long from) {
      this.out = out;
      this.in = in;
      this.from = from;
      this.value = name;
    }
  }

  /** A step of a transaction: its name and what it is about. */
  private record Op(String kind, List<String> arguments) {
    String edge() {
      return arguments.get(0);
    }
  }

  int acknowledged() {
    return acknowledged;
  }

  /** Splits that were committed before the crashes. */
  int splits() {
    return splits;
  }

  List<Saw> saws() {
    return saws;
  }

  /** Stamps of acknowledged transactions, in no order. */
  List<Long> stamps() {
    return stamps;
  }

  /** The ids of all vertices that ever were, as far as the run is known to have begun. */
  List<String> vertices() {
    return vertices;
  }

  /** Takes what a run has printed, each line with its end. */
  void read(List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "begun" -> addHubs(words[1]);
        case "try" -> open.put(words[1], ops(words));
        case "ok" -> {
          apply(open.remove(words[1]), Long.parseLong(words[2]));
          stamps.add(Long.parseLong(words[2]));
          acknowledged++;
        }
        case "no" -> open.remove(words[1]);
        case "saw" ->
            saws.add(new Saw(Long.parseLong(words[1]), words[2], words[3].equals("out"), words[4]));
        case "halt" -> splits += Integer.parseInt(words[2]);
        case "unknown" -> {}
        default -> throw new IllegalArgumentException(line);
      }
    }
  }

  private void addHubs(String run) {
    for (int i = 0; i < 2 * SplitCrashWriter.GENERATIONS; i++) {
      vertices.add(SplitCrashWriter.hub(run, i / 2, i % 2 == 1));
    }
  }

  private static List<Op> ops(String[] words) {
    List<Op> ops = new ArrayList<>();
    for (int at = 2; !words[at].equals(";"); ) {
      int arguments =
          switch (words[at]) {
            case "add" -> 3;
            case "set" -> 2;
            case "end", "drop" -> 1;
            default -> throw new IllegalArgumentException(String.join(" ", words));
          };
      ops.add(new Op(words[at], Arrays.asList(words).subList(at + 1, at + 1 + arguments)));
      at += 1 + arguments;
    }
    return ops;
  }

  private void apply(List<Op> ops, long stamp) {
    for (Op op : ops) {
      switch (op.kind()) {
        case "add" ->
            edges.put(
                op.edge(),
                new Edge(op.edge(), op.arguments().get(1), op.arguments().get(2), stamp));
        case "end" -> edges.get(op.edge()).until = stamp;
        case "set" -> edges.get(op.edge()).value = op.arguments().get(1);
        case "drop" -> dropped.put(op.arguments().get(0), stamp);
        default -> throw new IllegalArgumentException(op.toString());
      }
    }
  }

  /**
   * Settles what was not acknowledged: each transaction is there as a whole or not at all.
   *
   * @param isThere whether a vertex exists now
   * @return a transaction that is there in part, or null
   */
  @Nullable String settle(Map<String, Found> found, Set<String> isThere) {
    for (boolean drops : new boolean[] {true, false}) {
      for (Map.Entry<String, List<Op>> each : open.entrySet()) {
        if (each.getValue().get(0).kind().equals("drop") == drops) {
          Set<Boolean> evidence = new HashSet<>();
          each.getValue().forEach(op -> evidence.add(isDone(op, found, isThere)));
          evidence.remove(null);
          if (evidence.size() > 1) {
            return each.getKey() + " " + each.getValue();
          }
          // Without evidence all of it belongs to a vertex that is gone.
          if (!evidence.contains(false)) {
            apply(each.getValue(), UNTOLD);
          }
        }
      }
    }
    open.clear();
    return null;
  }

  private @Nullable Boolean isDone(Op op, Map<String, Found> found, Set<String> isThere) {
    if (op.kind().equals("drop")) {
      return !isThere.contains(op.arguments().get(0));
    }
    Edge edge =
        op.kind().equals("add")
            ? new Edge(op.edge(), op.arguments().get(1), op.arguments().get(2), UNTOLD)
            : edges.get(op.edge());
    if (dropped.containsKey(edge.out) || dropped.containsKey(edge.in)) {
      return null;
    }
    Found now = found.get(op.edge());
    return switch (op.kind()) {
      case "add" -> now != null;
      case "end" -> now == null;
      default -> now != null && now.value().equals(op.arguments().get(1));
    };
  }

  /** Takes edges that were added besides. */
  void added(Collection<Found> more, long stamp) {
    more.forEach(
        edge -> edges.put(edge.name(), new Edge(edge.name(), edge.out(), edge.in(), stamp)));
    stamps.add(stamp);
  }

  /** The hubs of a run that have edges now. */
  Set<String> hubsWithEdges(String run) {
    Set<String> hubs = new TreeSet<>();
    for (Found edge : edgesNow().values()) {
      for (String end : List.of(edge.out(), edge.in())) {
        if (end.startsWith("hub-" + run + "-")) {
          hubs.add(end);
        }
      }
    }
    return hubs;
  }

  /** The vertices that must be there now. */
  Set<String> verticesNow() {
    Set<String> now = new HashSet<>(vertices);
    now.removeAll(dropped.keySet());
    return now;
  }

  /** The edges that must be there now. */
  Map<String, Found> edgesNow() {
    Map<String, Found> now = new HashMap<>();
    edges.forEach(
        (name, edge) -> {
          if (edge.until == Long.MAX_VALUE
              && !dropped.containsKey(edge.out)
              && !dropped.containsKey(edge.in)) {
            now.put(name, new Found(name, edge.out, edge.in, edge.value));
          }
        });
    return now;
  }

  /** The edges that must have been there at a stamp, of those of which that is known. */
  Set<String> edgesAt(long stamp) {
    Set<String> then = new HashSet<>();
    edges.forEach(
        (name, edge) -> {
          if (isTold(name)
              && edge.from <= stamp
              && stamp < edge.until
              && stamp < dropped.getOrDefault(edge.out, Long.MAX_VALUE)
              && stamp < dropped.getOrDefault(edge.in, Long.MAX_VALUE)) {
            then.add(name);
          }
        });
    return then;
  }

  /** Whether it is known at which stamps an edge was there. */
  boolean isTold(String name) {
    Edge edge = edges.get(name);
    return edge == null
        || (edge.from != UNTOLD
            && edge.until != UNTOLD
            && dropped.getOrDefault(edge.out, 0L) != UNTOLD
            && dropped.getOrDefault(edge.in, 0L) != UNTOLD);
  }
}
