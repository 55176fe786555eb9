package io.graphmeta.server.ingest.darshan;

import java.nio.ByteOrder;

/**
 * The first, uncompressed part of a log.
 *
 * @param formatVersion version of the log format, such as {@code 3.41}
 * @param byteOrder byte order of the machine that wrote the log
 * @param compression how the regions are compressed
 * @param partial whether a module of the log ran out of memory, so that files or accesses are
 *     missing; which one tells {@link DarshanModule#partial()}
 */
public record DarshanHeader(
    String formatVersion, ByteOrder byteOrder, Compression compression, boolean partial) {}
