package io.graphmeta.simulation;

import io.graphmeta.simulation.DependencyGraph.Edge;
import io.graphmeta.simulation.DependencyGraph.Filter;
import io.graphmeta.simulation.DependencyGraph.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks in a history for what isolation levels forbid, as Elle does (Kingsbury and Alvaro, VLDB
 * 2020), but with the order of versions known: every version carries its stamp. So the dependencies
 * are known too, and cycles of them are strongly connected components, found in linear time.
 *
 * <p>Snapshot isolation forbids every cycle in which no two edges of kind {@link Kind#READ_WRITE}
 * follow each other (Cerone and Gotsman, 2018). Those cycles are components of the graph of pairs
 * (transaction, whether it was reached by such an edge). Cycles with two in a row are write skew,
 * which it allows.
 */
public final class IsolationChecker {
  /** The anomalies of Adya (1999), as far as versions show them. */
  public enum Anomaly {
    /** Two transactions each overwrote the other. */
    G0,
    /** A version of a transaction that did not commit was read. */
    G1A,
    /** A version was read that its transaction replaced before it committed. */
    G1B,
    /** A cycle of writing and reading what was written. */
    G1C,
    /** A cycle with one anti-dependency, or with none next to another: a read skew. */
    G_SINGLE,
    /** A cycle with anti-dependencies next to each other: a write skew. */
    G2_ITEM
  }

  /** An anomaly, with the transactions and keys that show it. */
  public record Finding(Anomaly anomaly, String words) {}

  /** A transaction of a history. */
  public static final class Member {
    private final String name;
    private final boolean committed;
    private final List<Read> reads = new ArrayList<>();
    private final Map<String, List<Write>> writes = new TreeMap<>();

    /** One that has neither read nor written yet. */
    public Member(String name, boolean committed) {
      this.name = name;
      this.committed = committed;
    }

    /** It read the version with a value, or none. */
    public void read(String key, @Nullable Object value) {
      reads.add(new Read(key, value));
    }

    /** It wrote a value, which nobody else ever writes to any key, under a stamp. */
    public void wrote(String key, Object value, long stamp) {
      writes.computeIfAbsent(key, k -> new ArrayList<>(1)).add(new Write(value, stamp));
    }
  }

  private record Write(Object value, long stamp) {}

  private record Read(String key, @Nullable Object value) {}

  /** A version: what the last write of a transaction to a key left. */
  private record Version(int writer, long stamp, Object value) {}

  private final List<Member> members;
  private final Map<String, List<Version>> versions = new HashMap<>();
  private final Map<Object, Integer> position = new HashMap<>();
  private final Map<Object, Integer> writers = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  private IsolationChecker(List<Member> members) {
    this.members = members;
  }

  /** All that is to be found; of each component of a kind one cycle. */
  public static List<Finding> check(List<Member> history) {
    return new IsolationChecker(history).run();
  }

  private List<Finding> run() {
    collectVersions();
    DependencyGraph graph = dependencies();
    report(graph, Anomaly.G0, edge -> edge.kind() == Kind.WRITE_WRITE);
    report(graph, Anomaly.G1C, edge -> edge.kind() != Kind.READ_WRITE);
    reportReadSkew(graph);
    reportWriteSkew(graph);
    return findings;
  }

  private void collectVersions() {
    for (int m = 0; m < members.size(); m++) {
      Member member = members.get(m);
      for (Map.Entry<String, List<Write>> writes : member.writes.entrySet()) {
        for (Write write : writes.getValue()) {
          writers.put(write.value(), m);
        }
        if (member.committed) {
          Write last = writes.getValue().get(writes.getValue().size() - 1);
          versions
              .computeIfAbsent(writes.getKey(), k -> new ArrayList<>())
              .add(new Version(m, last.stamp(), last.value()));
        }
      }
    }
    for (List<Version> ofKey : versions.values()) {
      ofKey.sort(Comparator.comparingLong(Version::stamp));
      for (int i = 0; i < ofKey.size(); i++) {
        position.put(ofKey.get(i).value(), i);
      }
    }
  }

  private DependencyGraph dependencies() {
    DependencyGraph graph = new DependencyGraph(members.size());
    versions.forEach(
        (key, ofKey) -> {
          for (int i = 1; i < ofKey.size(); i++) {
            graph.add(ofKey.get(i - 1).writer(), ofKey.get(i).writer(), Kind.WRITE_WRITE, key);
          }
        });
    for (int reader = 0; reader < members.size(); reader++) {
      for (Read read : members.get(reader).reads) {
        addRead(graph, reader, read);
      }
    }
    return graph;
  }

  private void addRead(DependencyGraph graph, int reader, Read read) {
    int seen = -1;
    if (read.value() != null) {
      Integer writer = writers.get(read.value());
      if (writer == null || !members.get(writer).committed) {
        find(Anomaly.G1A, reader, read, writer);
        return;
      }
      Integer at = position.get(read.value());
      if (at == null) {
        if (writer != reader) {
          find(Anomaly.G1B, reader, read, writer);
        }
        return;
      }
      seen = at;
      graph.add(writer, reader, Kind.WRITE_READ, read.key());
    }
    List<Version> ofKey = versions.getOrDefault(read.key(), List.of());
    if (members.get(reader).committed && seen + 1 < ofKey.size()) {
      graph.add(reader, ofKey.get(seen + 1).writer(), Kind.READ_WRITE, read.key());
    }
  }

  private void find(Anomaly anomaly, int reader, Read read, @Nullable Integer writer) {
    findings.add(
        new Finding(
            anomaly,
            members.get(reader).name
                + " read "
                + read.key()
                + "="
                + read.value()
                + " of "
                + (writer == null ? "nobody" : members.get(writer).name)));
  }

  private void report(DependencyGraph graph, Anomaly anomaly, Filter filter) {
    for (List<Integer> component : graph.components(filter)) {
      List<Edge> cycle = cycle(graph, component, filter);
      boolean writesOnly = cycle.stream().allMatch(edge -> edge.kind() == Kind.WRITE_WRITE);
      if (anomaly == Anomaly.G0 || !writesOnly) {
        findings.add(new Finding(anomaly, words(cycle)));
      }
    }
  }

  private static List<Edge> cycle(DependencyGraph graph, List<Integer> component, Filter filter) {
    int start = component.get(0);
    Set<Integer> inside = new HashSet<>(component); // a way back does not leave the component
    Filter filterInside = edge -> filter.takes(edge) && inside.contains(edge.to());
    for (Edge edge : graph.leaving(start)) {
      if (filterInside.takes(edge)) {
        List<Edge> cycle = new ArrayList<>(List.of(edge));
        cycle.addAll(graph.path(edge.to(), start, filterInside));
        return cycle;
      }
    }
    throw new IllegalStateException("A component without a cycle");
  }

  /** Cycles that snapshot isolation forbids, in the graph of (transaction, reached by an rw). */
  private void reportReadSkew(DependencyGraph graph) {
    DependencyGraph pairs = new DependencyGraph(graph.nodes() * 2);
    for (int node = 0; node < graph.nodes(); node++) {
      for (Edge edge : graph.leaving(node)) {
        boolean anti = edge.kind() == Kind.READ_WRITE;
        pairs.add(node * 2, edge.to() * 2 + (anti ? 1 : 0), edge.kind(), edge.key());
        if (!anti) {
          pairs.add(node * 2 + 1, edge.to() * 2, edge.kind(), edge.key());
        }
      }
    }
    for (List<Integer> component : pairs.components(edge -> true)) {
      List<Edge> cycle = cycle(pairs, component, edge -> true);
      if (cycle.stream().anyMatch(edge -> edge.kind() == Kind.READ_WRITE)) {
        List<Edge> named =
            cycle.stream().map(e -> new Edge(e.from() / 2, e.to() / 2, e.kind(), e.key())).toList();
        findings.add(new Finding(Anomaly.G_SINGLE, words(named)));
      }
    }
  }

  private void reportWriteSkew(DependencyGraph graph) {
    boolean forbidden =
        findings.stream().anyMatch(f -> f.anomaly() != Anomaly.G1A && f.anomaly() != Anomaly.G1B);
    if (forbidden) {
      return; // the cycles found are part of these components
    }
    for (List<Integer> component : graph.components(edge -> true)) {
      findings.add(new Finding(Anomaly.G2_ITEM, words(cycle(graph, component, edge -> true))));
    }
  }

  private String words(List<Edge> cycle) {
    StringBuilder words = new StringBuilder();
    for (Edge edge : cycle) {
      String arrow =
          switch (edge.kind()) {
            case WRITE_WRITE -> "ww";
            case WRITE_READ -> "wr";
            case READ_WRITE -> "rw";
          };
      words
          .append(members.get(edge.from()).name)
          .append(" -")
          .append(arrow)
          .append(" ")
          .append(edge.key())
          .append("-> ");
    }
    return words.append(members.get(cycle.get(0).from()).name).toString();
  }
}
