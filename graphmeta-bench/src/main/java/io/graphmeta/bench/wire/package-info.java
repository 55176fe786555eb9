/**
 * What the wire between nodes costs, and a graph whose shards are on nodes: beside a bare echo by
 * the same library, and beside shards in this process. Programs by themselves; nothing else uses
 * them.
 */
@NullMarked
package io.graphmeta.bench.wire;

import org.jspecify.annotations.NullMarked;
