package io.graphmeta.gremlin.service;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.model.ReadView;
import io.graphmeta.tx.GraphTransaction;
import org.apache.tinkerpop.gremlin.structure.Element;
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

  /** The view of the past under which an element was read; null for the present. */
  @Nullable ReadView viewOf(Element element);
}
