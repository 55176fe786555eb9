/**
 * The accounting of batch systems other than as text of {@code sacct}: the files that PBS and LSF
 * write, and Slurm's {@code sacct} itself, asked where it is installed. What they tell of a job
 * becomes a {@link io.graphmeta.server.ingest.JobAccount}; states are called as Slurm calls them,
 * so that queries need not know the batch system.
 *
 * <p>Entry classes: {@link io.graphmeta.server.ingest.accounting.PbsReader} and {@link
 * io.graphmeta.server.ingest.accounting.LsfReader}, streams of accounts that hold one line at a
 * time, and {@link io.graphmeta.server.ingest.accounting.SacctProcess}. Each is for use by one
 * thread.
 *
 * <h2>PBS</h2>
 *
 * <p>{@code MM/DD/YYYY HH:MM:SS;TYPE;ID;KEY=VALUE KEY=VALUE ...}, in files of a day each, of PBS
 * Professional, OpenPBS and TORQUE. Records of the types {@code S} (started) and {@code E} (ended)
 * are read, the others passed over: what these know of a job, those repeat. Values with blanks are
 * in quotes of either kind. Times among the values are seconds since 1970.
 *
 * <h2>LSF</h2>
 *
 * <p>{@code lsb.acct}: fields separated by blanks, texts in double quotes with quotes in them
 * doubled. Records {@code "JOB_FINISH"} are read, others passed over. The places behind two lists
 * of hosts depend on their lengths, which stand before them; all fields that are read here have
 * been there since version 5 of the format, and later ones follow behind.
 */
@NullMarked
package io.graphmeta.server.ingest.accounting;

import org.jspecify.annotations.NullMarked;
