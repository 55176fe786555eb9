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
 *       first opening for writing to the last write; whoever read within may have met it, and the
 *       one before as well.
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
        boolean makes = activity.mode() != 0 || activity.renamedAway() > 0;
        if (makes) {
          write = merged(write, unseenWrite(activity, processEndMicros));
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

  private static FileUse unseenWrite(FileActivity activity, long processEndMicros) {
    long end = processEndMicros == 0 ? 0 : processEndMicros + LATE_MICROS;
    return new FileUse(
        true,
        activity.firstMicros(),
        Math.max(activity.lastMicros(), end),
        0,
        0,
        activity.opens(),
        0,
        activity.mode() != 0 ? Evidence.CREATED : Evidence.OPENED,
        false,
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
   * @param reader the access
   */
  static List<Met> met(List<Access> writes, Access reader) {
    List<Met> met = new ArrayList<>(2);
    @Nullable Access replacing = null;
    boolean beyond = false;
    for (Access write : writes) {
      boolean same = write.process() == reader.process();
      boolean after =
          same
              ? write.startMicros() > reader.endMicros()
              : surelyBefore(reader.endMicros(), reader.earlyMicros(), write.startMicros(), false);
      if (after
          || write.edge().equals(reader.edge())
          || (replacing != null && isReplaced(write, replacing))) {
        continue;
      }
      Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
      boolean before =
          surelyBefore(write.startMicros(), write.earlyMicros(), reader.startMicros(), same);
      if (!before && !same && isClose(write, reader)) {
        doubts.add(Doubt.TIMES_TOO_CLOSE);
      }
      if (beyond) {
        doubts.add(Doubt.READ_BEYOND_WRITTEN);
      }
      met.add(new Met(write, doubts));
      if (before && replacing == null) {
        boolean partly = write.exactExtent() && reader.extentBytes() > write.extentBytes();
        beyond |= partly;
        if (!partly && !write.appended()) {
          replacing = write;
        }
      }
    }
    if (replacing == null) {
      met.add(new Met(null, EnumSet.of(Doubt.WRITER_NOT_RECORDED)));
    }
    if (met.size() > 1) {
      met.forEach(version -> version.doubts().add(Doubt.SEVERAL_VERSIONS));
    }
    return met;
  }

  private static boolean isClose(Access write, Access reader) {
    long window = LATE_MICROS + Math.max(write.earlyMicros(), reader.earlyMicros());
    return Math.abs(write.startMicros() - reader.startMicros()) < window
        || Math.abs(write.startMicros() - reader.endMicros()) < window;
  }

  private static boolean isReplaced(Access write, Access replacing) {
    return surelyBefore(
        write.endMicros(),
        write.earlyMicros(),
        replacing.startMicros(),
        write.process() == replacing.process());
  }

  /** Whether an access can have met one version. */
  static boolean mayHaveMet(List<Access> writes, @Nullable Access write, Access reader) {
    return met(writes, reader).stream().anyMatch(met -> sameVersion(met.write(), write));
  }

  static boolean sameVersion(@Nullable Access a, @Nullable Access b) {
    return a == null || b == null ? a == b : a.edge().equals(b.edge());
  }

  /** What is doubtful about a version by itself. */
  static Set<Doubt> doubtsOf(Access write, boolean hasEarlierVersion) {
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    switch (write.evidence()) {
      case CREATED -> doubts.add(Doubt.CREATED_ONLY);
      case OPENED -> doubts.add(Doubt.RENAMED_UNSEEN);
      case COMMAND_LINE -> doubts.add(Doubt.FROM_COMMAND_LINE);
      case BYTES -> {
        if (write.appended()) {
          doubts.add(Doubt.TAKEN_AS_APPEND);
        } else if (hasEarlierVersion) {
          doubts.add(Doubt.APPEND_OR_OVERWRITE);
        }
      }
      case RENAMED -> {}
    }
    if (write.opens() > 1 && write.evidence() == Evidence.BYTES) {
      doubts.add(Doubt.SEVERAL_OVERWRITES);
    }
    return doubts;
  }
}
