package io.graphmeta.server.ingest.darshan;

/**
 * A file system that was mounted where the job ran.
 *
 * @param type type of the file system, such as {@code lustre}
 * @param path where it was mounted
 */
public record Mount(String type, String path) {}
