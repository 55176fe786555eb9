package io.graphmeta.backup;

/**
 * A file of a backup.
 *
 * @param shard whose store it is of
 * @param name in the directory of the store
 * @param digest what it holds
 * @param origin which file it was copied from, as {@link io.graphmeta.transfer.FileEntry#origin}
 *     has it
 */
record StoredFile(int shard, String name, FileDigest digest, String origin) {}
