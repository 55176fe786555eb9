package io.graphmeta.server.gremlin.rules;

import io.graphmeta.gremlin.service.GraphMetaServices;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/** The services that write, which no step shows by its class. */
public final class WritingServices {
  /** Loads records. */
  public static final String LOAD = "graphmeta.load";

  /** Takes backups. */
  public static final String BACKUP = "graphmeta.backup";

  private WritingServices() {}

  /** Whether a traversal calls one to write; those within it are not looked at. */
  public static boolean areCalled(Traversal.Admin<?, ?> traversal) {
    return TraversalHelper.getStepsOfAssignableClass(CallStep.class, traversal).stream()
        .anyMatch(WritingServices::writes);
  }

  private static boolean writes(CallStep<?, ?> call) {
    return LOAD.equals(call.getServiceName())
        || BACKUP.equals(call.getServiceName())
        || (GraphMetaServices.INDEX.equals(call.getServiceName()) && !onlyReads(call));
  }

  /** What a traversal within the call comes to is not known before. */
  private static boolean onlyReads(CallStep<?, ?> call) {
    return call.getLocalChildren().isEmpty() && GraphMetaServices.onlyReads(call.getMergedParams());
  }
}
