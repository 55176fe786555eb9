package io.graphmeta.server.export;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The metadata file of an RO-Crate 1.1 by the profile Process Run Crate 0.5: an action for each
 * process, with what it ran as its instrument, what it read as objects and what it wrote as
 * results. Each version of a file is a file of its own, named by the URI of the path with the
 * version behind {@code #}. The crate describes files where they lie, and holds none.
 *
 * <p>Terms of its own, declared in the context: {@code doubt}, {@code fate}, {@code endOfWriting};
 * {@code contains} of jobs; {@code renamedFrom}, {@code continues} and {@code storedIn}, which say
 * what {@code isBasedOn} leaves open; {@code redirected}, those results to which a process may have
 * printed. Pure.
 */
final class CrateForm {
  private static final List<String> OWN_TERMS =
      List.of(
          "doubt",
          "fate",
          "endOfWriting",
          Vocabulary.CONTAINS,
          Vocabulary.REDIRECTED,
          Vocabulary.RENAMED_FROM,
          Vocabulary.STORED_IN,
          Lineage.CONTINUES);
  private static final String PROFILE = "https://w3id.org/ro/wfrun/process/0.5";
  private static final String ID = "@id";
  private static final String TYPE = "@type";
  private static final int NAME_CHARACTERS = 80;

  private final LineageGraph graph;
  private final List<Map<String, Object>> entities = new ArrayList<>();
  private final Set<String> unnamed = new HashSet<>();

  private CrateForm(LineageGraph graph) {
    this.graph = graph;
  }

  static Map<String, Object> write(LineageGraph graph, Instant written) {
    return new CrateForm(graph).crate(written);
  }

  private Map<String, Object> crate(Instant written) {
    entities.add(
        entity("ro-crate-metadata.json", "CreativeWork")
            .put("about", reference("./"))
            .put("conformsTo", reference("https://w3id.org/ro/crate/1.1"))
            .toMap());
    entities.add(root(written));
    entities.add(
        entity(PROFILE, "CreativeWork")
            .put("name", "Process Run Crate")
            .put("version", "0.5")
            .toMap());
    graph.elements().forEach(this::element);
    Fields terms = new Fields();
    OWN_TERMS.forEach(term -> terms.put(term, LineageGraph.NAMESPACE + term));
    return new Fields()
        .put("@context", List.of("https://w3id.org/ro/crate/1.1/context", terms.toMap()))
        .put("@graph", entities)
        .toMap();
  }

  private Map<String, Object> root(Instant written) {
    String id = graph.root().id();
    return entity("./", "Dataset")
        .put("name", "Lineage of " + id)
        .put(
            "description",
            "What GraphMeta's record tells of the lineage of "
                + id
                + (graph.partial() ? "; partial: a limit ended the search" : ""))
        .put("datePublished", written.toString())
        .put("license", "None is stated. Ask who keeps this record how it may be used.")
        .put("conformsTo", reference(PROFILE))
        .put("about", reference(name(graph.root())))
        .put("hasPart", references(graph.elements().stream().filter(LineageGraph::isFile).toList()))
        .put("mentions", references(graph.elements().stream().filter(CrateForm::isAction).toList()))
        .toMap();
  }

  private static boolean isAction(LineageNode node) {
    return LineageGraph.isProcess(node) || node.label().equals(Vocabulary.JOB);
  }

  private void element(LineageNode node) {
    Fields fields =
        switch (node.label()) {
          case Vocabulary.PROCESS -> process(node);
          case Vocabulary.JOB -> job(node);
          case Vocabulary.USER -> entity(name(node), "Person").put("name", node.description());
          case Vocabulary.EXECUTABLE -> executable(node);
          default -> file(node);
        };
    entities.add(
        fields.put("identifier", node.id()).put("doubt", LineageGraph.doubts(node)).toMap());
  }

  private Fields file(LineageNode node) {
    boolean isRun =
        graph.arrowsOutOf(node).stream().anyMatch(arrow -> arrow.relation().equals(Vocabulary.EXE));
    Fields fields = entity(name(node), isRun ? List.of("File", "SoftwareApplication") : "File");
    fields.put("name", node.description()).put("version", LineageGraph.version(node));
    if (node.writer() != null) {
      fields.put("dateModified", LineageGraph.time(node.versionMicros()));
      fields.put("endOfWriting", LineageGraph.time(node.versionEndMicros()));
    }
    fields.put("fate", String.valueOf(node.fate()).toLowerCase(Locale.ROOT));
    return origins(node, fields);
  }

  private Fields executable(LineageNode node) {
    Fields fields = entity(name(node), "SoftwareApplication").put("name", node.description());
    return origins(node, fields.put("softwareVersion", LineageGraph.version(node)));
  }

  private Fields origins(LineageNode node, Fields fields) {
    List<LineageNode> all = new ArrayList<>();
    for (String relation :
        List.of(Vocabulary.RENAMED_FROM, Lineage.CONTINUES, Vocabulary.STORED_IN)) {
      List<LineageNode> origins = sources(node, relation);
      fields.put(relation, references(origins));
      all.addAll(origins);
    }
    return fields.put("isBasedOn", references(all.stream().distinct().toList()));
  }

  private Fields process(LineageNode node) {
    List<LineageNode> redirected = targets(node, Vocabulary.REDIRECTED);
    List<LineageNode> results = new ArrayList<>(targets(node, Vocabulary.WROTE));
    results.addAll(redirected);
    List<Object> instruments = references(sources(node, Vocabulary.EXE));
    return entity(name(node), "CreateAction")
        .put("name", shortened(node.description()))
        .put("description", node.description())
        .put("startTime", LineageGraph.time(node.versionMicros()))
        .put(
            "endTime",
            node.versionEndMicros() == 0 ? null : LineageGraph.time(node.versionEndMicros()))
        .put("agent", references(graph.usersOf(node)))
        .put("instrument", instruments.isEmpty() ? List.of(unnamed(node)) : instruments)
        .put("object", references(sources(node, Vocabulary.READ)))
        .put("result", references(results))
        .put(Vocabulary.REDIRECTED, references(redirected));
  }

  /** The profile wants an instrument: where the answer has none it is known by the command only. */
  private Object unnamed(LineageNode process) {
    String command = process.description().split(" ", 2)[0];
    String id = "#command/" + Percent.encode(command);
    if (unnamed.add(id)) {
      entities.add(entity(id, "SoftwareApplication").put("name", command).toMap());
    }
    return reference(id);
  }

  private Fields job(LineageNode node) {
    return entity(name(node), "Action")
        .put("name", node.description())
        .put("startTime", LineageGraph.time(node.versionMicros()))
        .put(
            "endTime",
            node.versionEndMicros() == 0 ? null : LineageGraph.time(node.versionEndMicros()))
        .put("agent", references(graph.usersOf(node)))
        .put(Vocabulary.CONTAINS, references(targets(node, Vocabulary.CONTAINS)));
  }

  private List<LineageNode> sources(LineageNode node, String relation) {
    return graph.arrowsInto(node).stream()
        .filter(arrow -> arrow.relation().equals(relation))
        .map(LineageGraph.Arrow::from)
        .toList();
  }

  private List<LineageNode> targets(LineageNode node, String relation) {
    return graph.arrowsOutOf(node).stream()
        .filter(arrow -> arrow.relation().equals(relation))
        .map(LineageGraph.Arrow::to)
        .toList();
  }

  private String name(LineageNode node) {
    String key = graph.key(node);
    if (!LineageGraph.isFile(node)) {
      return "#" + key;
    }
    // A file without a path, known by its hash only, is nowhere to be opened.
    return node.id().startsWith("/")
        ? "file://" + key.substring(node.label().length() + 1).replace("@", "#")
        : LineageGraph.NAMESPACE + key;
  }

  private List<Object> references(List<LineageNode> nodes) {
    return nodes.stream().map(node -> (Object) reference(name(node))).toList();
  }

  private static Map<String, Object> reference(String id) {
    return Fields.of(ID, id);
  }

  private static Fields entity(String id, Object type) {
    return new Fields().put(ID, id).put(TYPE, type);
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= NAME_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, NAME_CHARACTERS - 1)) + "…";
  }
}
