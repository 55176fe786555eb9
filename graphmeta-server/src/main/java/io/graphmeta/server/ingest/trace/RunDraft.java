package io.graphmeta.server.ingest.trace;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.provenance.RecordRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is put together from what a document says here and there, and made into accesses with
 * times at its end. Used by one thread.
 *
 * <h2>When a file was read</h2>
 *
 * Documents tell which version a run read, and the graph when it did: the versions follow from the
 * times. So the access is put to the first moment at which the run can have met the version and no
 * older one: at the start of the run, or when the version surely stood at its path, if that is
 * later.
 */
final class RunDraft {
  /** A version of a file, as far as a document tells. */
  static final class Version {
    final String file;

    /** Tells versions of the file apart. */
    final String name;

    long startMicros;
    long endMicros;
    final Set<String> doubts = new LinkedHashSet<>();
    final List<String> renamedFrom = new ArrayList<>();
    boolean continues;

    /** Runs that may have printed to it, through the opening of another. */
    final Set<RunDraft> printers = new LinkedHashSet<>();

    Version(String file, String name) {
      this.file = file;
      this.name = name;
    }

    private boolean has(Doubt doubt) {
      return doubts.contains(doubt.word());
    }

    boolean isRedirected() {
      return !printers.isEmpty();
    }

    private Evidence evidence() {
      if (!renamedFrom.isEmpty()) {
        return has(Doubt.FROM_COMMAND_LINE) ? Evidence.COMMAND_LINE : Evidence.RENAMED;
      } else if (has(Doubt.CREATED_ONLY)) {
        return Evidence.CREATED;
      } else if (has(Doubt.RENAMED_UNSEEN)) {
        return Evidence.OPENED;
      } else if (has(Doubt.FROM_COMMAND_LINE)) {
        return isRedirected() ? Evidence.PIPED : Evidence.COPIED;
      }
      return Evidence.BYTES;
    }

    /** Whether it was written behind what was there, rather than beside or over it. */
    private boolean isAppended() {
      return continues && (doubts.isEmpty() || has(Doubt.TAKEN_AS_APPEND));
    }

    private long surelyThere() {
      return (renamedFrom.isEmpty() ? startMicros : endMicros) + RecordRules.LATE_MICROS;
    }
  }

  final String id;
  String name = "";
  String commandLine = "";
  long startMicros;
  long endMicros;
  TracedRun.@Nullable Job job;
  final List<TracedRun.Program> programs = new ArrayList<>();
  final Set<String> deleted = new LinkedHashSet<>();
  private final Map<String, Version> reads = new LinkedHashMap<>();
  private final Map<String, Version> writes = new LinkedHashMap<>();

  RunDraft(String id) {
    this.id = id;
  }

  /** It read a version; whether that is news. */
  boolean read(Version version) {
    return reads.putIfAbsent(version.file + "\n" + version.name, version) == null;
  }

  /** It wrote a version; whether that is news. */
  boolean wrote(Version version) {
    return writes.putIfAbsent(version.file + "\n" + version.name, version) == null;
  }

  void program(TracedRun.Program program) {
    if (!programs.contains(program)) {
      programs.add(program);
    }
  }

  /** Something of it is told of at a time; 0 if that is not known. */
  void happenedAt(long micros) {
    if (micros > 0) {
      startMicros = startMicros == 0 ? micros : Math.min(startMicros, micros);
    }
  }

  TracedRun finished() {
    List<TracedRun.Use> uses = new ArrayList<>();
    List<TracedRun.Rename> renames = new ArrayList<>();
    for (Version version : reads.values()) {
      uses.add(new TracedRun.Use(version.file, version.name, readOf(version), false));
    }
    for (Version version : writes.values()) {
      uses.add(
          new TracedRun.Use(version.file, version.name, writeOf(version), version.isRedirected()));
      version.renamedFrom.forEach(
          source -> renames.add(new TracedRun.Rename(source, version.file)));
    }
    return new TracedRun(
        id,
        programName(),
        commandLine,
        startMicros,
        endMicros,
        Optional.ofNullable(job).map(each -> each.beginningBy(startMicros)),
        List.copyOf(programs),
        uses,
        renames,
        List.copyOf(deleted));
  }

  private String programName() {
    if (!name.isEmpty()) {
      return name;
    }
    return programs.isEmpty()
        ? RecordRules.baseName(commandLine.split(" ", 2)[0])
        : RecordRules.baseName(programs.get(0).id().replaceFirst("^exe:", ""));
  }

  private FileUse readOf(Version version) {
    long last = Math.max(startMicros, endMicros);
    long moment = startMicros;
    if (version.startMicros > 0) {
      long known = Math.max(startMicros, version.surelyThere());
      moment = endMicros == 0 ? known : Math.max(version.startMicros, Math.min(known, last));
    }
    return new FileUse(false, moment, moment, 1, 1, 1, 0, Evidence.BYTES, false, "");
  }

  private FileUse writeOf(Version version) {
    long start = version.startMicros == 0 ? startMicros : version.startMicros;
    long end = Math.max(start, version.startMicros == 0 ? endMicros : version.endMicros);
    Evidence evidence = version.evidence();
    boolean counted = evidence == Evidence.BYTES;
    boolean several = version.doubts.contains(Doubt.SEVERAL_OVERWRITES.word());
    return new FileUse(
        true,
        start,
        end,
        counted ? 1 : 0,
        counted ? 1 : 0,
        several ? 2 : 1,
        0,
        evidence,
        version.isAppended(),
        "");
  }
}
