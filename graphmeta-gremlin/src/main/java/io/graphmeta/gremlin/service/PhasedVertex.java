package io.graphmeta.gremlin.service;

import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/** A vertex as one view of a span after the other sees it. Belongs to one thread. */
@FunctionalInterface
public interface PhasedVertex {
  /** Visits the phases in the order of time. They fill the span. */
  void forEachPhase(Visitor visitor);

  /** Receives phases. */
  @FunctionalInterface
  interface Visitor {
    /**
     * A phase, in which the vertex stays as it is.
     *
     * @param first the first valid stamp of the phase
     * @param last the last valid stamp of the phase
     * @param vertex the vertex as it is then, for good; null if it does not exist
     */
    void phase(long first, long last, @Nullable Vertex vertex);
  }
}
