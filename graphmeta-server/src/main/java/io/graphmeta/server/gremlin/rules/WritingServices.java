package io.graphmeta.server.gremlin.rules;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/** The services that write, which no step shows by its class. */
public final class WritingServices {
  /** Loads records. */
  public static final String LOAD = "graphmeta.load";

  private WritingServices() {}

  /** Whether a traversal calls one; those within it are not looked at. */
  static boolean areCalled(Traversal.Admin<?, ?> traversal) {
    return TraversalHelper.getStepsOfAssignableClass(CallStep.class, traversal).stream()
        .anyMatch(call -> LOAD.equals(call.getServiceName()));
  }
}
