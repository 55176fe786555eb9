package io.graphmeta.server.ingest.trace;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The versions of files that a document tells of in several places, each once, and by whom they
 * were written. Used by one thread.
 */
final class WrittenVersions {
  private static final String SHELL = "sh";

  private final Map<String, RunDraft> runs;
  private final Map<String, RunDraft.Version> versions = new LinkedHashMap<>();
  private final Map<RunDraft.Version, String> writers = new HashMap<>();
  private final Set<RunDraft.Version> written = new HashSet<>();

  /**
   * Versions of a document.
   *
   * @param runs its runs by their ids
   */
  WrittenVersions(Map<String, RunDraft> runs) {
    this.runs = runs;
  }

  /**
   * The version that was told of first, if the same was told before.
   *
   * @param writer id of the process that wrote it; empty if that is not told
   */
  RunDraft.Version shared(RunDraft.Version version, String writer) {
    if (writer.isEmpty()) {
      return version;
    }
    String key = version.file + "\n" + version.name + "\n" + writer;
    RunDraft.Version first = versions.computeIfAbsent(key, unused -> version);
    writers.put(first, writer);
    first.renamedFrom.addAll(
        version.renamedFrom.stream().filter(each -> !first.renamedFrom.contains(each)).toList());
    return first;
  }

  /** A version was written by a run; whether that is news. */
  boolean by(RunDraft run, RunDraft.Version version) {
    written.add(version);
    return run.wrote(version);
  }

  /**
   * Part of a lineage can tell a version without the run that wrote it: of that run the id and this
   * one write are known.
   */
  void byThoseNotTold() {
    for (RunDraft.Version version : versions.values()) {
      if (!written.contains(version)) {
        RunDraft run = runs.computeIfAbsent(String.valueOf(writers.get(version)), RunDraft::new);
        run.happenedAt(version.startMicros);
        if (version.isRedirected() && run.job == null) {
          // Others print to what a shell of their job has opened for them.
          run.name = SHELL;
          run.job = version.printers.iterator().next().job;
        }
        by(run, version);
      }
    }
  }
}
