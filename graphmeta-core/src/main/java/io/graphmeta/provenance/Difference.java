package io.graphmeta.provenance;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One thing in which two runs differ, or one element at two times. Immutable.
 *
 * @param of id of the element that is compared with itself at another time; empty for two runs
 * @param aspect what kind of thing it is
 * @param change whether only the second has it, only the first, or both in different ways
 * @param id id of the file, the executable or the element; empty for a property of a run
 * @param key {@link Vocabulary#COMMAND_LINE} or the key of a property, for {@link Aspect#PARAMETER}
 *     and {@link Aspect#PROPERTY}; empty else
 * @param before the value of the first, of parameters and properties; null if it has none
 * @param after the value of the second, likewise
 * @param versionsBefore the versions of the file that the first used, newest first: more than one
 *     where the record does not tell which, none for an executable that is known by name only
 * @param versionsAfter those that the second used
 * @param doubts what the record does not tell for certain
 */
public record Difference(
    String of,
    Aspect aspect,
    Change change,
    String id,
    String key,
    @Nullable Object before,
    @Nullable Object after,
    List<FileVersion> versionsBefore,
    List<FileVersion> versionsAfter,
    Set<Doubt> doubts) {

  /** What differs. */
  public enum Aspect {
    /** The element exists at one of two times only. */
    ELEMENT,
    /** A file has another newest version. */
    VERSION,
    /** A file that was read. */
    INPUT,
    /** A program that was run, in a build of it. */
    EXECUTABLE,
    /** What it was run with: a command line, or a property of the run. */
    PARAMETER,
    /** A property of an element that is no run. */
    PROPERTY;

    /** The aspect as a word for programs. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How it differs. */
  public enum Change {
    /** Only the second has it. */
    ADDED,
    /** Only the first has it. */
    REMOVED,
    /** Both have it, but not the same. */
    CHANGED;

    /** The change as a word for programs. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Difference {
    versionsBefore = List.copyOf(versionsBefore);
    versionsAfter = List.copyOf(versionsAfter);
    doubts = Set.copyOf(doubts);
  }

  /** A difference in values, of which at least one is there. */
  static Difference ofValues(
      String of,
      Aspect aspect,
      String id,
      String key,
      @Nullable Object before,
      @Nullable Object after) {
    Change change = before == null ? Change.ADDED : after == null ? Change.REMOVED : Change.CHANGED;
    return new Difference(
        of, aspect, change, id, key, before, after, List.of(), List.of(), Set.of());
  }
}
