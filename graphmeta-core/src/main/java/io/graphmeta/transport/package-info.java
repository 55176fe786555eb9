/**
 * The seam between clients and shards. Above it, code addresses a shard; below it, code handles a
 * request. The interface promises neither order nor an answer, so that a local, a simulated and a
 * network transport can stand for one another. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.transport;

import org.jspecify.annotations.NullMarked;
