package io.graphmeta.server.cli.query;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.cli.output.Failures;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import javax.script.Bindings;
import javax.script.ScriptException;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
          + "  graphmeta query --db graph --format csv --file questions/jobs.gremlin > jobs.csv%n"
          + "  graphmeta query --db graph --write \"g.addV('note').property(id,'note:1').property('text','looked at')\"%n"
    })
public final class QueryCommand extends ViewQuestion {
  @Mixin private QuerySource query = new QuerySource();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "How to print the results: text, one a line as Gremlin writes them (the default); json, one value a line,"
              + " GraphSON 3 without types; table, with a column for each key; csv, by RFC 4180; or spreadsheet, CSV"
              + " in which text that a spreadsheet would run as a formula begins with an apostrophe.")
  private QueryResults.@Nullable Format format;

  @Option(names = "--json", description = "The same as --format json.")
  private boolean json;

  @Option(names = "--write", description = "Let the query write, and commit what it wrote.")
  private boolean write;

  @Option(
      names = "--profile",
      description =
          "Print what the query took instead of its results: each step, and each level of a plan on each shard.")
  private boolean profile;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = out();
    String gremlin = query.read();
    format();
    try (AskedGraph graph = open(write)) {
      try {
        run(graph, gremlin, out);
      } catch (RuntimeException e) {
        throw graph.told(e);
      }
    }
    return 0;
  }

  private void run(AskedGraph graph, String gremlin, PrintWriter out) {
    Iterator<?> results = evaluate(graph.source(view, write), gremlin);
    QueryResults.Format as = format();
    if (profile) {
      results = profiled(results, gremlin, as);
    }
    new QueryResults(out, as).print(results);
    if (write) {
      // Nobody may read the results any more; a query writes all that it says, or nothing.
      results.forEachRemaining(result -> {});
      graph.commit();
    }
  }

  private QueryResults.Format format() {
    if (format == null) {
      return json ? QueryResults.Format.JSON : QueryResults.Format.TEXT;
    }
    if (json && format != QueryResults.Format.JSON) {
      throw usage(
          "Options --json and --format " + format + " exclude each other; give one of them");
    }
    if (profile && format != QueryResults.Format.TEXT && format != QueryResults.Format.JSON) {
      throw usage("A profile is no " + format + "; expected --format text or json with --profile");
    }
    return format;
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  /** What a query takes, as lines; or as one value for a program. */
  private static Iterator<?> profiled(
      Iterator<?> results, String gremlin, QueryResults.Format format) {
    if (!(results instanceof GraphTraversal<?, ?> traversal)) {
      throw GraphMetaException.invalid(
          "The query '"
              + gremlin
              + "' does more than to traverse; expected steps alone for --profile");
    }
    TraversalMetrics metrics = traversal.profile().next();
    return format == QueryResults.Format.JSON
        ? List.of(metrics).iterator()
        : ProfileText.lines(metrics).iterator();
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
}
