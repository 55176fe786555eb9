package io.graphmeta.schema;

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

  /** The greatest id. */
  public int maxId() {
    return maxId;
  }

  /** For messages. */
  public String plural() {
    return plural;
  }
}
