package io.graphmeta.server.export;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Events of OpenLineage 2-0-2. A process is a run, with a START and a COMPLETE event, of which the
 * second has inputs and outputs; if its end is not recorded the first has them. The batch job is a
 * run too, the parent of its processes, and users own it. Files that no process of the answer read
 * or wrote have an event of their own.
 *
 * <p>Runs are known by ids of UUID version 3, so that the same process has the same id each time.
 * Facets of its own: {@code graphmeta_version} of a dataset, {@code graphmeta_use} of an input or
 * output, {@code graphmeta_run}. Pure.
 */
final class OpenLineageForm {
  private static final String SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json";
  private static final String FACETS = "https://openlineage.io/spec/facets/";
  private static final String FILES = "file";
  private static final String JOBS = "graphmeta";

  private final LineageGraph graph;
  private final List<Map<String, Object>> events = new ArrayList<>();
  private final Set<LineageNode> told = new LinkedHashSet<>();

  private OpenLineageForm(LineageGraph graph) {
    this.graph = graph;
  }

  static List<Map<String, Object>> write(LineageGraph graph) {
    return new OpenLineageForm(graph).events();
  }

  private List<Map<String, Object>> events() {
    graph.elements(Vocabulary.JOB).forEach(this::run);
    graph.elements(Vocabulary.PROCESS).forEach(this::run);
    for (LineageNode node : graph.elements()) {
      if (LineageGraph.isFile(node) && !told.contains(node)) {
        events.add(
            event(node.versionMicros(), "DatasetEvent").put("dataset", dataset(node)).toMap());
      }
    }
    return events;
  }

  private void run(LineageNode node) {
    boolean ended = node.versionEndMicros() > 0;
    Fields start = runEvent(node, "START", node.versionMicros());
    events.add((ended ? start : withFiles(start, node)).toMap());
    if (ended) {
      long end = node.versionEndMicros();
      events.add(withFiles(runEvent(node, "COMPLETE", end), node).toMap());
    }
  }

  private Fields runEvent(LineageNode node, String type, long micros) {
    Fields facets = new Fields();
    for (LineageGraph.Arrow arrow : graph.arrowsInto(node)) {
      if (arrow.relation().equals(Vocabulary.CONTAINS)) {
        facets.put("parent", parent(arrow.from()));
      }
    }
    facets.put("graphmeta_run", runFacet(node));
    return event(micros, "RunEvent")
        .put("eventType", type)
        .put("run", new Fields().put("runId", runId(node)).put("facets", facets.toMap()).toMap())
        .put("job", job(node));
  }

  private Map<String, Object> runFacet(LineageNode node) {
    List<Object> programs = new ArrayList<>();
    for (LineageGraph.Arrow arrow : graph.arrowsInto(node)) {
      if (arrow.relation().equals(Vocabulary.EXE)
          && arrow.from().label().equals(Vocabulary.EXECUTABLE)) {
        LineageNode executable = arrow.from();
        programs.add(
            new Fields()
                .put("id", executable.id())
                .put("version", LineageGraph.version(executable))
                .put("storedIn", origins(executable))
                .toMap());
      }
    }
    return own("graphmeta_run")
        .put("id", node.id())
        .put("kind", node.label())
        .put("description", node.description())
        .put("executables", programs)
        .putAll(rootMarks(node))
        .put("doubts", LineageGraph.doubts(node))
        .toMap();
  }

  /** Says what was asked for, and whether the answer is partial. */
  private Map<String, Object> rootMarks(LineageNode node) {
    boolean isRoot = node.index() == graph.root().index();
    return new Fields()
        .put("root", isRoot ? true : null)
        .put("partial", isRoot && graph.partial() ? true : null)
        .toMap();
  }

  private Map<String, Object> parent(LineageNode job) {
    return facet("1-2-0/ParentRunFacet.json")
        .put("run", Fields.of("runId", runId(job)))
        .put("job", new Fields().put("namespace", JOBS).put("name", job.id()).toMap())
        .toMap();
  }

  private Map<String, Object> job(LineageNode node) {
    Fields facets = new Fields();
    facets.put(
        "jobType",
        facet("2-0-4/JobTypeJobFacet.json")
            .put("processingType", "BATCH")
            .put("integration", "GRAPHMETA")
            .put("jobType", LineageGraph.isProcess(node) ? "COMMAND" : "JOB")
            .toMap());
    if (!node.description().isEmpty()) {
      facets.put(
          "documentation",
          facet("1-1-0/DocumentationJobFacet.json").put("description", node.description()).toMap());
    }
    List<Object> owners = new ArrayList<>();
    for (LineageGraph.Arrow arrow : graph.arrowsInto(node)) {
      if (arrow.relation().equals(Vocabulary.RAN)) {
        owners.add(
            new Fields()
                .put("name", arrow.from().id())
                .put("type", "USER")
                .put("fullName", arrow.from().description())
                .toMap());
      }
    }
    if (!owners.isEmpty()) {
      facets.put("ownership", facet("1-0-1/OwnershipJobFacet.json").put("owners", owners).toMap());
    }
    return new Fields()
        .put("namespace", JOBS)
        .put("name", node.id())
        .put("facets", facets.toMap())
        .toMap();
  }

