/**
 * Commits of one server: checked for conflicts, stamped, and appended to the log in groups; and the
 * parts of transactions over several servers, kept as intents until their outcome is known
 * everywhere. Shards call it, and nobody else; who verifies a store reads intents by {@link
 * io.graphmeta.shard.commits.StoredIntent}. Safe for use by many threads: one lock, that of {@link
 * io.graphmeta.shard.commits.CommitPipeline}, guards nearly all of it, and is not held while
 * anything waits for the disk or for another server.
 */
@NullMarked
package io.graphmeta.shard.commits;

import org.jspecify.annotations.NullMarked;
