package io.graphmeta.provenance;

import io.graphmeta.model.EdgeKey;

/**
 * That a process ran an executable. Immutable.
 *
 * @param process vertex key of the process
 * @param startMicros when the process started, in microseconds since 1970
 * @param earlyMicros how long before the true start the recorded one may lie
 */
record Run(long process, long startMicros, long earlyMicros) {
  /** The start of the process as an access to the file of the executable. */
  Access asAccess(long file) {
    EdgeKey none = new EdgeKey(process, -1, file, -1);
    return new Access(
        none,
        process,
        file,
        startMicros,
        startMicros,
        earlyMicros,
        0,
        0,
        0,
        0,
        Evidence.BYTES,
        false,
        false,
        0);
  }
}
