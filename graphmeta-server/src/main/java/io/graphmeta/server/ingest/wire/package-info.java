/**
 * Records on their way from a loader to a server that loads them. Entry classes: {@link
 * io.graphmeta.server.ingest.wire.RecordWriter} and {@link
 * io.graphmeta.server.ingest.wire.RecordReader}, each used by one thread.
 *
 * <h2>The form</h2>
 *
 * Its name is {@link io.graphmeta.server.ingest.wire.RecordForm#NAME}, which goes with the bytes. A
 * server that does not know the name refuses the bytes unseen, so whatever changes below gets
 * another name. Nothing is stored in this form.
 *
 * <pre>
 * batch      zlib stream of records, one behind the other to the end
 * record     0x01 run | 0x02 account | 0x03 trace
 *
 * number     zig-zag, 7 bits a byte, low bits first
 * text       length in bytes, 7 bits a byte, low bits first | UTF-8
 * flags      byte, from the low bits: those named, in their order
 * list       number of members as a text's length | the members
 * maybe X    0x00 | 0x01 X
 *
 * run        digest text | log text | uid number | jobId number | executable text | commandLine text
 *            processes number | start number | end number, microseconds since 1970, 0 for none | slack number, milliseconds
 *            flags wholeSeconds, incomplete
 *            maybe timeline: spanSeconds f64, big-endian | list of (read number | written number)
 *            list of uses: rank number | path text | access
 *            list of renames: rank number | source text | target text | start number, since the start of the run
 *                             duration number | evidence text
 *            list of names by hash: id text | name text
 * access     start number, since the start of the run | duration number | bytes number | operations number | opens number
 *            extent number | evidence text | interfaces text | flags wrote, appended
 * account    number text | maybe user text | maybe uid number | maybe name text | maybe account text
 *            maybe partition text | maybe state text | maybe exitCode text
 *            maybe submit, maybe start, maybe end: number, microseconds since 1970
 *            maybe nodes number | maybe tasks number | maybe workDir text | maybe submitLine text
 * trace      id text | name text | commandLine text | start number | end number, microseconds since 1970, 0 for none
 *            maybe job: id text | name text | start number | end number, likewise | list of users: id text | name text
 *            list of programs: id text | list of storedIn: text
 *            list of uses: file text | version text | access | flags redirected
 *            list of renames: source text | target text
 *            list of deleted: text
 * </pre>
 *
 * <h2>Hostile input</h2>
 *
 * A reader inflates no more than it is told to, makes one record at a time, takes no memory for a
 * list before its members are there, and refuses what is damaged as the input of a client.
 */
@NullMarked
package io.graphmeta.server.ingest.wire;

import org.jspecify.annotations.NullMarked;
