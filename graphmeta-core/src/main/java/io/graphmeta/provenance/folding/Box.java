package io.graphmeta.provenance.folding;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.LineageNode.Fate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Elements of a lineage that are drawn as one. Elements are named by their positions in the lineage
 * that was folded. Immutable.
 *
 * @param index its position among the boxes
 * @param kind what its members are
 * @param key the key of its first member, by which it is opened
 * @param members versions of files, or processes; one at least
 * @param jobs of its processes
 * @param users of these jobs
 * @param programs executables of its processes
 * @param built what is left out of the picture since it tells how these files, which are programs,
 *     were built
 * @param name what its members are called, with a star for what differs
 * @param place what the directories of files have in common, likewise; empty for processes
 * @param firstMicros when the first began, in microseconds since 1970
 * @param lastMicros when the last began
 * @param doubts about any of them
 * @param fates how many versions of files became what
 * @param presence when they are part of the lineage: all of them at the same times
 * @param isStart whether the question was asked of it
 * @param withinLinks links between its members, which are not drawn
 */
public record Box(
    int index,
    Kind kind,
    String key,
    List<Integer> members,
    List<Integer> jobs,
    List<Integer> users,
    List<Integer> programs,
    List<Integer> built,
    String name,
    String place,
    long firstMicros,
    long lastMicros,
    Set<Doubt> doubts,
    Map<Fate, Integer> fates,
    Presence presence,
    boolean isStart,
    int withinLinks) {
  /** What a box stands for. */
  public enum Kind {
    /** Versions of files. */
    FILE,
    /** Versions of files that are programs of processes in the picture. */
    PROGRAM,
    /** Processes. */
    PROCESS,
    /** A job without any process in the lineage. */
    JOB
  }

  public Box {
    members = List.copyOf(members);
    jobs = List.copyOf(jobs);
    users = List.copyOf(users);
    programs = List.copyOf(programs);
    built = List.copyOf(built);
    // In the order of the words, so that the same box is written in the same way.
    doubts = Collections.unmodifiableSet(new TreeSet<>(doubts));
    fates = Collections.unmodifiableMap(new TreeMap<>(fates));
  }

  /** How many elements it stands for. */
  public int count() {
    return members.size();
  }
}
