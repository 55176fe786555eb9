package io.graphmeta.gremlin.service;

import java.util.List;

/** {@code graphmeta.session}: the token of the session, for drivers that hide it in answers. */
final class SessionService extends GraphService {
  SessionService(ServiceGraph graph) {
    super(graph, "graphmeta.session", List.of());
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    scope.requireStart();
    scope.tx(); // what it reads belongs to what the session has seen
    return List.of(scope.graph().sessionToken());
  }
}
