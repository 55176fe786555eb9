package io.graphmeta.gremlin.service;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.strategy.ReadOptions;
import io.graphmeta.model.ReadView;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * A service that starts a traversal with its answer, or replaces each element that comes in by the
 * answer about it. Answers are bounded by the limits among the parameters and held in memory.
 */
abstract class GraphService implements Service.ServiceFactory<Object, Object> {
  private final ServiceGraph graph;
  private final String name;
  private final List<CallParameter> parameters;

  GraphService(ServiceGraph graph, String name, List<CallParameter> parameters) {
    this.graph = graph;
    this.name = name;
    this.parameters = parameters;
  }

  /** The answer to one call. */
  abstract List<?> answer(CallScope scope, CallArguments arguments);

  @Override
  public final String getName() {
    return name;
  }

  @Override
  public final Set<Service.Type> getSupportedTypes() {
    return EnumSet.of(Service.Type.Start, Service.Type.Streaming);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public final Map describeParams() {
    return CallParameter.describe(parameters);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public final Service<Object, Object> createService(boolean isStart, Map staticParameters) {
    return new Call(isStart ? Service.Type.Start : Service.Type.Streaming);
  }

  private final class Call implements Service<Object, Object> {
    private final Type type;

    Call(Type type) {
      this.type = type;
    }

    @Override
    public Type getType() {
      return type;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public CloseableIterator<Object> execute(ServiceCallContext context, Map given) {
      return run(context, null, given);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public CloseableIterator<Object> execute(
        ServiceCallContext context, Traverser.Admin<Object> in, Map given) {
      if (in.get() instanceof Element element) {
        return run(context, element, given);
      }
      throw GraphMetaException.invalid(
          name + " was called on '" + in.get() + "'; expected an element of the graph");
    }

    private CloseableIterator<Object> run(
        ServiceCallContext context, @Nullable Element element, Map<?, ?> given) {
      CallArguments arguments = CallArguments.of(name, parameters, given);
      try {
        @Nullable ReadView past =
            ReadOptions.view(context.getTraversal().getStrategies()).resolve(graph.reader());
        if (past == null && element != null) {
          past = graph.viewOf(element);
        }
        boolean onlyReads =
            context.getTraversal().getStrategies().getStrategy(ReadOnlyStrategy.class).isPresent();
        List<?> answer = answer(new CallScope(name, graph, past, element, onlyReads), arguments);
        return CloseableIterator.of(List.<Object>copyOf(answer).iterator());
      } catch (GraphMetaException e) {
        if (e.code() == ErrorCode.CANCELLED) {
          RuntimeException interrupted = new TraversalInterruptedException();
          interrupted.initCause(e);
          throw interrupted;
        }
        throw e;
      }
    }
  }
}
