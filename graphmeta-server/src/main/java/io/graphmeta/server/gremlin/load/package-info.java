/**
 * The service by which loaders send records to a server ({@link
 * io.graphmeta.server.ingest.wire.RecordForm}). Entry class: {@link
 * io.graphmeta.server.gremlin.load.LoadService}, registered with a graph before it is served. A
 * call runs in the thread of its query, in transactions of its own.
 */
@NullMarked
package io.graphmeta.server.gremlin.load;

import org.jspecify.annotations.NullMarked;
