package io.graphmeta.provenance;

import java.util.ArrayList;
import java.util.List;

/**
 * What the record holds on one program: a process, with its ranks if it is parallel. Filled by
 * {@link RecordSource}, then only read.
 */
final class Program {
  /** Vertex key of the process. */
  final long vertex;

  /** Vertex keys of the process and of its ranks. */
  final List<Long> members = new ArrayList<>();

  final List<Access> reads = new ArrayList<>();

  /** Whether there can be reads that were not read for want of time. */
  boolean readsCut;

  final List<Access> writes = new ArrayList<>();
  final List<Long> executables = new ArrayList<>();
  final List<Long> jobs = new ArrayList<>();
  long startMicros;

  /** End of the process; 0 if it is not recorded. */
  long endMicros;

  long earlyMicros;

  Program(long vertex) {
    this.vertex = vertex;
  }

  /** The start as an access to the file of the executable. */
  Access start(long file) {
    return new Run(vertex, startMicros, earlyMicros).asAccess(file);
  }
}
