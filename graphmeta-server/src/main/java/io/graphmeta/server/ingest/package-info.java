/**
 * Maps what the readers of the sub-packages read into the graph, in the default vocabulary ({@link
 * io.graphmeta.provenance.Vocabulary}), by the rules of {@link
 * io.graphmeta.provenance.RecordRules}, in two steps: a reader makes {@link
 * io.graphmeta.server.ingest.LoadRecord}s of a source, knowing no graph ({@link
 * io.graphmeta.server.ingest.DarshanIngest#read}, {@link
 * io.graphmeta.server.ingest.SacctIngest#account}; what {@link io.graphmeta.server.ingest.trace}
 * reads is one as it is), and a {@link io.graphmeta.server.ingest.RecordLoad} takes them: {@link
 * io.graphmeta.server.ingest.DatabaseLoad} in the process of the database. So a server loads what
 * the command line has read by the code that loads it locally.
 *
 * <p>A log is loaded in one transaction, maybe with others, and leaves nothing behind if it fails.
 * What is there already is left as it is, so loading again changes nothing. An element that an
 * earlier log knows from an earlier time is extended backwards, so the order of loading does not
 * matter either.
 */
@NullMarked
package io.graphmeta.server.ingest;

import org.jspecify.annotations.NullMarked;
