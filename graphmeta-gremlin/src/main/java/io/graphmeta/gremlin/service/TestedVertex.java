package io.graphmeta.gremlin.service;

import io.graphmeta.plan.ElementTests;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** A vertex as conditions see it. */
record TestedVertex(Vertex vertex) implements ElementTests.Tested {
  @Override
  public Object id() {
    return vertex.id();
  }

  @Override
  public Iterator<?> values(String key) {
    return vertex.values(key);
  }
}
