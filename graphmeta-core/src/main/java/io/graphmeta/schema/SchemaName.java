package io.graphmeta.schema;

/**
 * A name and its id.
 *
 * @param kind what it names
 * @param id from 1 to the greatest of its kind
 * @param name the name
 * @param multiValued for property keys: whether a vertex may have several values
 */
public record SchemaName(NameKind kind, int id, String name, boolean multiValued) {
  /** Length of the longest name in UTF-8, in bytes. */
  public static final int MAX_BYTES = 1024;
}
