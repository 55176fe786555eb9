/**
 * What a shard knows of the vertices whose entries are spread over shards: which partitions there
 * are of each that it has to do with, and so which of the rows in its store count. Reads, caches
 * and commits of the shard ask it; its log tells it of changes. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.split;

import org.jspecify.annotations.NullMarked;
