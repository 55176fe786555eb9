package io.graphmeta.provenance;

import io.graphmeta.model.EdgeRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the record holds on one file. Filled by {@link RecordSource}, then only read. */
final class FileCard {
  /**
   * A rename: {@code target} took over the content of {@code source}.
   *
   * @param processId id of the process that renamed
   * @param when the time of it, as an access of nobody
   */
  record Rename(long target, long source, String processId, Access when) {
    static Rename of(long target, long source, EdgeRecord edge) {
      return new Rename(
          target,
          source,
          RecordedValues.text(edge.value(Vocabulary.BY_PROCESS)),
          RecordedValues.access(edge));
    }
  }

  /** The versions, {@link RecordRules#NEWEST_FIRST}. */
  final List<Access> writes = new ArrayList<>();

  final List<Access> reads = new ArrayList<>();
  final List<Access> deletions = new ArrayList<>();
  final List<Rename> renamesHere = new ArrayList<>();
  final List<Rename> renamesAway = new ArrayList<>();
  final List<Long> executables = new ArrayList<>();
  final Set<Long> redirectingJobs = new LinkedHashSet<>();

  /** Whether there can be readers that were not read for want of time. */
  boolean readsCut;

  /** If the file is not in the view any more: the valid stamp as of which it was read; else 0. */
  long droppedAfterStamp;

  boolean isDropped() {
    return droppedAfterStamp != 0;
  }

  /** The versions that an access can have met, newest first. */
  List<RecordRules.Met> met(Access reader) {
    return RecordRules.met(writes, removals(), reader);
  }

  private List<Access> removals() {
    return Stream.concat(deletions.stream(), renamesAway.stream().map(Rename::when)).toList();
  }

  /** The versions that an append, or what may be one, can have kept. */
  List<RecordRules.Met> keptBy(Access write) {
    return met(write.opening());
  }

  /** The same version as it stands here. */
  Access own(Access write) {
    return writes.stream()
        .filter(other -> RecordRules.sameVersion(other, write))
        .findFirst()
        .orElse(write);
  }

  /** The version that was the newest at a time; null if none had begun. */
  @Nullable Access newestAt(long atMicros) {
    for (Access write : writes) {
      if (write.startMicros() <= atMicros) {
        return write;
      }
    }
    return null;
  }

  /**
   * Versions that can be the newest one as well: the record does not tell that they were written
   * before it.
   */
  List<RecordRules.Met> beside(Access newest) {
    List<Access> earlier =
        writes.stream().filter(write -> write.startMicros() <= newest.startMicros()).toList();
    return RecordRules.beside(earlier, removals(), newest);
  }

  /** Whether there is a version that began before this one. */
  boolean hasEarlier(Access write) {
    return !writes.isEmpty() && !RecordRules.sameVersion(writes.get(writes.size() - 1), write);
  }

  /**
   * Whether a version is taken as overwritten by a write that can have been an append, for all that
   * the record tells.
   */
  boolean mayLiveOn(@Nullable Access version) {
    @Nullable Access next = null;
    List<Access> gone = new ArrayList<>(removals());
    for (Access write : writes) {
      if (version != null && RecordRules.sameVersion(write, version)) {
        break;
      }
      boolean replaces = version == null || RecordRules.isReplaced(version, write);
      if (write.isRename()) {
        gone.add(write);
      } else if (replaces && !RecordRules.keeps(write)) {
        next = write;
      }
    }
    return next != null
        && RecordRules.doubtsOf(next, true).contains(Doubt.APPEND_OR_OVERWRITE)
        && (version == null || !RecordRules.isGone(version, gone, next.opening()));
  }

  /** What became of a version; of what was there before the first write, if null. */
  LineageNode.Fate fateOf(@Nullable Access write) {
    long from = write == null ? 0 : write.startMicros();
    long next = Long.MAX_VALUE;
    for (Access other : writes) {
      if (write != null && RecordRules.sameVersion(other, write)) {
        break;
      }
      next = other.startMicros();
    }
    for (Access deletion : deletions) {
      if (RecordRules.mayFollow(deletion, from) && deletion.startMicros() < next) {
        return LineageNode.Fate.DELETED;
      }
    }
    for (Rename rename : renamesAway) {
      if (RecordRules.mayFollow(rename.when(), from) && rename.when().startMicros() < next) {
        return LineageNode.Fate.RENAMED;
      }
    }
    if (next == Long.MAX_VALUE) {
      return isDropped() ? LineageNode.Fate.DELETED : LineageNode.Fate.CURRENT;
    }
    return LineageNode.Fate.REPLACED;
  }
}
