package io.graphmeta.server.ingest.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of a document of PROV-JSON, written out as URIs, and what stands under them. A bundle
 * has prefixes of its own beside those of its document. Used by one thread.
 */
final class ProvNames {
  /** Namespace of the exports of GraphMeta. */
  private static final String OWN = "tag:graphmeta.io,2026:";

  /** So many steps of specialization are followed; some documents close a circle of them. */
  private static final int LONGEST_CHAIN = 100;

  private static final String PROV = "http://www.w3.org/ns/prov#";

  private ProvNames() {}

  /** A document, or a bundle in it. */
  record Scope(JsonNode members, Map<String, String> prefixes) {
    List<Element> elements() {
      List<Element> elements = new ArrayList<>();
      for (String kind : List.of("entity", "activity", "agent")) {
        members
            .path(kind)
            .fields()
            .forEachRemaining(
                each ->
                    elements.add(new Element(kind, uri(each.getKey()), facts(each.getValue()))));
      }
      return elements;
    }

    List<Statement> statements(String relation) {
      List<Statement> statements = new ArrayList<>();
      for (JsonNode several : members.path(relation)) {
        // The same identifier can stand for several statements, in an array.
        Json.several(several).forEach(each -> statements.add(new Statement(this, facts(each))));
      }
      return statements;
    }

    /** The members of an element or statement, by names whose prefixes are those of this page. */
    private Map<String, List<String>> facts(JsonNode node) {
      Map<String, List<String>> facts = new LinkedHashMap<>();
      for (JsonNode each : Json.several(node)) {
        each.fields()
            .forEachRemaining(
                member -> {
                  String uri = uri(member.getKey());
                  String key =
                      uri.startsWith(OWN)
                          ? "gm:" + uri.substring(OWN.length())
                          : uri.startsWith(PROV) ? "prov:" + uri.substring(PROV.length()) : uri;
                  List<String> values = facts.computeIfAbsent(key, unused -> new ArrayList<>());
                  Json.several(member.getValue()).forEach(value -> values.add(value(value)));
                });
      }
      return facts;
    }

    private String value(JsonNode value) {
      if (!value.isObject()) {
        return value.asText("");
      }
      String type = Json.text(value, "type");
      String text = Json.text(value, "$");
      boolean isName = type.endsWith(":QName") || type.endsWith(":QUALIFIED_NAME");
      return isName ? uri(text) : text;
    }

    String uri(String name) {
      int colon = name.indexOf(':');
      String prefix = colon < 0 ? "default" : name.substring(0, colon);
      String namespace = prefixes.get(prefix);
      return namespace == null ? name : namespace + name.substring(colon + 1);
    }
  }

  /** Document and bundles. */
  static List<Scope> scopes(JsonNode document) throws IOException {
    Map<String, String> prefixes = new HashMap<>();
    prefixes.put("prov", PROV);
    prefixes.put("xsd", "http://www.w3.org/2001/XMLSchema#");
    List<Scope> scopes = new ArrayList<>();
    scopes.add(scope(document, prefixes));
    for (JsonNode bundle : document.path("bundle")) {
      scopes.add(scope(bundle, scopes.get(0).prefixes()));
    }
    return scopes;
  }

  private static Scope scope(JsonNode members, Map<String, String> outer) throws IOException {
    Map<String, String> prefixes = new HashMap<>(outer);
    for (String key : List.of("prefix", "entity", "activity", "agent", "used", "wasGeneratedBy")) {
      if (members.has(key) && !members.path(key).isObject()) {
        throw new IOException("'" + key + "' is no object, expected one as in PROV-JSON");
      }
    }
    members
        .path("prefix")
        .fields()
        .forEachRemaining(each -> prefixes.put(each.getKey(), each.getValue().asText()));
    return new Scope(members, prefixes);
  }

  private static List<String> joined(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).distinct().toList();
  }

  /** The element of a name; one about which nothing is said if the document has none. */
  static Element element(Map<String, Element> elements, String name, String kind) {
    Element element = elements.get(name);
    return element == null ? new Element(kind, name, Map.of()) : element;
  }

  /** An entity, activity or agent. */
  static final class Element {
    private final String kind;
    private final String name;
    private final Map<String, List<String>> facts;
    private @Nullable Element general;

    Element(String kind, String name, Map<String, List<String>> facts) {
      this.kind = kind;
      this.name = name;
      this.facts = facts;
    }

    String kind() {
      return kind;
    }

    /** Its URI. */
    String name() {
      return name;
    }

    /** What a bundle says of an element besides its document, or two bundles. */
    Element plus(Element other) {
      Map<String, List<String>> all = new LinkedHashMap<>(facts);
      other.facts.forEach((key, values) -> all.merge(key, values, ProvNames::joined));
      return new Element(kind, name, all);
    }

    /** Says of what it is a version. */
    void specializes(Element other) {
      general = other;
    }

    List<String> texts(String key) {
      return facts.getOrDefault(key, List.of());
    }

    String text(String key) {
      List<String> all = texts(key);
      return all.isEmpty() ? "" : all.get(0);
    }

    long time(String key) {
      String text = text(key);
      return text.isEmpty() ? 0 : Moments.micros(text);
    }

    String label() {
      String label = text("prov:label");
      return label.isEmpty() ? name : label;
    }

    /** The id of its vertex. */
    String id(String prefix) {
      String own = text("gm:id");
      return own.isEmpty() ? name.startsWith(prefix) ? name : prefix + name : own;
    }

    boolean isExecutable() {
      return texts("prov:type").contains(OWN + "executable");
    }

    /** The id of the file that it is, or is a version of. */
    String fileId() {
      Element each = this;
      for (int step = 0; step < LONGEST_CHAIN; step++) {
        String told = each.ownFileId();
        Element next = each.general;
        if (!told.isEmpty() || next == null) {
          return told.isEmpty() ? each.name : told;
        }
        each = next;
      }
      return name;
    }

    private String ownFileId() {
      String own = text("gm:id");
      if (!own.isEmpty()) {
        return own;
      }
      return texts("prov:location").stream()
          .filter(location -> location.startsWith("/"))
          .findFirst()
          .orElse("");
    }

    /** Tells the versions of its file apart. */
    String versionName() {
      String own = text("gm:version");
      return own.isEmpty() ? name : own;
    }
  }

  /** A relation between elements. */
  record Statement(Scope scope, Map<String, List<String>> facts) {
    /** The URI of an element; empty if there is none. */
    String name(String key) {
      List<String> values = facts.getOrDefault(key, List.of());
      return values.isEmpty() ? "" : scope.uri(values.get(0));
    }

    long time() {
      List<String> values = facts.getOrDefault("prov:time", List.of());
      return values.isEmpty() || values.get(0).isEmpty() ? 0 : Moments.micros(values.get(0));
    }

    /** The type that says more than the relation; empty if there is none that matters. */
    String ownType() {
      for (String type : facts.getOrDefault("prov:type", List.of())) {
        if (type.startsWith(OWN)) {
          return type.substring(OWN.length());
        } else if (type.equals(PROV + "Revision")) {
          return "prov:Revision";
        }
      }
      return "";
    }

    boolean isOfExecutable() {
      return facts.getOrDefault("prov:role", List.of()).contains(OWN + "executable");
    }
  }
}
