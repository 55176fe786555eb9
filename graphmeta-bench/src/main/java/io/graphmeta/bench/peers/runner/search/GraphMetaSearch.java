package io.graphmeta.bench.peers.runner.search;

import io.graphmeta.bench.peers.runner.GraphMetaProvider;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;

/** GraphMeta, embedded. The ids of files are their numbers. */
public final class GraphMetaSearch extends GremlinSearch {
  private static final Map<String, String> INDEXES =
      Map.of(
          "file.path", "exact,fragment",
          "file.name", "exact",
          "file.owner", "exact",
          "file.size", "range",
          "file.state", "exact",
          "process.commandLine", "words");
  private static final long PAUSE_MILLIS = 20;

  /** An index that nothing is written beside is behind by its pauses, and never by nothing. */
  private static final long BEHIND_MILLIS = 500;

  private Graph graph = EmptyGraph.instance();
  private SearchData data = new SearchData(0);
  private String moment = "";

  @Override
  public void create(Path directory, SearchData made) {
    data = made;
    graph = new GraphMetaProvider().open(directory);
    INDEXES.forEach(
        (name, kinds) ->
            graph
                .traversal()
                .call("graphmeta.index", Map.of("do", "create", "name", name, "kind", kinds))
                .iterate());
  }

  @Override
  protected SearchData data() {
    return data;
  }

  @Override
  protected GraphTraversalSource source(boolean past) {
    return past ? graph.traversal().with("asOf", moment) : graph.traversal();
  }

  @Override
  public void addFiles(int from, int to) {
    GraphTraversalSource g = source(false);
    for (int file = from; file < to; file++) {
      g.addV("file")
          .property(T.id, (long) file)
          .property("number", (long) file)
          .property("path", data.path(file))
          .property("name", data.name(file))
          .property("owner", data.owner(file))
          .property("size", data.size(file))
          .property("state", data.state(file))
          .iterate();
    }
    g.tx().commit();
  }

  @Override
  protected Vertex file(GraphTraversalSource g, int number) {
    return g.V((long) number).next();
  }

  @Override
  protected P<?> startingWith(String prefix) {
    return TextP.startingWith(prefix);
  }

  @Override
  protected P<?> containing(String part) {
    return TextP.containing(part);
  }

  @Override
  protected P<?> matching(String regex) {
    return TextP.regex(regex);
  }

  @Override
  protected GraphTraversal<?, Vertex> withWord(GraphTraversalSource g, String word) {
    return g.<Vertex>call(
            "graphmeta.search", Map.of("query", word, "label", "process", "in", "commandLine"))
        .map(__.identity());
  }

  /** Waits until each index is built, and has all but what was committed a moment ago. */
  @Override
  public void settle() throws InterruptedException {
    while (!isSettled()) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private boolean isSettled() {
    return graph.traversal().<Map<String, Object>>call("graphmeta.index").toList().stream()
        .allMatch(index -> Boolean.TRUE.equals(index.get("built")) && isUpToDate(index));
  }

  private static boolean isUpToDate(Map<String, Object> index) {
    return index.get("shards") instanceof List<?> shards
        && shards.stream()
            .allMatch(
                shard ->
                    ((Map<?, ?>) shard).get("behindMillis") instanceof Number late
                        && late.longValue() < BEHIND_MILLIS);
  }

  @Override
  public void rememberMoment() {
    moment = Instant.now().toString();
  }

  @Override
  public boolean hasPast() {
    return true;
  }

  @Override
  public void close() throws Exception {
    graph.close();
  }
}
