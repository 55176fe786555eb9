package io.graphmeta.server.ingest.darshan;

/**
 * A module that has data in a log.
 *
 * @param name Darshan's name of the module ({@code POSIX}, {@code MPI-IO}, {@code LUSTRE}, ...), or
 *     {@code SLOT-n} for a slot that no format known here assigns
 * @param version version of the module's records
 * @param compressedBytes size of the module's region in the file
 * @param partial whether the module ran out of memory, so that records are missing
 * @param decoded whether its records are among {@link DarshanLog#files()}; the others are skipped,
 *     but those that {@link DarshanLog#timeline()} sums up
 */
public record DarshanModule(
    String name, int version, long compressedBytes, boolean partial, boolean decoded) {}
