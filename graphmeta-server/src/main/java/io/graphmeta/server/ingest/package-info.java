/**
 * Maps what the readers of the sub-packages read into the graph, in the default vocabulary ({@link
 * io.graphmeta.provenance.Vocabulary}), by the rules of {@link
 * io.graphmeta.provenance.RecordRules}. Entry classes: {@link
 * io.graphmeta.server.ingest.DarshanIngest} and {@link io.graphmeta.server.ingest.SacctIngest},
 * each bound to one database, the first safe for use by many threads and the second used by one.
 * For the command line and for services.
 *
 * <p>A log is one transaction and leaves nothing behind if it fails. What is there already is left
 * as it is, so loading again changes nothing. An element that an earlier log knows from an earlier
 * time is extended backwards, so the order of loading does not matter either.
 */
@NullMarked
package io.graphmeta.server.ingest;

import org.jspecify.annotations.NullMarked;