  private Fields withFiles(Fields event, LineageNode node) {
    List<Object> inputs = new ArrayList<>();
    List<Object> outputs = new ArrayList<>();
    for (LineageGraph.Arrow arrow : graph.arrowsInto(node)) {
      if (LineageGraph.isFile(arrow.from())) {
        inputs.add(used(arrow.from(), "inputFacets", arrow.relation()));
      } else if (arrow.relation().equals(Vocabulary.EXE)) {
        // A program rests on its builds, as on what it reads.
        sources(arrow.from())
            .forEach(each -> inputs.add(used(each.from(), "inputFacets", each.relation())));
      }
    }
    for (LineageGraph.Arrow arrow : graph.arrowsOutOf(node)) {
      if (LineageGraph.isFile(arrow.to())) {
        outputs.add(used(arrow.to(), "outputFacets", arrow.relation()));
        sources(arrow.to())
            .forEach(each -> inputs.add(used(each.from(), "inputFacets", each.relation())));
      }
    }
    return event.put("inputs", inputs).put("outputs", outputs);
  }

  /** The versions of files that a version or an executable comes from, not through a process. */
  private List<LineageGraph.Arrow> sources(LineageNode node) {
    return graph.arrowsInto(node).stream()
        .filter(arrow -> LineageGraph.isFile(arrow.from()))
        .toList();
  }

  private List<Object> origins(LineageNode node) {
    List<Object> origins = new ArrayList<>();
    for (LineageGraph.Arrow arrow : sources(node)) {
      origins.add(
          new Fields()
              .put("relation", arrow.relation())
              .put("namespace", FILES)
              .put("name", arrow.from().id())
              .put("version", LineageGraph.version(arrow.from()))
              .put("writer", arrow.from().writer())
              .toMap());
    }
    return origins;
  }

  private Map<String, Object> used(LineageNode file, String place, String relation) {
    Map<String, Object> facet = own("graphmeta_use").put("relation", relation).toMap();
    return new Fields().putAll(dataset(file)).put(place, Fields.of("graphmeta_use", facet)).toMap();
  }

  private Map<String, Object> dataset(LineageNode file) {
    told.add(file);
    Fields facets = new Fields();
    facets.put(
        "version",
        facet("1-0-1/DatasetVersionDatasetFacet.json")
            .put("datasetVersion", LineageGraph.version(file))
            .toMap());
    graph.arrowsInto(file).stream()
        .filter(arrow -> arrow.relation().equals(Vocabulary.RENAMED_FROM))
        .findFirst()
        .ifPresent(arrow -> facets.put("lifecycleStateChange", renamed(arrow.from())));
    facets.put(
        "graphmeta_version",
        own("graphmeta_version")
            .put("start", file.writer() == null ? null : LineageGraph.time(file.versionMicros()))
            .put("end", file.writer() == null ? null : LineageGraph.time(file.versionEndMicros()))
            .put("writer", file.writer())
            .put("fate", String.valueOf(file.fate()).toLowerCase(Locale.ROOT))
            .put("origins", origins(file))
            .putAll(rootMarks(file))
            .put("doubts", LineageGraph.doubts(file))
            .toMap());
    return new Fields()
        .put("namespace", FILES)
        .put("name", file.id())
        .put("facets", facets.toMap())
        .toMap();
  }

  private static Map<String, Object> renamed(LineageNode from) {
    return facet("1-0-1/LifecycleStateChangeDatasetFacet.json")
        .put("lifecycleStateChange", "RENAME")
        .put(
            "previousIdentifier",
            new Fields().put("namespace", FILES).put("name", from.id()).toMap())
        .toMap();
  }

  private static Fields event(long micros, String definition) {
    return new Fields()
        .put("eventTime", LineageGraph.time(micros))
        .put("producer", LineageGraph.NAMESPACE + "graphmeta")
        .put("schemaURL", SCHEMA + "#/$defs/" + definition);
  }

  private static Fields facet(String schema) {
    return new Fields()
        .put("_producer", LineageGraph.NAMESPACE + "graphmeta")
        .put("_schemaURL", FACETS + schema);
  }

  private static Fields own(String name) {
    return new Fields()
        .put("_producer", LineageGraph.NAMESPACE + "graphmeta")
        .put("_schemaURL", LineageGraph.NAMESPACE + name);
  }

  private static String runId(LineageNode node) {
    byte[] name = (LineageGraph.NAMESPACE + node.id()).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).toString();
  }
}
