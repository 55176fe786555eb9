package io.graphmeta.server.gremlin;

import org.apache.tinkerpop.gremlin.structure.io.binary.TypeSerializerRegistry;

final class SafeBinaryTypes {
  private SafeBinaryTypes() {}

  static TypeSerializerRegistry registry(int maxNesting) {
    return builder(maxNesting).create();
  }

  static TypeSerializerRegistry.Builder builder(int maxNesting) {
    return TypeSerializerRegistry.build();
  }

  static Refusal lambdaRefused() {
    return Refusal.forbidden(
        "The traversal holds a lambda, code that no client may run here; expected steps of Gremlin");
  }
}
