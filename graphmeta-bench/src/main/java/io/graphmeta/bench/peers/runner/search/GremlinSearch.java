package io.graphmeta.bench.peers.runner.search;

import static org.apache.tinkerpop.gremlin.process.traversal.Order.desc;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** A graph that is asked in Gremlin. Texts are looked for by predicates of its own. */
public abstract class GremlinSearch implements SearchSubject {
  /** The traversals that questions begin with. */
  protected abstract GraphTraversalSource source(boolean past);

  /** Files whose path begins with a text. */
  protected abstract P<?> startingWith(String prefix);

  /** Files whose path contains a text. */
  protected abstract P<?> containing(String part);

  /** Files in whose path an expression is found. */
  protected abstract P<?> matching(String regex);

  /** Processes whose command line has a word. */
  protected abstract GraphTraversal<?, Vertex> withWord(GraphTraversalSource g, String word);

  /** How many vertices are found; all of them. */
  protected long count(GraphTraversal<?, Vertex> found) {
    return found.count().next();
  }

  /** What the subject was made for. */
  protected abstract SearchData data();

  /** The vertex of a file, in the transaction that is open. */
  protected abstract Vertex file(GraphTraversalSource g, int number);

  @Override
  public void addFiles(int from, int to) throws Exception {
    GraphTraversalSource g = source(false);
    for (int file = from; file < to; file++) {
      g.addV("file")
          .property("number", (long) file)
          .property("path", data().path(file))
          .property("name", data().name(file))
          .property("owner", data().owner(file))
          .property("size", data().size(file))
          .property("state", data().state(file))
          .iterate();
    }
    g.tx().commit();
  }

  @Override
  public void addProcesses(int from, int to) throws Exception {
    GraphTraversalSource g = source(false);
    for (int process = from; process < to; process++) {
      g.addV("process")
          .property("number", (long) process)
          .property("commandLine", data().commandLine(process))
          .iterate();
    }
    g.tx().commit();
  }

  @Override
  public void change(int from, int to) throws Exception {
    GraphTraversalSource g = source(false);
    for (int change = from; change < to; change++) {
      Vertex file = file(g, data().changed(change));
      file.property("size", data().newSize(change));
      file.property("state", data().newState(change));
    }
    g.tx().commit();
  }

  @Override
  public long[] ask(SearchQuestion question, int number, boolean past) throws Exception {
    GraphTraversalSource g = source(past);
    try {
      if (question == SearchQuestion.COUNT) {
        return new long[] {count(files(g).has("owner", data().owner(number)))};
      }
      List<Object> found = found(g, question, number).values("number").toList();
      return found.stream().mapToLong(each -> ((Number) each).longValue()).toArray();
    } finally {
      g.tx().rollback();
    }
  }

  private GraphTraversal<?, Vertex> found(
      GraphTraversalSource g, SearchQuestion question, int number) {
    return switch (question) {
      case EXACT -> files(g).has("name", data().name(number));
      case PREFIX -> files(g).has("path", startingWith(data().directory(number)));
      case FRAGMENT -> files(g).has("path", containing(SearchQuestion.fragment(number)));
      case REGEX -> files(g).has("path", matching(SearchQuestion.regex(number)));
      case WORD -> withWord(g, data().word(number));
      case LARGEST ->
          files(g)
              .has("size", P.gt(SearchQuestion.largeBytes(number)))
              .order()
              .by("size", desc)
              .limit(SearchQuestion.MOST);
      case THREE ->
          files(g)
              .has("owner", data().owner(number))
              .has("state", "closed")
              .has("size", P.gt(SearchQuestion.halfBytes()));
      case COUNT -> throw new IllegalArgumentException("A count finds no vertices");
    };
  }

  private static GraphTraversal<Vertex, Vertex> files(GraphTraversalSource g) {
    return g.V().hasLabel("file");
  }
}
