/**
 * The server side: answers requests from the rows of one store. Reads resolve versions at a view;
 * commits are checked for conflicts, stamped, and written in groups. Nodes create shards; clients
 * reach them through the transport only. Safe for use by many threads, without threads of its own.
 */
@NullMarked
package io.graphmeta.shard;

import org.jspecify.annotations.NullMarked;
