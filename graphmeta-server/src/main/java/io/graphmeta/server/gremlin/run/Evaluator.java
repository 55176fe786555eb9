package io.graphmeta.server.gremlin.run;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.gremlin.rules.CallerStrategy;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.ScriptRules;
import io.graphmeta.server.gremlin.rules.ServedSource;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.time.SessionToken;
import java.util.Collections;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.jsr223.JavaTranslator;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * Evaluates queries over the served {@code g} in the transaction of the calling thread. Safe for
 * use by many threads.
 */
final class Evaluator {
  private final ServedSource source;
  private final GraphMetaGraph graph;
  private final ScriptParser scripts;
  private final long maxResults;

  Evaluator(ServedSource source, ServerSettings settings) {
    this.source = source;
    this.graph = source.graph();
    this.scripts = new ScriptParser(new ScriptRules(settings));
    this.maxResults = settings.number(ServerSetting.MAX_RESULTS);
  }

  /** Makes the thread ready: outside of a session nothing of an earlier query is left. */
  void begin(Query query) {
    if (query.session() == null) {
      rollback();
    }
    SessionToken seen = query.seen();
    if (seen != null) {
      graph.resume(seen);
    }
  }

  /** The results of a script or bytecode; those of bytecode with their bulks. */
  Iterator<?> evaluate(Query query) {
    GraphTraversalSource g =
        CallerStrategy.of(query.mayWrite() ? source.any() : source.reading(), query);
    if (query.gremlin() instanceof Bytecode bytecode) {
      Traversal.Admin<?, ?> traversal = JavaTranslator.of(g).translate(bytecode);
      if (traversal == null) {
        return Collections.emptyIterator();
      }
      traversal.applyStrategies();
      return new BulkedResults(traversal);
    }
    Object result = scripts.evaluate((String) query.gremlin(), g, query.bindings());
    return result == null ? Collections.emptyIterator() : IteratorUtils.asIterator(result);
  }

  /** Refuses results beyond the most that are allowed. */
  void requireAllowed(long results) {
    if (results > maxResults) {
      throw Refusal.invalid(
          "The query has more than "
              + maxResults
              + " results ("
              + ServerSetting.MAX_RESULTS.key()
              + "); ask for less, by limit() or range()");
    }
  }

  /** Whether the transaction of the thread has something to commit. */
  boolean hasWrites() {
    return graph.hasWrites();
  }

  /** What the session of the thread has seen, as text. */
  String sessionToken() {
    return graph.sessionToken();
  }

  void commit() {
    if (graph.tx().isOpen()) {
      graph.tx().commit();
    }
  }

  void rollback() {
    if (graph.tx().isOpen()) {
      graph.tx().rollback();
    }
  }
}
