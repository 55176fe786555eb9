package io.graphmeta.provenance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a record of file accesses cannot tell. All such decisions stand here, on the careful
 * side: rather affected than not. Each that was needed is marked on the answer by a {@link Doubt}.
 * Pure.
 *
 * <h2>What counts as an access</h2>
 *
 * <ul>
 *   <li>Bytes or calls that read or wrote are what they are. A stat alone is no access.
 *   <li>Opened without bytes (copies inside the kernel and unlocked streams are not counted): a
 *       creation mode makes it a write; so does a rename by the same process, which must own what
 *       it renames. Else it is a read.
 *   <li>What {@code mkdir} opens are directories, which are no files.
 *   <li>A write without bytes may go on unseen, through a duplicate of the descriptor or by a
 *       child, until the process ends.
 *   <li>A file that a shell opened to be created, without bytes, is a redirection: what the shell
 *       itself had read is not counted; every program of the job that ran while the shell had it
 *       open can have printed to it, unless it opened the file itself.
 * </ul>
 *
 * <h2>Order in time</h2>
 *
 * <ul>
 *   <li>Within one process times are exact. A process that first read and then wrote a file read
 *       what was there before; one that first wrote and then read met its own version.
 *   <li>Between processes a recorded time comes out up to {@link #LATE_MICROS} late, and up to
 *       {@link Access#earlyMicros} early where the start is known to the second only. What lies
 *       closer than that has no order, and both orders are taken as possible.
 *   <li>A record has one first and one last time for all its openings. A version lasts from the
 *       first opening for writing to the last write; a process that read within may have met it,
 *       and the one before as well.
 * </ul>
 *
 * <h2>Append or overwrite</h2>
 *
 * <ul>
 *   <li>A write replaces what was there, unless there is a sign that it does not: the highest
 *       offset lies beyond the bytes written and the writes follow one another without seeking (an
 *       append; linkers, which leave holes, seek), or a reader read beyond what was written (then
 *       the rest was there before). The second sign counts only when all bytes written are counted,
 *       that is for writes that were not made through streams.
 *   <li>An append without such a sign cannot be told from an overwrite: it is marked and taken as
 *       an overwrite, since otherwise no file could ever be repaired.
 * </ul>
 *
 * <h2>Executables, renames, deletions</h2>
 *
 * <ul>
 *   <li>A process ran the version of its executable that stood at the path when it started. A name
 *       without a path leads to no file.
 *   <li>A renamed file is a new version of the target, resting on the version of the source.
 *       Renames and deletions by {@code mv} and {@code rm}, which are not counted, are concluded
 *       from the command line where it is plain: absolute paths, for {@code mv} two of them. They
 *       may have failed; so a deletion hides no version from later readers.
 * </ul>
 */
public final class RecordRules {
  /** How late a recorded time may be: recorded minus true time, in microseconds. */
  public static final long LATE_MICROS = 20_000;

  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "csh", "tcsh", "fish");

  private RecordRules() {}

  /** A version that a reader may have met. */
  record Met(@Nullable Access write, Set<Doubt> doubts) {}

  /** Whether an executable is a shell, by its name. */
  public static boolean isShell(String executable) {
    return SHELLS.contains(baseName(executable));
  }

  /** Whether what an executable opens without reading or writing is a directory, by its name. */
  public static boolean opensDirectories(String executable) {
    return Set.of("mkdir", "rmdir").contains(baseName(executable));
  }

  /** The last part of a path. */
  public static String baseName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * The accesses in what one process did with one file.
   *
   * @param activities one for each interface at most
   * @param processEndMicros end of the process; 0 if unknown
   * @return at most one read and one write
   */
  public static List<FileUse> uses(Collection<FileActivity> activities, long processEndMicros) {
    return uses(activities, processEndMicros, Evidence.OPENED, false);
  }

  /**
   * As {@link #uses(Collection, long)}, of a file that the command line names as output.
   *
   * @param output how it is known to be written if it was opened only; {@link Evidence#OPENED} for
   *     any other file
   * @param appended whether the command line tells that what was there is kept
   */
  public static List<FileUse> uses(
      Collection<FileActivity> activities,
      long processEndMicros,
      Evidence output,
      boolean appended) {
    @Nullable FileUse read = null;
    @Nullable FileUse write = null;
    @Nullable FileUse opened = null;
    for (FileActivity activity : activities) {
      if (activity.hasRead()) {
        read = merged(read, read(activity));
      }
      if (activity.hasWritten()) {
        write = merged(write, write(activity));
      } else if (!activity.hasRead() && activity.opens() > 0) {
        if (output != Evidence.OPENED && activity.mode() == 0) {
          write = merged(write, unseenWrite(activity, processEndMicros, output, appended));
        } else if (activity.mode() != 0) {
          write = merged(write, unseenWrite(activity, processEndMicros, Evidence.CREATED, false));
        } else if (activity.renamedAway() > 0) {
          write = merged(write, unseenWrite(activity, processEndMicros, Evidence.OPENED, false));
        } else {
          opened = merged(opened, opened(activity));
        }
      }
    }
    if (read == null && write == null) {
      read = opened;
    }
    List<FileUse> uses = new ArrayList<>(2);
    if (read != null) {
      uses.add(read);
    }
    if (write != null) {
      uses.add(write);
    }
    return uses;
  }

  /**
   * The uses of a shell: what its programs print to a file that it opened goes on unseen until the
   * shell ends, whatever it wrote itself.
   */
  public static List<FileUse> usesOfShell(
      Collection<FileActivity> activities, long processEndMicros) {
    return uses(activities, processEndMicros).stream()
        .map(
            use ->
                use.wrote() && processEndMicros != 0 && mayBeRedirection(use)
                    ? use.lastingTo(processEndMicros + LATE_MICROS)
                    : use)
        .toList();
  }

  private static FileUse merged(@Nullable FileUse known, FileUse use) {
    return known == null ? use : known.plus(use);
  }

  private static FileUse read(FileActivity activity) {
    boolean ownVersion =
        activity.hasWritten() && activity.readStartMicros() >= activity.writeStartMicros();
    long start = ownVersion ? activity.readStartMicros() : activity.firstMicros();
    return new FileUse(
        false,
        start,
        Math.max(start, activity.readEndMicros()),
        activity.bytesRead(),
        activity.reads(),
        activity.hasWritten() ? 1 : activity.opens(),
        activity.bytesRead() > 0 ? activity.maxByteRead() + 1 : 0,
        Evidence.BYTES,
        false,
        interfaceOf(activity));
  }

  private static FileUse write(FileActivity activity) {
    boolean readBefore =
        activity.hasRead() && activity.readStartMicros() < activity.writeStartMicros();
    long start = readBefore ? activity.writeStartMicros() : activity.firstMicros();
    return new FileUse(
        true,
        start,
        Math.max(start, activity.writeEndMicros()),
        activity.bytesWritten(),
        activity.writes(),
        readBefore ? Math.max(1, activity.opens() - 1) : activity.opens(),
        activity.bytesWritten() > 0 ? activity.maxByteWritten() + 1 : 0,
        Evidence.BYTES,
        looksAppended(activity),
        interfaceOf(activity));
  }

  private static boolean looksAppended(FileActivity activity) {
    if (activity.bytesWritten() == 0 || activity.maxByteWritten() + 1 <= activity.bytesWritten()) {
      return false;
    }
    return activity.stream()
        ? activity.seeks() == 0
        : activity.consecutiveWrites() >= activity.writes() - Math.max(1, activity.opens());
  }

  private static FileUse unseenWrite(
      FileActivity activity, long processEndMicros, Evidence evidence, boolean appended) {
    long end = processEndMicros == 0 ? 0 : processEndMicros + LATE_MICROS;
    return new FileUse(
        true,
        activity.firstMicros(),
        Math.max(activity.lastMicros(), end),
        0,
        0,
        activity.opens(),
        0,
        evidence,
        appended,
        interfaceOf(activity));
  }

  private static FileUse opened(FileActivity activity) {
    return new FileUse(
        false,
        activity.firstMicros(),
        Math.max(activity.firstMicros(), activity.lastMicros()),
        0,
        0,
        activity.opens(),
        0,
        Evidence.OPENED,
        false,
        interfaceOf(activity));
  }

  private static String interfaceOf(FileActivity activity) {
    return activity.stream() ? "stdio" : "posix";
  }

  /**
   * Whether the first moment was surely before the second, of another process unless {@code
   * sameProcess}.
   */
  static boolean surelyBefore(
      long micros, long earlyMicros, long otherMicros, boolean sameProcess) {
    return sameProcess ? micros < otherMicros : micros + earlyMicros + LATE_MICROS <= otherMicros;
  }

  /** Versions in the order in which their writing began, newest first. */
  static final Comparator<Access> NEWEST_FIRST =
      Comparator.comparingLong(Access::startMicros)
          .thenComparingLong(Access::endMicros)
          .thenComparingLong(access -> access.edge().out())
          .reversed();

  /**
   * The versions of a file that an access can have met, newest first; one without a write stands
   * for what was there before the first recorded write.
   *
   * @param writes the versions of the file, {@link #NEWEST_FIRST}
   * @param removals deletions of the file and its renames to other paths
   * @param reader the access
   */
  static List<Met> met(List<Access> writes, List<Access> removals, Access reader) {
    List<Met> met = new ArrayList<>(2);
    Kept kept = new Kept(reader);
    for (Access write : writes) {
      boolean same = write.process() == reader.process();
      boolean after =
          same
              ? write.startMicros() > reader.endMicros()
              : surelyBefore(reader.endMicros(), reader.earlyMicros(), write.startMicros(), false);
      if (after
          || write.edge().equals(reader.edge())
          || kept.isReplaced(write)
          || isGone(write, removals, reader)) {
        continue;
      }
      Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
      boolean before =
          surelyBefore(firstSure(write), write.earlyMicros(), reader.startMicros(), same);
      if (!before && !same && isClose(write, reader)
          || removals.stream().anyMatch(removal -> mayBeGone(write, removal, reader))) {
        doubts.add(Doubt.TIMES_TOO_CLOSE);
      }
      doubts.addAll(kept.doubts);
      met.add(new Met(write, doubts));
      if (before) {
        kept.under(write);
      }
    }
    boolean removed = removals.stream().anyMatch(removal -> isOver(removal, reader));
    if (met.isEmpty() || (kept.mayHoldInitial() && !removed)) {
      met.add(new Met(null, EnumSet.of(Doubt.WRITER_NOT_RECORDED)));
    }
    if (met.size() > 1) {
      met.forEach(version -> version.doubts().add(Doubt.SEVERAL_VERSIONS));
    }
    return met;
  }

  /** The versions of a file that were not surely there before another that replaced them. */
  static List<Met> beside(List<Access> writes, List<Access> removals, Access newest) {
    List<Met> beside = new ArrayList<>();
    for (Access write : writes) {
      if (!sameVersion(write, newest)
          && !isReplaced(write, newest)
          && !isGone(write, removals, newest)) {
        Doubt doubt =
            write.endMicros() > newest.startMicros()
                ? Doubt.SEVERAL_VERSIONS
                : Doubt.TIMES_TOO_CLOSE;
        beside.add(new Met(write, EnumSet.of(doubt)));
      }
    }
    return beside;
  }

  /**
   * From when on a version surely stands at its path: a write from its opening, a rename, which has
   * no time of its own, from the end of its process.
   */
  private static long firstSure(Access write) {
    return write.isRename() ? write.endMicros() : write.startMicros();
  }

  /** What a reader met below the writes that it surely came after, told from newest to oldest. */
  private static final class Kept {
    final Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    @Nullable Access replacing;
    private boolean mayHoldInitial = true;

    /** How many bytes older versions have to account for; 0 if unknown. */
    private long bytesLeft;

    Kept(Access reader) {
      bytesLeft = reader.extentBytes();
    }

    boolean isReplaced(Access write) {
      return replacing != null && RecordRules.isReplaced(write, replacing);
    }

    boolean mayHoldInitial() {
      return replacing == null && mayHoldInitial;
    }

    void under(Access write) {
      if (replacing != null) {
        return;
      }
      mayHoldInitial = true;
      if (write.appended()) {
        long before = write.opening().extentBytes();
        bytesLeft = bytesLeft == 0 || !write.exactExtent() ? before : Math.min(bytesLeft, before);
      } else if (write.evidence() == Evidence.REDIRECTED) {
        doubts.add(Doubt.MAY_HAVE_KEPT);
        mayHoldInitial = false;
        bytesLeft = 0;
      } else if (write.exactExtent() && bytesLeft > reach(write)) {
        doubts.add(Doubt.READ_BEYOND_WRITTEN);
        bytesLeft -= write.bytes();
      } else {
        replacing = write;
      }
    }

    /** The greatest size that a file can have by one version alone: openings can be appends. */
    private static long reach(Access write) {
      return write.opens() <= 1
          ? write.extentBytes()
          : Math.max(write.bytes(), write.extentBytes());
    }
  }

  /**
   * Whether a version rests on what the process itself had read: not where it only opened the file
   * for what others print, or only renamed it.
   */
  static boolean restsOnReads(Access write) {
    return !write.isRename() && (!write.isPrintedByOthers() || write.bytes() > 0);
  }

  /** Whether what was there before a write stays, as far as anyone knows. */
  static boolean keeps(Access write) {
    return write.appended() || write.evidence() == Evidence.REDIRECTED;
  }

  /**
   * Whether a version was surely removed before a reader came: the path was freed after the last
   * time the version was opened.
   */
  static boolean isGone(Access write, List<Access> removals, Access reader) {
    return removals.stream()
        .anyMatch(
            removal ->
                surelyBefore(lastOpening(write), write.earlyMicros(), removal.startMicros(), false)
                    && isOver(removal, reader));
  }

  /** Whether a removal was over before a reader came. */
  private static boolean isOver(Access removal, Access reader) {
    return surelyBefore(removal.endMicros(), removal.earlyMicros(), reader.startMicros(), false);
  }

  private static boolean mayBeGone(Access write, Access removal, Access reader) {
    return !removal.edge().equals(reader.edge())
        && !surelyBefore(removal.endMicros(), removal.earlyMicros(), write.startMicros(), false)
        && !surelyBefore(reader.startMicros(), reader.earlyMicros(), removal.startMicros(), false);
  }

  private static long lastOpening(Access write) {
    return write.opens() == 1 ? write.startMicros() : write.endMicros();
  }

  /** Whether a removal can lie behind a moment. */
  static boolean mayFollow(Access removal, long micros) {
    return !surelyBefore(removal.endMicros(), removal.earlyMicros(), micros, false);
  }

  private static boolean isClose(Access write, Access reader) {
    long window = LATE_MICROS + Math.max(write.earlyMicros(), reader.earlyMicros());
    return Math.abs(write.startMicros() - reader.startMicros()) < window
        || Math.abs(write.startMicros() - reader.endMicros()) < window;
  }

  static boolean isReplaced(Access write, Access replacing) {
    return surelyBefore(
        write.endMicros(),
        write.earlyMicros(),
        replacing.startMicros(),
        write.process() == replacing.process());
  }

  /**
   * Whether what a shell wrote can be a redirection: no bytes counted, or more openings than
   * writes.
   */
  public static boolean mayBeRedirection(FileUse use) {
    return mayBeRedirection(use.evidence(), use.opens(), use.operations());
  }

  static boolean mayBeRedirection(Access write) {
    return mayBeRedirection(write.evidence(), write.opens(), write.operations());
  }

  private static boolean mayBeRedirection(Evidence evidence, long opens, long operations) {
    return evidence == Evidence.CREATED || (evidence == Evidence.BYTES && opens > operations);
  }

  static boolean sameVersion(@Nullable Access a, @Nullable Access b) {
    return a == null || b == null ? a == b : a.edge().equals(b.edge());
  }

  /** What is doubtful about a version by itself. */
  static Set<Doubt> doubtsOf(Access write, boolean hasEarlierVersion) {
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    switch (write.evidence()) {
      case CREATED -> doubts.add(Doubt.CREATED_ONLY);
      case REDIRECTED -> {
        if (write.bytes() == 0) {
          doubts.add(Doubt.CREATED_ONLY);
        }
        if (hasEarlierVersion) {
          doubts.add(Doubt.MAY_HAVE_KEPT);
        }
      }
      case PIPED, COPIED -> doubts.add(Doubt.FROM_COMMAND_LINE);
      case OPENED -> doubts.add(Doubt.RENAMED_UNSEEN);
      case COMMAND_LINE -> doubts.add(Doubt.FROM_COMMAND_LINE);
      case BYTES, RENAMED -> {}
    }
    if (write.appended()) {
      doubts.add(Doubt.TAKEN_AS_APPEND);
    } else if (hasEarlierVersion
        && (write.evidence() == Evidence.BYTES || write.evidence() == Evidence.CREATED)) {
      doubts.add(Doubt.APPEND_OR_OVERWRITE);
    }
    if (write.opens() > 1
        && (write.evidence() == Evidence.BYTES || write.evidence() == Evidence.REDIRECTED)) {
      doubts.add(Doubt.SEVERAL_OVERWRITES);
    }
    return doubts;
  }
}
