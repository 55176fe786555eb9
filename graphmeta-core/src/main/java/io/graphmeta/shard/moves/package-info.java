/**
 * Entries of vertices that move from one shard to another: which vertices are due, what is handed
 * over, and what is removed afterwards. A move is driven from outside, message by message, by a
 * client of both shards; shards hand the messages on, and commits ask here whether an entry can be
 * changed. Safe for use by many threads, without threads of its own.
 *
 * <h2>States of a move</h2>
 *
 * <pre>
 *  the shard that gives entries              the shard that takes them
 *
 *  no move                                    no move
 *     | GiveEntries BEGIN                        | TakeEntries 0: rows of the vertex that an
 *     v                                          v earlier attempt has left are removed
 *  noted: changes of the entries are          taken: messages 1, 2, 3, ... each in its turn
 *  noted; READ shows the rows, CHANGES           |
 *  shows rows changed since                      |
 *     |     ^                                    |
 *     |     | after two seconds                  |
 *     v     |                                    |
 *  held: no change of the entries is             |
 *  taken; CHANGES shows the last ones            |
 *     |                                          |
 *     +---- a transaction with a part on both, and on the home of the vertex, commits the
 *     |     split: only if the giver holds the entries and has shown every change, and the
 *     |     taker has every message of this attempt
 *     v                                          v
 *  moved away: rows are kept for readers      holder of the partition
 *  of older snapshots
 *     | kept long enough, and the split is resolved
 *     v
 *  removed
 * </pre>
 *
 * {@code EndMove} ends the state of a move on either shard, before the split or behind it; so does
 * a restart, since the state is in memory. Before the split that gives the move up: the giver still
 * holds the partition, and readers pass over the rows that the taker has.
 */
@NullMarked
package io.graphmeta.shard.moves;

import org.jspecify.annotations.NullMarked;
