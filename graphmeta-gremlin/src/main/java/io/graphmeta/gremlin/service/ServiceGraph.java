package io.graphmeta.gremlin.service;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.tx.GraphTransaction;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** What the services need of a graph. Safe for use by many threads. */
public interface ServiceGraph {
  /** The database behind the graph. */
  GraphDatabase database();

  /** The batched reads of the graph. */
  ElementReader reader();

  /** The running transaction of the calling thread. */
  GraphTransaction transaction();

  /** What the calling thread has seen, as text. */
  String sessionToken();

  /**
   * The vertices of a label that a condition may be true of at one of some views, deleted ones too,
   * and perhaps others. What the running transaction has written is not seen.
   */
  CloseableIterator<PhasedVertex> during(String label, Condition where, ViewSpan views);

  /** Vertices by key, as some views see them. */
  List<PhasedVertex> histories(long[] keys, ViewSpan views);

  /** The view of the past under which an element was read; null for the present. */
  @Nullable ReadView viewOf(Element element);
}
