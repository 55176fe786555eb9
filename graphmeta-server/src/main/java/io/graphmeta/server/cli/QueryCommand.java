package io.graphmeta.server.cli;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import javax.script.Bindings;
import javax.script.ScriptException;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONXModuleV3;
import org.apache.tinkerpop.gremlin.structure.io.graphson.TypeInfo;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a Gremlin query. */
@Command(
    name = "query",
    description = {
      "Runs a Gremlin query (gremlin-lang, beginning with g.) and prints one result a line. Queries that write are refused"
          + " unless --write is given; reading and writing of files by io() always is."
    },
    footer = {
      "%nExamples:%n  graphmeta query --db graph \"g.V().hasLabel('job').has('state','FAILED').id()\"%n"
          + "  graphmeta query --db graph --as-of 2026-11-21T00:35:30Z \"g.V('/proj/hx01/config/model.cfg').in('wrote').id()\"%n"
          + "  graphmeta query --db graph --profile \"g.V('/proj/hx01/config/model.cfg').repeat(__.in().dedup()).emit().count()\"%n"
          + "  graphmeta query --connect localhost:8182 \"g.V().count()\"%n"
          + "  graphmeta query --db graph --write \"g.addV('note').property(id,'note:1').property('text','looked at')\"%n"
    })
final class QueryCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();
  @Mixin private ServerOption connection = new ServerOption();
  @Mixin private ViewOptions view = new ViewOptions();

  @Parameters(paramLabel = "GREMLIN", description = "The query.")
  private String gremlin = "";

  @Option(names = "--json", description = "One JSON value a line: GraphSON 3 without types.")
  private boolean json;

  @Option(names = "--write", description = "Let the query write, and commit what it wrote.")
  private boolean write;

  @Option(
      names = "--profile",
      description =
          "Print what the query took instead of its results: each step, and each level of a plan on each server.")
  private boolean profile;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try (AskedGraph graph = AskedGraph.of(db, connection, write)) {
      try {
        run(graph, out);
      } catch (RuntimeException e) {
        throw graph.told(e);
      }
    }
    return 0;
  }

  private void run(AskedGraph graph, PrintWriter out) throws IOException {
    Iterator<?> results = evaluate(graph.source(view, write), gremlin);
    if (profile) {
      results = profiled(results);
    }
    @Nullable ObjectMapper mapper = json ? mapper() : null;
    while (results.hasNext()) {
      Object result = results.next();
      out.println(mapper == null ? text(result) : mapper.writeValueAsString(result));
    }
    if (write) {
      graph.commit();
    }
  }

  /** What a query takes, as lines; or as one value for a program. */
  private Iterator<?> profiled(Iterator<?> results) {
    if (!(results instanceof GraphTraversal<?, ?> traversal)) {
      throw GraphMetaException.invalid(
          "The query '"
              + gremlin
              + "' does more than to traverse; expected steps alone for --profile");
    }
    TraversalMetrics metrics = traversal.profile().next();
    return json ? List.of(metrics).iterator() : ProfileText.lines(metrics).iterator();
  }

  private static Iterator<?> evaluate(GraphTraversalSource source, String gremlin) {
    GremlinLangScriptEngine engine = new GremlinLangScriptEngine();
    Bindings bindings = engine.createBindings();
    bindings.put("g", source);
    Object result;
    try {
      result = engine.eval(gremlin, bindings);
    } catch (ScriptException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_ARGUMENT, "The query is not understood: " + cause(e), e);
    }
    if (result instanceof Traversal<?, ?> traversal) {
      return traversal;
    }
    if (result instanceof GraphTraversalSource) {
      throw GraphMetaException.invalid(
          "The query '" + gremlin + "' asks for nothing; expected steps, such as g.V().limit(3)");
    }
    return result == null ? List.of().iterator() : IteratorUtils.asIterator(result);
  }

  private static String cause(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return Failures.oneLine(cause.getMessage());
  }

  private static ObjectMapper mapper() throws IOException {
    return GraphSONMapper.build()
        .version(GraphSONVersion.V3_0)
        .typeInfo(TypeInfo.NO_TYPES)
        .addCustomModule(GraphSONXModuleV3.build())
        .create()
        .createMapper();
  }

  /** A result as Gremlin prints it, line breaks written out. */
  private static String text(@Nullable Object result) {
    return String.valueOf(result).replace("\r", "\\r").replace("\n", "\\n");
  }
}
