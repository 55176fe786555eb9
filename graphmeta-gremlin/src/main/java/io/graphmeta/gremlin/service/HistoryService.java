package io.graphmeta.gremlin.service;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.TypedIds;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/**
 * {@code graphmeta.history}: the versions of a vertex or an edge with all its properties, or who
 * wrote, renamed, deleted and read a file.
 */
final class HistoryService extends GraphService {
  private static final int DEFAULT_LIMIT = 10_000;
  private static final int MAX_LIMIT = 100_000;
  private static final String ACTIVITY = "activity";
  private static final String VERSIONS = "versions";
  private static final String KNOWN = "known";

  private static final Set<String> BY_PROCESSES =
      Set.of(Vocabulary.READ, Vocabulary.WROTE, Vocabulary.DELETED);

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              "id",
              "the id of a vertex or edge",
              "The element; a deleted one too. Needed at the start of a traversal."),
          new CallParameter(
              "kind",
              "'activity' or 'versions'",
              "activity: who wrote, renamed and deleted a file. versions: every change of the element and its"
                  + " properties. By default activity for files, versions for all else."),
          new CallParameter(
              "reads",
              "true or false",
              "Of the activity of a file: who read it too. Default false."),
          new CallParameter("since", CallParameter.A_TIME, "Nothing before this time."),
          new CallParameter("until", CallParameter.A_TIME, "Nothing after this time."),
          new CallParameter(
              "time",
              "'valid' or 'known'",
              "The time that since and until mean: when it became true, the default, or when the store learned of it."),
          new CallParameter(
              "order", "'asc' or 'desc'", "Oldest first, the default, or newest first."),
          new CallParameter(
              "limit",
              "a whole number from 1 to " + MAX_LIMIT,
              "Most maps in the answer. Default " + DEFAULT_LIMIT + "."));

  /** One map of the answer and the times by which it is ordered and chosen. */
  private record Entry(long validMicros, long knownMicros, Map<String, Object> row) {}

  HistoryService(ServiceGraph graph) {
    super(graph, "graphmeta.history", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    String id = scope.id(arguments, "id");
    List<Entry> entries = new ArrayList<>();
    boolean isFile = isFileOfTheView(scope, id);
    String kind =
        isFile
            ? arguments.choice("kind", ACTIVITY, VERSIONS)
            : arguments.choice("kind", VERSIONS, ACTIVITY);
    if (kind.equals(ACTIVITY)) {
      if (!isFile) {
        throw arguments.unfit(
            "kind", "expected 'versions', since '" + id + "' is no file in this view");
      }
      addActivity(scope, id, arguments.flag("reads"), entries);
    } else {
      if (arguments.flag("reads")) {
        throw arguments.unfit("reads", "expected with the activity of a file only");
      }
      addVersions(scope, id, entries);
    }
    return chosen(entries, arguments);
  }

  private static List<?> chosen(List<Entry> entries, CallArguments arguments) {
    boolean byKnown = arguments.choice("time", "valid", KNOWN).equals(KNOWN);
    Long since = arguments.time("since");
    Long until = arguments.time("until");
    long from = since == null ? 0 : arguments.firstMicros("since", since);
    long to = until == null ? Long.MAX_VALUE : Stamp.micros(until);
    boolean newestFirst = arguments.choice("order", "asc", "desc").equals("desc");
    int limit = arguments.count("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    if (newestFirst) {
      Collections.reverse(entries);
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    boolean partial = false;
    for (Entry entry : entries) {
      long micros = byKnown ? entry.knownMicros() : entry.validMicros();
      if (micros >= from && micros <= to) {
        if (rows.size() == limit) {
          partial = true;
          break;
        }
        rows.add(entry.row());
      }
    }
    Row.markPartial(rows, partial);
    return rows;
  }

  private static boolean isFileOfTheView(CallScope scope, String id) {
    if (scope.element() instanceof Edge) {
      return false;
    }
    VertexRecord vertex = scope.tx().verticesById(List.of(id), scope.view()).get(0);
    return vertex != null && vertex.label().equals(Vocabulary.FILE);
  }

  private static void addActivity(
      CallScope scope, String id, boolean withReads, List<Entry> entries) {
    Provenance provenance = new Provenance(scope.tx(), scope.view(), LineageLimits.DEFAULT);
    List<FileEvent> events = new ArrayList<>(provenance.changes(id));
    if (withReads) {
      events.addAll(provenance.reads(id));
      events.sort(Comparator.comparingLong(FileEvent::startMicros));
    }
    for (FileEvent event : events) {
      entries.add(new Entry(event.startMicros(), event.knownMicros(), row(id, event)));
    }
  }

  private static Map<String, Object> row(String id, FileEvent event) {
    boolean counted = event.kind() == FileEvent.Kind.WROTE || event.kind() == FileEvent.Kind.READ;
    return new Row()
        .put("id", TypedIds.given(id))
        .put("label", Vocabulary.FILE)
        .put("operation", event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .time("valid", event.startMicros())
        .put("version", Row.text(event.startMicros()))
        .time("end", event.endMicros())
        .time("known", event.knownMicros())
        .put("process", event.process())
        .put("commandLine", event.commandLine())
        .put("executable", event.executable())
        .put("job", event.job())
        .put("jobName", event.jobName())
        .put("user", event.user())
        .put("bytes", counted ? event.bytes() : null)
        .put("operations", counted ? event.operations() : null)
        .put("opens", counted ? event.opens() : null)
        .put("other", event.otherFile())
        .put("versionsRead", event.versions().stream().map(Row::text).toList())
        .put("fate", event.fate() == null ? null : event.fate().name().toLowerCase(Locale.ROOT))
        .doubts(event.doubts())
        .toMap();
  }

  private static void addVersions(CallScope scope, String id, List<Entry> entries) {
    GraphTransaction tx = scope.tx();
    if (!(scope.element() instanceof Edge)) {
      for (long incarnation : tx.incarnations(id)) {
        add(scope, id, tx.vertexLabel(incarnation), null, tx.vertexHistory(incarnation), entries);
      }
    }
    if (entries.isEmpty() && !(scope.element() instanceof Vertex)) {
      addEdgeVersions(scope, id, entries);
    }
    if (entries.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "Nothing with the id '"
              + id
              + "' up to "
              + Stamp.format(scope.view().validAt())
              + "; expected the id of a vertex or edge, for a file its absolute path (an edge with an id of its own that"
              + " was deleted is found under with('asOf', t) from before)");
    }
  }

  private static void addEdgeVersions(CallScope scope, String id, List<Entry> entries) {
    GraphTransaction tx = scope.tx();
    EdgeRecord edge = tx.edgesById(List.of(id), scope.view()).get(0);
    EdgeKey key = edge == null ? GeneratedIds.parseEdge(id) : edge.key();
    if (key == null) {
      return;
    }
    List<ElementVersion> versions = tx.edgeHistory(key);
    if (edge == null) {
      // Deleted since: as it was when it began.
      for (ElementVersion version : versions) {
        if (version.operation() == ElementVersion.Operation.CREATE) {
          ReadView then = new ReadView(version.validStamp(), scope.view().knownAt());
          edge = edge == null ? tx.edges(List.of(key), then).get(0) : edge;
        }
      }
    }
    String label = edge == null ? "" : edge.label();
    String process = null;
    if (edge != null && BY_PROCESSES.contains(label)) {
      ReadView then = new ReadView(edge.validStamp(), scope.view().knownAt());
      VertexRecord out = tx.vertices(new long[] {key.out()}, then).get(0);
      process = out == null ? null : out.id();
    }
    add(scope, id, label, process, versions, entries);
  }

  private static void add(
      CallScope scope,
      String id,
      String label,
      @Nullable String process,
      List<ElementVersion> newestFirst,
      List<Entry> entries) {
    ReadView view = scope.view();
    for (int i = newestFirst.size() - 1; i >= 0; i--) {
      ElementVersion version = newestFirst.get(i);
      if (view.sees(version.validStamp(), version.committedStamp())) {
        long valid = Stamp.micros(version.validStamp());
        long known = Stamp.micros(version.committedStamp());
        Map<String, Object> row =
            new Row()
                .put("id", TypedIds.given(id))
                .put("label", label)
                .put("operation", version.operation().name().toLowerCase(Locale.ROOT))
                .time("valid", valid)
                .put("version", Row.text(valid))
                .time("known", known)
                .put("key", version.propertyKey())
                .put("valueId", version.valueId() == 0 ? null : version.valueId())
                .put("value", version.value())
                .put("properties", version.properties())
                .put("process", process == null ? null : TypedIds.given(process))
                .toMap();
        entries.add(new Entry(valid, known, row));
      }
    }
  }
}
