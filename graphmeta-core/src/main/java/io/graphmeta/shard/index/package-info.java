/**
 * The index of a shard: what is defined, how it follows the store, and what it is asked. {@code
 * shard} puts it together and {@code node} gives it a thread and the index behind the port {@link
 * io.graphmeta.search.AttributeIndex}. Only that thread changes an index; any thread asks it.
 */
@NullMarked
package io.graphmeta.shard.index;

import org.jspecify.annotations.NullMarked;
