/**
 * Reads what other tools wrote down of the runs of programs: events of OpenLineage, one JSON object
 * a line, and documents of PROV-JSON. Entry classes: {@link
 * io.graphmeta.server.ingest.trace.OpenLineageReader} and {@link
 * io.graphmeta.server.ingest.trace.ProvReader}. Both give {@link
 * io.graphmeta.server.ingest.trace.TracedRun}s, and know no graph. Used by one thread each.
 *
 * <p>Files of OpenLineage's namespace {@code file}, and entities of PROV with a path as their
 * location, have the path as their id, so that they meet the files of other logs; others have their
 * URI.
 */
@NullMarked
package io.graphmeta.server.ingest.trace;

import org.jspecify.annotations.NullMarked;
