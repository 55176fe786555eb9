package io.graphmeta.gremlin.service;

import io.graphmeta.model.ReadView;
import io.graphmeta.provenance.Comparison;
import io.graphmeta.provenance.Difference;
import io.graphmeta.provenance.Differences;
import io.graphmeta.provenance.FileVersion;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code graphmeta.diff}: in what two runs differ, or elements at two times. */
final class DiffService extends GraphService {
  private static final int DEFAULT_LIMIT = 10_000;
  private static final int MAX_LIMIT = 100_000;
  private static final int MAX_IDS = 1_000;

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              "a",
              "the id of a job or process (with lineage: of a file too)",
              "The first run. In the middle of a traversal it is the vertex that comes in."),
          new CallParameter(
              "b", "the id of a job or process (with lineage: of a file too)", "The second run."),
          new CallParameter(
              "ids",
              "an id or a list of up to " + MAX_IDS + " ids of vertices or edges",
              "Instead of two runs: elements to compare with themselves at another time. In the middle of a traversal"
                  + " it is the vertex that comes in."),
          new CallParameter(
              "from", CallParameter.A_TIME, "The first time, to which elements are compared."),
          new CallParameter(
              "to", CallParameter.A_TIME, "The second time. Default: that of the view."),
          new CallParameter(
              "lineage",
              "true or false",
              "Compares all that the elements rest on, not them alone. Default false."),
          new CallParameter(
              "limit",
              "a whole number from 1 to " + MAX_LIMIT,
              "Most maps in the answer. Default " + DEFAULT_LIMIT + "."),
          new CallParameter(
              LineageQuestion.SEARCH_MILLIS.name(),
              LineageQuestion.SEARCH_MILLIS.expected(),
              "Of two runs: milliseconds after which no more is read of them, of lineages for each of both. Of runs that could"
                  + " not be read whole only properties are compared, and the answer is partial. Default: as long as it needs."));

  DiffService(ServiceGraph graph) {
    super(graph, "graphmeta.diff", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    int limit = arguments.count("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    boolean lineage = arguments.flag("lineage");
    Comparison comparison =
        new Comparison(scope.tx(), LineageQuestion.within(arguments, LineageLimits.DEFAULT));
    boolean ofTimes = arguments.has("from") || arguments.has("to") || arguments.has("ids");
    Differences differences =
        ofTimes
            ? ofTimes(scope, arguments, comparison, lineage)
            : ofRuns(scope, arguments, comparison, lineage);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Difference difference : differences.all()) {
      if (rows.size() == limit) {
        break;
      }
      rows.add(row(difference));
    }
    Row.markPartial(rows, differences.partial() || rows.size() < differences.all().size());
    return rows;
  }

  private static Differences ofRuns(
      CallScope scope, CallArguments arguments, Comparison comparison, boolean lineage) {
    String first = scope.vertexId(arguments, "a");
    String second = arguments.id("b");
    if (second == null) {
      throw arguments.missing("b");
    }
    return lineage
        ? comparison.ofLineages(first, second, scope.view())
        : comparison.ofRuns(first, second, scope.view());
  }

  private static Differences ofTimes(
      CallScope scope, CallArguments arguments, Comparison comparison, boolean lineage) {
    for (String run : List.of("a", "b")) {
      if (arguments.has(run)) {
        throw arguments.unfit(
            run, "expected without 'ids', 'from' and 'to', which compare elements at two times");
      }
    }
    List<String> ids =
        scope.element() == null
            ? arguments.ids("ids", MAX_IDS)
            : List.of(scope.id(arguments, "ids"));
    if (ids.isEmpty()) {
      throw arguments.missing("ids");
    }
    if (!arguments.has("from")) {
      throw arguments.missing("from");
    }
    ReadView before = at(scope, arguments, "from");
    ReadView after = arguments.has("to") ? at(scope, arguments, "to") : scope.view();
    return lineage
        ? comparison.ofLineagesAtTimes(ids, before, after)
        : comparison.ofTimes(ids, before, after);
  }

  private static ReadView at(CallScope scope, CallArguments arguments, String name) {
    Long stamp = arguments.time(name);
    ReadView view = scope.view();
    if (stamp == null || (scope.past() != null && stamp > view.validAt())) {
      throw arguments.unfit(
          name, "expected a time not after that of the view, " + Stamp.format(view.validAt()));
    }
    return new ReadView(Math.min(stamp, view.validAt()), view.knownAt());
  }

  private static Map<String, Object> row(Difference difference) {
    boolean ofVersions = difference.versionsBefore().size() + difference.versionsAfter().size() > 0;
    Row row =
        new Row()
            .put("of", difference.of())
            .put("aspect", difference.aspect().word())
            .put("change", difference.change().word())
            .put("id", difference.id())
            .put("key", difference.key())
            .put("before", ofVersions ? versions(difference.versionsBefore()) : difference.before())
            .put("after", ofVersions ? versions(difference.versionsAfter()) : difference.after());
    if (difference.key().equals(Vocabulary.COMMAND_LINE)) {
      row.put("onlyBefore", words(difference.before(), difference.after()));
      row.put("onlyAfter", words(difference.after(), difference.before()));
    }
    return row.doubts(difference.doubts()).toMap();
  }

  private static List<Map<String, Object>> versions(List<FileVersion> versions) {
    return versions.stream()
        .map(
            version ->
                new Row()
                    .put("version", Row.text(version.startMicros()))
                    .put("writer", version.writer())
                    .toMap())
        .toList();
  }

  /** The words of a command line that another has not. */
  private static List<String> words(@Nullable Object line, @Nullable Object other) {
    if (line == null || other == null) {
      return List.of();
    }
    List<String> words = new ArrayList<>(Arrays.asList(line.toString().split(" +")));
    Arrays.asList(other.toString().split(" +")).forEach(words::remove);
    return words;
  }
}
