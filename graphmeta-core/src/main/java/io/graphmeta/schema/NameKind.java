package io.graphmeta.schema;

import io.graphmeta.error.GraphMetaException;
import java.nio.charset.StandardCharsets;

/** What a name in the schema names. The ordinal is stored: append only. */
public enum NameKind {
  /** Ids 1 to 4095, part of vertex keys. */
  VERTEX_LABEL(4095, "vertex labels"),
  /** Ids 1 to 65535, part of edge keys. */
  EDGE_LABEL(65_535, "edge labels"),
  /** Ids 1 to 65535, part of row keys. */
  PROPERTY_KEY(65_535, "property keys");

  private final int maxId;
  private final String plural;

  NameKind(int maxId, String plural) {
    this.maxId = maxId;
    this.plural = plural;
  }

  /**
   * Refuses a text that cannot be a name.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT}
   */
  public void check(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > SchemaName.MAX_BYTES) {
      throw GraphMetaException.invalid(
          "A name of "
              + bytes
              + " bytes among the "
              + plural
              + "; expected 1 to "
              + SchemaName.MAX_BYTES);
    }
  }

  /** The greatest id. */
  public int maxId() {
    return maxId;
  }

  /** For messages. */
  public String plural() {
    return plural;
  }
}
