package io.graphmeta.gremlin.service;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.TypedIds;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.Traffic;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code graphmeta.top}: who reads and writes most. */
final class TopService extends GraphService {
  private static final int DEFAULT_LIMIT = 10;
  private static final int MAX_LIMIT = 10_000;

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              "by",
              "'user', 'project', 'executable' or 'file'",
              "By what accesses are added up; a project is the account of the job. Default user."),
          new CallParameter(
              "order",
              "'bytes', 'read', 'written', 'operations', 'files', 'processes' or 'jobs'",
              "What the most of comes first. Default bytes, read and written together."),
          new CallParameter(
              "since", CallParameter.A_TIME, "Accesses that began at this time or after it."),
          new CallParameter(
              "until", CallParameter.A_TIME, "Accesses that began at this time or before it."),
          new CallParameter(
              "limit",
              "a whole number from 1 to " + MAX_LIMIT,
              "Most maps in the answer. Default " + DEFAULT_LIMIT + "."));

  TopService(ServiceGraph graph) {
    super(graph, "graphmeta.top", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    if (scope.element() != null) {
      throw GraphMetaException.invalid(
          "graphmeta.top was called on '"
              + scope.element()
              + "'; expected at the start of a traversal, since it is about the whole graph");
    }
    String by = arguments.choice("by", words(Traffic.By.values()));
    String order = arguments.choice("order", words(Traffic.Order.values()));
    Long since = arguments.time("since");
    Long until = arguments.time("until");
    int limit = arguments.count("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    List<Traffic> most =
        new Provenance(scope.tx(), scope.view(), LineageLimits.DEFAULT)
            .traffic(
                Traffic.By.valueOf(by.toUpperCase(Locale.ROOT)),
                Traffic.Order.valueOf(order.toUpperCase(Locale.ROOT)),
                since == null ? 0 : arguments.firstMicros("since", since),
                until == null ? Long.MAX_VALUE : Stamp.micros(until),
                limit + 1);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Traffic traffic : most.subList(0, Math.min(limit, most.size()))) {
      rows.add(row(by, traffic));
    }
    Row.markPartial(rows, most.size() > limit);
    return rows;
  }

  private static String[] words(Enum<?>... values) {
    return Arrays.stream(values)
        .map(value -> value.name().toLowerCase(Locale.ROOT))
        .toArray(String[]::new);
  }

  private static Map<String, Object> row(String by, Traffic traffic) {
    return new Row()
        .put("by", by)
        .put("id", traffic.id().isEmpty() ? null : TypedIds.given(traffic.id()))
        .put("name", traffic.name())
        .put("bytesRead", traffic.bytesRead())
        .put("bytesWritten", traffic.bytesWritten())
        .put("operations", traffic.operations())
        .put("files", traffic.files())
        .put("processes", traffic.processes())
        .put("jobs", traffic.jobs())
        .toMap();
  }
}
