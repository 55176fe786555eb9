package io.graphmeta.server.export;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A document of PROV-JSON.
 *
 * <ul>
 *   <li>Each version of a file is an entity, and a specialization of the entity of its path. The
 *       generation has the time of the first opening, for from then on others could use it.
 *   <li>Processes and jobs are activities, and a process was started by its job; users are agents
 *       associated with jobs. An executable is an entity that its runs used, derived from the files
 *       that hold it.
 *   <li>A rename is a derivation, an append a revision. That a process may have printed to a file
 *       is an influence, for PROV lets one activity generate an entity.
 * </ul>
 *
 * Pure.
 */
final class ProvForm {
  private static final String PREFIX = "gm:";
  private static final String LABEL = "prov:label";
  private static final String TYPE = "prov:type";
  private static final String ENTITY = "prov:entity";
  private static final String ACTIVITY = "prov:activity";

  private final LineageGraph graph;
  private final Map<String, Map<String, Object>> sections = new LinkedHashMap<>();
  private int statements;

  private ProvForm(LineageGraph graph) {
    this.graph = graph;
  }

  static Map<String, Object> write(LineageGraph graph) {
    return new ProvForm(graph).document();
  }

  private Map<String, Object> document() {
    for (String section : List.of("entity", "activity", "agent")) {
      sections.put(section, new LinkedHashMap<>());
    }
    graph.elements().forEach(this::element);
    graph.arrows().forEach(this::statement);
    Fields document = new Fields().put("prefix", Fields.of("gm", LineageGraph.NAMESPACE));
    sections.forEach(
        (name, members) -> {
          if (!members.isEmpty()) {
            document.put(name, members);
          }
        });
    return document.toMap();
  }

  private Map<String, Object> section(String name) {
    return sections.computeIfAbsent(name, key -> new LinkedHashMap<>());
  }

  private void element(LineageNode node) {
    Fields fields = new Fields();
    fields.put(LABEL, node.label().equals(Vocabulary.FILE) ? node.id() : node.description());
    fields.put(TYPE, type(node.label()));
    fields.put("gm:id", node.id());
    if (node.index() == graph.root().index()) {
      fields.put("gm:root", true).put("gm:partial", graph.partial() ? true : null);
    }
    if (LineageGraph.isFile(node)) {
      version(node, fields);
    }
    boolean isActivity = LineageGraph.isProcess(node) || node.label().equals(Vocabulary.JOB);
    if (isActivity) {
      fields.put("prov:startTime", LineageGraph.time(node.versionMicros()));
      if (node.versionEndMicros() > 0) {
        fields.put("prov:endTime", LineageGraph.time(node.versionEndMicros()));
      }
    }
    fields.put("gm:doubt", LineageGraph.doubts(node));
    String section =
        isActivity ? "activity" : node.label().equals(Vocabulary.USER) ? "agent" : "entity";
    section(section).put(name(node), fields.toMap());
  }

  private void version(LineageNode node, Fields fields) {
    fields.put("prov:location", node.id());
    fields.put("gm:version", LineageGraph.version(node));
    if (node.writer() != null) {
      fields.put("gm:writer", node.writer());
      fields.put("gm:start", dateTime(node.versionMicros()));
      fields.put("gm:end", dateTime(node.versionEndMicros()));
    }
    fields.put("gm:fate", String.valueOf(node.fate()).toLowerCase(Locale.ROOT));
    String path = PREFIX + node.label() + "/" + Percent.encode(node.id());
    section("entity")
        .computeIfAbsent(
            path,
            key ->
                new Fields()
                    .put(LABEL, node.id())
                    .put(TYPE, qualified("gm:path"))
                    .put("prov:location", node.id())
                    .toMap());
    add(
        "specializationOf",
        new Fields().put("prov:specificEntity", name(node)).put("prov:generalEntity", path));
  }

  private static Object type(String label) {
    return qualified(label.equals(Vocabulary.USER) ? "prov:Person" : PREFIX + label);
  }

  private static Object qualified(String name) {
    return new Fields().put("$", name).put("type", "prov:QUALIFIED_NAME").toMap();
  }

  private static Object dateTime(long micros) {
    return new Fields().put("$", LineageGraph.time(micros)).put("type", "xsd:dateTime").toMap();
  }

  private void statement(LineageGraph.Arrow arrow) {
    String from = name(arrow.from());
    String to = name(arrow.to());
    switch (arrow.relation()) {
      case Vocabulary.READ -> add("used", new Fields().put(ACTIVITY, to).put(ENTITY, from));
      case Vocabulary.EXE ->
          add(
              "used",
              new Fields()
                  .put(ACTIVITY, to)
                  .put(ENTITY, from)
                  .put("prov:role", qualified("gm:executable")));
      case Vocabulary.WROTE ->
          add(
              "wasGeneratedBy",
              new Fields()
                  .put(ENTITY, to)
                  .put(ACTIVITY, from)
                  .put("prov:time", LineageGraph.time(arrow.to().versionMicros())));
      case Vocabulary.CONTAINS ->
          add("wasStartedBy", new Fields().put(ACTIVITY, to).put("prov:starter", from));
      case Vocabulary.RAN ->
          add("wasAssociatedWith", new Fields().put(ACTIVITY, to).put("prov:agent", from));
      case Vocabulary.REDIRECTED ->
          add(
              "wasInfluencedBy",
              new Fields()
                  .put("prov:influencee", to)
                  .put("prov:influencer", from)
                  .put(TYPE, qualified("gm:redirected")));
      default ->
          add(
              "wasDerivedFrom",
              new Fields()
                  .put("prov:generatedEntity", to)
                  .put("prov:usedEntity", from)
                  .put(
                      TYPE,
                      qualified(
                          arrow.relation().equals(Lineage.CONTINUES)
                              ? "prov:Revision"
                              : PREFIX + arrow.relation())));
    }
  }

  private void add(String section, Fields fields) {
    section(section).put("_:s" + ++statements, fields.toMap());
  }

  private String name(LineageNode node) {
    return PREFIX + graph.key(node);
  }
}
