package io.graphmeta.gremlin.service;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.IndexCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * The services of a graph, listed by {@code g.call('--list')}. Safe for use by many threads as long
 * as nobody registers more.
 */
public final class GraphMetaServices extends ServiceRegistry {
  /** The service that changes indexes, and lists them. */
  public static final String INDEX = IndexService.NAME;

  private static final List<CallParameter> LIST_PARAMETERS =
      List.of(
          new CallParameter(Params.SERVICE, "the name of a service", "Only this service."),
          new CallParameter(Params.VERBOSE, "true or false", "With what each does and takes."));

  private final Set<String> names = new TreeSet<>();

  /** The services over a graph. */
  public GraphMetaServices(ServiceGraph graph) {
    registerService(new HistoryService(graph));
    registerService(new LineageService(graph));
    registerService(new ImpactService(graph));
    registerService(new DiffService(graph));
    registerService(new TopService(graph));
    registerService(new PlacementService(graph));
    registerService(new SearchService(graph));
    registerService(new IndexService(graph));
    registerService(new StatusService(graph));
    registerService(new CheckService(graph));
    registerService(new SessionService(graph));
  }

  /** A report as {@code graphmeta.check} answers it. */
  public static Map<String, Object> answer(CheckReport report) {
    return CheckService.map(report);
  }

  /** What was found of an index, as {@link #INDEX} answers it. */
  public static Map<String, Object> answer(IndexCheck check) {
    return IndexService.map(check);
  }

  /**
   * Whether a call of {@link #INDEX} changes nothing.
   *
   * @param parameters as given, all of them
   */
  public static boolean onlyReads(Map<?, ?> parameters) {
    return IndexService.onlyReads(parameters);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Service.ServiceFactory registerService(Service.ServiceFactory factory) {
    names.add(factory.getName());
    return super.registerService(factory);
  }

  @Override
  public void checkRegisteredService(@Nullable String service) {
    if (service != null && !names.contains(service)) {
      throw new IllegalArgumentException(
          "Unrecognized service: " + service + "; expected one of " + String.join(", ", names));
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public CloseableIterator execute(ServiceCallContext context, Map parameters) {
    CallArguments arguments = CallArguments.of(NAME, LIST_PARAMETERS, parameters);
    Map<String, Object> checked = new LinkedHashMap<>();
    checked.put(Params.VERBOSE, arguments.flag(Params.VERBOSE));
    String service = arguments.text(Params.SERVICE);
    if (service != null) {
      checkRegisteredService(service);
      checked.put(Params.SERVICE, service);
    }
    return super.execute(context, checked);
  }
}
