/**
 * The conformance suites of TinkerPop on the RocksDB engine, and the table of their results, which
 * may not get worse.
 */
@NullMarked
package io.graphmeta.gremlin.suite;

import org.jspecify.annotations.NullMarked;
