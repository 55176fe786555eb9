/**
 * Reads binary logs of the Darshan I/O characterisation tool, format 3.00 to 3.41, without native
 * code.
 *
 * <p>Entry class: {@link io.graphmeta.server.ingest.darshan.DarshanReader}. It is meant for the
 * mapping of logs to the graph; nothing here knows the graph. Everything that is returned is
 * immutable and may be shared between threads.
 *
 * <h2>The file</h2>
 *
 * <pre>
 * header        version[8] | magic i64 = 6567223 | compression u8 | partial flags | names map | module maps | module
 *               versions; not compressed; the magic number tells the byte order of everything that follows
 *               up to 3.21: partial flags u32 at 20, names map at 24, 16 module slots, 360 bytes in all
 *               from 3.41:  partial flags u64 at 24, names map at 32, 64 module slots, 1328 bytes in all
 *               a map is offset u64 | length u64 of a region, in bytes of the file
 * job region    from the end of the header to the first other region
 *               up to 3.21: uid, start, end, processes, job id                     (i64 each; times in seconds)
 *               from 3.41:  uid, start s, start ns, end s, end ns, processes, job id
 *               then 1024 bytes of key=value lines, then the command line, then a line "type TAB path" for each mount
 * names region  record id u64 | path, zero-terminated;   3.00: record id u64 | length u32 | path
 * module region records of one size: record id u64 | rank i64 | n * i64 counters | m * f64 counters
 * </pre>
 *
 * <p>A region is one or more complete zlib or bzip2 streams in a row (each rank may have written
 * its own), or stored bytes. A module's slot depends on the format: H5D was inserted with 3.20,
 * PNETCDF_VAR with 3.41. Which counters a record has depends on the version of its module; {@code
 * CounterLayout} holds the tables.
 *
 * <h2>Hostile input</h2>
 *
 * Every length is checked against the file's size and against {@link
 * io.graphmeta.server.ingest.darshan.DarshanLimits} before memory is taken for it. A damaged log
 * ends in a {@link io.graphmeta.server.ingest.darshan.DarshanFormatException}, whatever its bytes.
 */
@NullMarked
package io.graphmeta.server.ingest.darshan;

import org.jspecify.annotations.NullMarked;
