package io.graphmeta.backup;

/**
 * What a backup is of.
 *
 * @param identity of the database
 * @param format the version of its stored format
 * @param stamp what was committed at or below it is in the backup, and nothing else
 * @param shards how many
 * @param virtualNodes how many
 * @param placement the name of how edges are placed
 */
public record BackedUpDatabase(
    String identity, int format, long stamp, int shards, int virtualNodes, String placement) {}
