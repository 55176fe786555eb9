/**
 * The log port: the one way by which a shard changes its store. An entry holds whole commits and
 * complete rows, their stamps included, so that applying it again changes nothing. It is ordered
 * when it is appended, and applied then or later; so a log that copies entries to other machines
 * can stand in the place of the {@link io.graphmeta.log.LocalLog local} one. Shards append; nodes
 * choose the log. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.log;

import org.jspecify.annotations.NullMarked;
