/**
 * What the wire between nodes costs, beside a bare echo of the same bytes by the same library, and
 * beside shards in this process. A program by itself; nothing else uses it.
 */
@NullMarked
package io.graphmeta.bench.wire;

import org.jspecify.annotations.NullMarked;
