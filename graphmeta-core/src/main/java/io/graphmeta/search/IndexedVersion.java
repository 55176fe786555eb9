package io.graphmeta.search;

/**
 * A value that a property had from one point of the two times on.
 *
 * @param definition what it is indexed for; its kinds say how
 * @param element the key of the element: 8 bytes of a vertex, or those of an edge
 * @param valueId tells the values of a list or set apart; 0 for a single value
 * @param valid the stamp from which it was true
 * @param committed the stamp at which it was learned of
 * @param value the value, as a record of the element would show it
 * @param endValid the valid stamp of the next statement about the slot, or, if there is none, of
 *     the end of the element, which can lie before; {@link #OPEN} if there is neither
 * @param endCommitted the stamp at which that was learned of; {@link #OPEN} if there is none
 */
public record IndexedVersion(
    IndexDefinition definition,
    byte[] element,
    long valueId,
    long valid,
    long committed,
    Object value,
    long endValid,
    long endCommitted) {
  /** There is no later statement. */
  public static final long OPEN = Long.MAX_VALUE;

  /** Whether nothing has ended it. */
  public boolean isOpen() {
    return endValid == OPEN;
  }
}
