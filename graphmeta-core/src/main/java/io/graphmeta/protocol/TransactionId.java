package io.graphmeta.protocol;

/**
 * One attempt to commit a transaction over several shards: the stamp that it is to have, and what
 * tells it from others of the same stamp. An attempt at another stamp has another number.
 *
 * @param stamp the stamp of all its versions
 * @param client a number that no other client has
 * @param number a number that this client gave to no other attempt
 */
public record TransactionId(long stamp, long client, long number)
    implements Comparable<TransactionId> {
  /** Size as bytes. */
  static final int BYTES = 24;

  @Override
  public int compareTo(TransactionId other) {
    int order = Long.compare(stamp, other.stamp);
    order = order != 0 ? order : Long.compare(client, other.client);
    return order != 0 ? order : Long.compare(number, other.number);
  }
}
