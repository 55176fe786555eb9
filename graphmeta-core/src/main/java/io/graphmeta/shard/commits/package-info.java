/**
 * Commits of one shard: checked for conflicts, stamped, and appended to the log in groups; and the
 * parts of transactions over several shards, kept as intents until their outcome is known
 * everywhere. Only shards call it; what verifies a store reads intents by {@link
 * io.graphmeta.shard.commits.StoredIntent}. Safe for use by many threads: one lock, that of {@link
 * io.graphmeta.shard.commits.CommitPipeline}, guards nearly all of it, and is not held while a
 * thread waits for the disk or for another shard.
 *
 * <h2>States of an intent</h2>
 *
 * <pre>
 *  Prepare ------------- refused ----------------------&gt; no intent: the stamp is closed, so that
 *     |                                                  no copy of the message is taken later
 *     | taken: its rows and the row of the intent
 *     | are in the entry of a group
 *     v
 *  open, not durable --- the log refuses the entry ----&gt; no intent
 *     |           |
 *     |           '----- a later attempt replaces it --&gt; undone: the rows are as before the part
 *     | the group is durable                             ^
 *     v                                                  |
 *  open, durable ------- not committed, or replaced -----'
 *     |      ^
 *     |      '---------- found at a start of the shard, above the watermark
 *     | committed
 *     v
 *  decided
 *     |      ^
 *     |      '---------- found at a start of the shard, at or below the watermark
 *     | the watermarks of all participants have passed its stamp
 *     v
 *  forgotten: the row of the intent is deleted, the rows of the part stay
 * </pre>
 *
 * A later attempt replaces a part in one entry: the rows of one go and those of the other come
 * ({@link io.graphmeta.shard.commits.ReplacedPart}). The scopes of an open intent are held: no
 * other transaction can change them. Those of one that is being undone are too, until its rows are
 * gone; who meets these alone is set aside until then ({@link
 * io.graphmeta.shard.commits.SetAside}). No snapshot is at or above the stamp of an open intent, so
 * that its rows are seen by nobody. An outcome reaches only an intent that is durable: a
 * transaction with a part that is not has not been decided.
 */
@NullMarked
package io.graphmeta.shard.commits;

import org.jspecify.annotations.NullMarked;
