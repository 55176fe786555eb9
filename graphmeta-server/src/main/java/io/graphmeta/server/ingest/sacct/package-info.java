/**
 * Reads the accounting of the Slurm batch system as the text that {@code sacct --parsable2} prints.
 *
 * <p>Entry class: {@link io.graphmeta.server.ingest.sacct.SacctReader}, a stream of records for use
 * by one thread; the records are immutable. It is meant for the mapping of jobs to the graph;
 * nothing here knows the graph.
 *
 * <p>The text is a header line with the names of the columns, then a line for each job and each of
 * its steps, the columns separated by {@code |} without quoting. Only {@code JobID} must be there;
 * the columns come in any order and letter case. A column of free text can hold {@code |} itself,
 * which is read right only in a last column named {@code SubmitLine}, {@code Comment}, {@code
 * AdminComment}, {@code SystemComment} or {@code JobName}: put such a one last.
 */
@NullMarked
package io.graphmeta.server.ingest.sacct;

import org.jspecify.annotations.NullMarked;
