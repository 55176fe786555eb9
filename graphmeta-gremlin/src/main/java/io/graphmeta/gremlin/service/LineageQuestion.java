package io.graphmeta.gremlin.service;

import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.time.Stamp;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that all services of lineage have: how far to go, and from which version of a
 * file.
 */
final class LineageQuestion {
  static final int MAX_DEPTH = LineageLimits.DEFAULT.maxDepth();
  static final int MAX_ELEMENTS = LineageLimits.DEFAULT.maxElements();
  private static final int SHOWN_VERSIONS = 10;
  private static final int MAX_SEARCH_MILLIS = 86_400_000;

  static final CallParameter AT =
      new CallParameter(
          "at",
          CallParameter.A_TIME,
          "Of a file: from the version that was the newest at this time. Default: the newest in the view.");
  static final CallParameter VERSION =
      new CallParameter(
          "version",
          "the time at which a version began, as graphmeta.history shows it in version, or 'initial'",
          "Of a file: from exactly this version.");
  static final CallParameter DEPTH =
      new CallParameter(
          "depth",
          "a whole number from 0 to " + MAX_DEPTH,
          "Most steps from the start: from a file to its writer is one. Default "
              + MAX_DEPTH
              + ".");
  static final CallParameter LIMIT =
      new CallParameter(
          "limit",
          "a whole number from 1 to " + MAX_ELEMENTS,
          "Most elements, the start included. Default " + MAX_ELEMENTS + ".");
  static final CallParameter SINCE =
      new CallParameter(
          "since",
          CallParameter.A_TIME,
          "Versions written and programs ended before this time are left out, and what is reached through them alone.");
  static final CallParameter UNTIL =
      new CallParameter(
          "until",
          CallParameter.A_TIME,
          "Versions and programs begun after this time are left out likewise.");

  static final CallParameter BUDGET =
      new CallParameter(
          "budget",
          "a whole number from " + Folding.MIN_BUDGET + " to " + Folding.MAX_BUDGET,
          "With result 'graph': what plays the same part in the lineage is one map, so that there are at most so many,"
              + " or few more. Each tells what the elements in it have in common, and its links go with the data, to maps by their"
              + " index.");

  static final CallParameter SEARCH_MILLIS =
      new CallParameter(
          "searchMillis",
          "a whole number from 1 to " + MAX_SEARCH_MILLIS,
          "Milliseconds after which the search ends and the answer is partial. Default: as long as it needs.");

  private LineageQuestion() {}

  static LineageLimits limits(CallArguments arguments) {
    Long since = arguments.time("since");
    Long until = arguments.time("until");
    LineageLimits limits =
        new LineageLimits(
            arguments.count("depth", MAX_DEPTH, 0, MAX_DEPTH),
            arguments.count("limit", MAX_ELEMENTS, 1, MAX_ELEMENTS),
            since == null ? 0 : arguments.firstMicros("since", since),
            until == null ? Long.MAX_VALUE : Stamp.micros(until));
    return within(arguments, limits);
  }

  /** Limits with the time that a search may take, if one is given. */
  static LineageLimits within(CallArguments arguments, LineageLimits limits) {
    return arguments.has(SEARCH_MILLIS.name())
        ? limits.within(
            arguments.count(SEARCH_MILLIS.name(), MAX_SEARCH_MILLIS, 1, MAX_SEARCH_MILLIS))
        : limits;
  }

  /** How the answer is folded; null if it is not. */
  static @Nullable Folding folding(CallArguments arguments, String form, boolean allLabels) {
    if (!arguments.has("budget")) {
      return null;
    }
    if (!form.equals(LineageRows.GRAPH) || !allLabels) {
      throw arguments.unfit("budget", "expected with result 'graph', and without 'labels'");
    }
    return new Folding(
        arguments.count("budget", Folding.DEFAULT_BUDGET, Folding.MIN_BUDGET, Folding.MAX_BUDGET));
  }

  /** The stamp that tells the version of a file which was asked for. */
  static long versionStamp(CallArguments arguments, Provenance provenance, String id) {
    if (arguments.has("version")) {
      if (arguments.has("at")) {
        throw arguments.unfit("at", "expected without 'version', which names the version already");
      }
      return exactly(arguments, provenance, id);
    }
    Long at = arguments.time("at");
    return at == null ? Stamp.MAX : at;
  }

  private static long exactly(CallArguments arguments, Provenance provenance, String id) {
    List<Long> versions =
        provenance.changes(id).stream()
            .filter(event -> event.fate() != null)
            .map(FileEvent::startMicros)
            .toList();
    if (arguments.isText("version", Row.INITIAL)) {
      return versions.isEmpty() ? Stamp.MAX : Stamp.startOfMicros(versions.get(0)) - 1;
    }
    Long stamp = arguments.time("version");
    long micros = stamp == null ? 0 : arguments.firstMicros("version", stamp);
    List<Long> exact = versions.stream().filter(each -> each == micros).toList();
    if (exact.isEmpty() && micros % 1_000 == 0) {
      // Some languages keep milliseconds only.
      exact = versions.stream().filter(each -> each - each % 1_000 == micros).toList();
    }
    if (exact.size() != 1) {
      throw arguments.unfit(
          "version",
          (exact.isEmpty() ? "no version of '" : "more than one version of '")
              + id
              + "' began then; expected "
              + (versions.isEmpty() ? "'initial'" : "one of " + shown(versions)));
    }
    return Stamp.endOfMicros(exact.get(0));
  }

  private static String shown(List<Long> versions) {
    String first =
        versions.stream().limit(SHOWN_VERSIONS).map(Row::text).collect(Collectors.joining(", "));
    int more = versions.size() - SHOWN_VERSIONS;
    return more > 0 ? first + " and " + more + " more" : first;
  }
}
