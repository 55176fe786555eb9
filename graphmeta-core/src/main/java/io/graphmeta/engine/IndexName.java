package io.graphmeta.engine;

import io.graphmeta.codec.IndexRows;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.search.SearchConditions;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of an index, taken apart: {@code label.key}, or {@code label.id}.
 *
 * @param element whether it is over vertices or over edges
 * @param label their label
 * @param key their property key; {@link #ID} for the ids of vertices
 */
record IndexName(ElementKind element, String label, String key) {
  /** In place of a property key: the id. */
  static final String ID = SearchConditions.ID;

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.:/-]+");

  private static final String EXPECTED =
      "expected LABEL.KEY, such as file.name, or LABEL.id for the ids";

  /**
   * Reads a name. Of several dots the one counts before which is a label that there is. A label
   * that there is not is one of vertices, if nothing else is said.
   *
   * @param element what it is to be over; null to tell by the label
   * @throws GraphMetaException {@code INVALID_ARGUMENT}
   */
  static IndexName parse(String name, @Nullable ElementKind element, SchemaImage schema) {
    if (name.getBytes(StandardCharsets.UTF_8).length > IndexRows.MAX_NAME_BYTES) {
      throw GraphMetaException.invalid(
          "The name of an index '"
              + name.substring(0, 40)
              + "...' is longer than "
              + IndexRows.MAX_NAME_BYTES
              + " bytes; "
              + EXPECTED);
    }
    IndexName only = null;
    int readings = 0;
    int known = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (dot == 0 || dot == name.length() - 1) {
        continue;
      }
      String label = name.substring(0, dot);
      boolean isKnown =
          element == null
              ? isOf(ElementKind.VERTEX, label, schema) || isOf(ElementKind.EDGE, label, schema)
              : isOf(element, label, schema);
      readings++;
      known += isKnown ? 1 : 0;
      if (only == null || isKnown) {
        ElementKind of = element == null ? kind(name, label, schema) : element;
        only = new IndexName(of, label, name.substring(dot + 1));
      }
    }
    if (only == null) {
      throw GraphMetaException.invalid("'" + name + "' names no index; " + EXPECTED);
    }
    if (readings > 1 && known != 1) {
      throw GraphMetaException.invalid(
          "'"
              + name
              + "' can be read in "
              + readings
              + " ways, since it has several dots; "
              + EXPECTED
              + (known == 0
                  ? " with a label that vertices or edges have"
                  : " that can be read in one"));
    }
    if (only.label.startsWith(GeneratedIds.PREFIX)) {
      throw GraphMetaException.invalid(
          "'"
              + name
              + "' begins with '"
              + GeneratedIds.PREFIX
              + "', as what the database keeps for itself does; "
              + EXPECTED);
    }
    if (only.isOfIds() && only.element == ElementKind.EDGE) {
      throw GraphMetaException.invalid(
          "'"
              + name
              + "' would be an index over ids of edges, which nothing can ask: searches find"
              + " vertices; expected LABEL.KEY with a property key of these edges");
    }
    return only;
  }

  /** As users write it. */
  String text() {
    return label + "." + key;
  }

  /** As a word of a command in a shell. */
  String inCommand() {
    return PLAIN.matcher(text()).matches() ? text() : "'" + text().replace("'", "'\\''") + "'";
  }

  private static boolean isOf(ElementKind element, String label, SchemaImage schema) {
    NameKind kind = element == ElementKind.VERTEX ? NameKind.VERTEX_LABEL : NameKind.EDGE_LABEL;
    return schema.id(kind, label) != 0;
  }

  private static ElementKind kind(String name, String label, SchemaImage schema) {
    if (!isOf(ElementKind.EDGE, label, schema)) {
      return ElementKind.VERTEX;
    }
    if (isOf(ElementKind.VERTEX, label, schema)) {
      throw GraphMetaException.invalid(
          "'"
              + name
              + "' can be over vertices or over edges, since both have the label '"
              + label
              + "'; say which: --element vertex or --element edge, or element: 'edge' in a call");
    }
    return ElementKind.EDGE;
  }

  boolean isOfIds() {
    return key.equals(ID);
  }
}
