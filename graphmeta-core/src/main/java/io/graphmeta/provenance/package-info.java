/**
 * The default vocabulary of HPC metadata and lineage that respects time, over the public interface
 * of the engine.
 *
 * <p>Entry class: {@link io.graphmeta.provenance.Provenance}, bound to one transaction and one view
 * and so to one thread. {@link io.graphmeta.provenance.Vocabulary} names labels and property keys;
 * {@link io.graphmeta.provenance.RecordRules} is the one place that decides what a record of file
 * accesses cannot tell. Rules, vocabulary and results are immutable and safe for any thread.
 * Ingest, the command line and providers of services may use this package; nothing in the core
 * does.
 *
 * <p>The graph holds accesses, not versions: {@code process -wrote-> file} with the time from which
 * the process had the file open for writing to its last write. Each such edge <em>is</em> a version
 * of the file, and which of them a reader can have met follows from the times on the edges. So a
 * file keeps one vertex and one id, its edges never change when another log arrives, and logs can
 * be loaded in any order.
 */
@NullMarked
package io.graphmeta.provenance;

import org.jspecify.annotations.NullMarked;
