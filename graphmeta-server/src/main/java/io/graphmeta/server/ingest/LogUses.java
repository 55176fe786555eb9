package io.graphmeta.server.ingest;

import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileActivity;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.provenance.RecordRules;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.ingest.darshan.DarshanJob;
import io.graphmeta.server.ingest.darshan.DarshanLog;
import io.graphmeta.server.ingest.darshan.FileModule;
import io.graphmeta.server.ingest.darshan.FileRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The accesses and renames in the records of one log: what one process did with one file is one
 * use. Pure.
 */
final class LogUses {
  private record Place(long rank, String path) {}

  private final DarshanJob job;
  private final List<ProgramRun.Use> uses = new ArrayList<>();
  private final List<ProgramRun.Rename> renames = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();

  LogUses(DarshanLog log, boolean byRank) {
    this.job = log.job();
    Map<Place, Map<FileModule, FileActivity>> activities = new LinkedHashMap<>();
    Map<Place, String> sources = new LinkedHashMap<>();
    boolean opensDirectories = RecordRules.opensDirectories(job.executable());
    for (FileRecord file : log.files()) {
      String name = file.path().orElse("");
      Optional<String> id = idOf(file);
      if (id.isEmpty()) {
        continue;
      }
      Place place = new Place(byRank ? file.rank() : ProgramRun.ALL_RANKS, id.get());
      FileActivity activity = activity(file);
      boolean isDirectory =
          (opensDirectories || name.endsWith("/"))
              && activity.bytesRead() + activity.bytesWritten() == 0;
      if (!isDirectory) {
        activities
            .computeIfAbsent(place, key -> new EnumMap<>(FileModule.class))
            .merge(file.module(), activity, FileActivity::plus);
      }
      if (file.renamedFrom().isPresent()) {
        Optional<String> source =
            log.nameOf(file.renamedFrom().getAsLong()).filter(FilePaths::isFile);
        source.ifPresent(path -> sources.put(place, FilePaths.normalized(path)));
      }
    }
    CommandLineOutputs outputs = CommandLineOutputs.of(job.commandLine());
    activities.forEach(
        (place, modules) -> {
          for (FileUse use : uses(place.path(), modules.values(), outputs)) {
            uses.add(new ProgramRun.Use(place.rank(), place.path(), use));
          }
        });
    sources.forEach(
        (place, source) -> {
          Place from = new Place(place.rank(), source);
          long start = renamedFrom(activities.getOrDefault(from, Map.of()).values());
          long end = Math.max(start, job.endMicros() + RecordRules.LATE_MICROS);
          renames.add(
              new ProgramRun.Rename(
                  place.rank(), source, place.path(), start, end, Evidence.RENAMED));
        });
  }

  /** The id of the file of a record; empty if it is no file. */
  private Optional<String> idOf(FileRecord file) {
    String path = file.path().orElse("");
    if (file.module() != FileModule.CP) {
      return FilePaths.isFile(path) ? Optional.of(FilePaths.normalized(path)) : Optional.empty();
    }
    if (file.isOfAllFiles()) {
      return Optional.empty();
    }
    if (FilePaths.isAbsolute(path)) {
      return Optional.of(FilePaths.normalized(path));
    }
    String byHash = Vocabulary.fileByHashId(FileRecord.formatId(file.recordId()));
    // A name without a directory says nothing about files of that name in other jobs.
    String id =
        path.isEmpty() ? byHash : byHash + "@" + Vocabulary.jobId(Long.toString(job.jobId()));
    names.put(id, nameOf(file, path, byHash));
    return Optional.of(id);
  }

  /** The last part of the path, or as much of it as is known; the id if nothing is. */
  private static String nameOf(FileRecord file, String path, String byHash) {
    if (!path.isEmpty()) {
      return RecordRules.baseName(path);
    }
    return file.pathEnd()
        .map(end -> end.contains("/") ? RecordRules.baseName(end) : "..." + end)
        .orElse(byHash);
  }

  /** The names of files whose ids are not their paths but made of the hashes of these. */
  Map<String, String> namesByHash() {
    return names;
  }

  private List<FileUse> uses(
      String path, Collection<FileActivity> activities, CommandLineOutputs outputs) {
    if (RecordRules.isShell(job.executable())) {
      return RecordRules.usesOfShell(activities, job.endMicros());
    }
    return outputs.isWritten(path)
        ? RecordRules.uses(activities, job.endMicros(), outputs.evidence(), outputs.appended())
        : RecordRules.uses(activities, job.endMicros());
  }

  /**
   * The earliest time of a rename, which has none of its own: after the last moment at which the
   * process had to do with the source. A source that was renamed several times was made anew
   * between: then it is only after the first.
   */
  private long renamedFrom(Collection<FileActivity> source) {
    long renames = source.stream().mapToLong(FileActivity::renamedAway).sum();
    long from = job.startMicros();
    for (FileActivity activity : source) {
      from = Math.max(from, renames > 1 ? activity.openStartMicros() : activity.lastMicros());
    }
    return from;
  }

  List<ProgramRun.Use> uses() {
    return uses;
  }

  List<ProgramRun.Rename> renames() {
    return renames;
  }

  private FileActivity activity(FileRecord file) {
    long last =
        Math.max(
            last(file.openEndSeconds(), file.closeEndSeconds()),
            last(file.readEndSeconds(), file.writeEndSeconds()));
    return new FileActivity(
        file.isStream(),
        opens(file),
        file.reads(),
        file.writes(),
        Math.max(0, file.seeks()),
        counter(file, "CONSEC_WRITES"),
        file.bytesRead(),
        file.bytesWritten(),
        file.maxByteRead(),
        file.maxByteWritten(),
        file.mode(),
        file.renamesAway(),
        micros(file.openStartSeconds()),
        last,
        micros(file.readStartSeconds()),
        micros(file.readEndSeconds()),
        micros(file.writeStartSeconds()),
        last(file.writeEndSeconds(), file.closeEndSeconds()));
  }

  /**
   * Darshan counts a descriptor that is made a stream, or the other way round, or doubled, as
   * opened once more.
   */
  private static long opens(FileRecord file) {
    long doubled = counter(file, "FILENOS") + counter(file, "DUPS") + counter(file, "FDOPENS");
    return Math.max(Math.min(1, file.opens()), file.opens() - doubled);
  }

  private static long counter(FileRecord file, String suffix) {
    String name = file.module() + "_" + suffix;
    return file.counterNames().contains(name) ? Math.max(0, file.counter(name)) : 0;
  }

  private long micros(OptionalDouble seconds) {
    return seconds.isPresent() ? job.microsAt(seconds.getAsDouble()) : 0;
  }

  private long last(OptionalDouble a, OptionalDouble b) {
    return Math.max(micros(a), micros(b));
  }
}
