package io.graphmeta.engine;

import io.graphmeta.codec.IndexRows;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.search.SearchConditions;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The name of an index, taken apart: {@code label.key}, or {@code label.id}.
 *
 * @param label the label of its vertices
 * @param key their property key; {@link #ID} for their ids
 */
record IndexName(String label, String key) {
  /** In place of a property key: the id. */
  static final String ID = SearchConditions.ID;

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.:/-]+");

  private static final String EXPECTED =
      "expected LABEL.KEY, such as file.name, or LABEL.id for the ids";

  /**
   * Reads a name. Of several dots the one counts before which is a label that there is.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT}
   */
  static IndexName parse(String name, SchemaImage schema) {
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
      boolean isKnown = schema.id(NameKind.VERTEX_LABEL, label) != 0;
      readings++;
      known += isKnown ? 1 : 0;
      if (only == null || isKnown) {
        only = new IndexName(label, name.substring(dot + 1));
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
              + (known == 0 ? " with a label that vertices have" : " that can be read in one"));
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

  boolean isOfIds() {
    return key.equals(ID);
  }
}
