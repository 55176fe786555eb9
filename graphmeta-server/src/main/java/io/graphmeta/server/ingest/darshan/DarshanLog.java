package io.graphmeta.server.ingest.darshan;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One log. Immutable and safe for any number of threads.
 *
 * @param file where it was read from
 * @param header the header
 * @param job the program that ran
 * @param names path of each record id, in the order of the log. Ids are unsigned 64-bit numbers
 *     ({@link FileRecord#formatId}). Records of other modules are named here too, and not all names
 *     are paths
 * @param modules the modules that have data, in the order of their slots
 * @param files the POSIX records, then the STDIO records, each in the order of the log
 * @param timeline when the program moved its bytes; empty if the log doesn't tell, or if all fell
 *     into one span
 */
public record DarshanLog(
    Path file,
    DarshanHeader header,
    DarshanJob job,
    Map<Long, String> names,
    List<DarshanModule> modules,
    List<FileRecord> files,
    Optional<Timeline> timeline) {

  /**
   * The path of a record id, for instance of {@link FileRecord#renamedFrom()}; empty if the log
   * doesn't name it.
   */
  public Optional<String> nameOf(long recordId) {
    return Optional.ofNullable(names.get(recordId));
  }
}
