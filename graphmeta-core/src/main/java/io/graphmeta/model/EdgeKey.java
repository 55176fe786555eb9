package io.graphmeta.model;

/**
 * Where an edge lies: it can be found from either end without an index.
 *
 * @param out vertex key of the source
 * @param labelId id of the edge label in the schema
 * @param in vertex key of the destination
 * @param sequence tells edges of one label between the same vertices apart; at most 40 bits
 */
public record EdgeKey(long out, int labelId, long in, long sequence) {}
