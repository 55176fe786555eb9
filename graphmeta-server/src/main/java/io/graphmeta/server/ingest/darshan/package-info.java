/**
 * Reads binary logs of the Darshan I/O characterisation tool, format 2.00 to 2.06 and 3.00 to 3.41,
 * without native code.
 *
 * <p>Entry class: {@link io.graphmeta.server.ingest.darshan.DarshanReader}. It is meant for the
 * mapping of logs to the graph; nothing here knows the graph. Everything that is returned is
 * immutable and may be shared between threads.
 *
 * <h2>Format 3</h2>
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
 * <p>The modules HEATMAP and DXT_POSIX tell when bytes were moved; they become a {@link
 * io.graphmeta.server.ingest.darshan.Timeline} of at most 64 spans, whatever their size. Their
 * records are of several sizes:
 *
 * <pre>
 * HEATMAP       record id u64 | rank i64 | seconds of a span f64 | n i64 | 16 bytes | n * i64 written | n * i64 read
 * DXT           record id u64 | rank i64 | shared i64 | host[64] | w i64 | r i64 | w writes, r reads: each
 *               offset i64 | length i64 | start f64 | end f64 | thread u64 (DXT_POSIX from version 2, DXT_MPIIO from 3)
 * </pre>
 *
 * <h2>Format 2</h2>
 *
 * <pre>
 * the file      one or more gzip or bzip2 streams in a row, or not compressed; decompressed:
 * job           version[8] | magic i64 = 6567223 | uid, start, end, processes, job id   (i64 each; times in seconds)
 *               then key=value lines: none in 2.00, 64 bytes in 2.01 to 2.03, 1024 bytes from 2.04 on
 *               then the command line, and a line "device TAB type TAB path" for each mount
 *               1024 bytes in all up to 2.03, 4096 from 2.04 on
 * records       to the end, 1328 bytes each: hash of the path u64 | rank i64 | end of the path[16] | 144 i64 | 18 f64
 * </pre>
 *
 * <p>A record holds what all interfaces counted of a file, and only the last 15 bytes of its path.
 * The hash is the one that format 3 has as record id. A record with the hash 0 sums up all files of
 * a process that had more than 1024. Up to 2.02 the times are those of a clock of which the log
 * says nothing ({@code StreamClock}); in a log that darshan-convert wrote the version that counts
 * for this is in the metadata {@code prev_ver}. Format 1 is not read: darshan-convert of Darshan 2
 * makes format 2 of it.
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
