package io.graphmeta.gremlin.suite;

import org.apache.tinkerpop.gremlin.structure.MockSerializable;
import org.apache.tinkerpop.gremlin.structure.io.util.CustomId;

/** Graphs that take arrays, and objects of the two classes that the suite stores. */
public final class JavaTypesProvider extends GraphMetaProvider {
  @Override
  String javaTypes() {
    return "arrays," + MockSerializable.class.getName() + "," + CustomId.class.getName();
  }
}
