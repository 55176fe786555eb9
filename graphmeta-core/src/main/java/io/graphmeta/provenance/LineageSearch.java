package io.graphmeta.provenance;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What searches backward and forward have in common: they begin at a file, a process or a job, go
 * on level by level until a level adds nothing, stay within limits in time, and add to each job the
 * users who ran it. What a level does is that of the subclass. Used once, by one thread.
 */
abstract class LineageSearch {
  static final Set<Doubt> NO_DOUBT = EnumSet.noneOf(Doubt.class);

  /** A job whose users are to be added. */
  private record JobTask(int position, long job) {}

  final RecordSource source;
  final LineageBuilder builder;
  private final LineageLimits limits;
  private final Set<Integer> versionsFollowed = new HashSet<>();
  private List<JobTask> nextJobs = new ArrayList<>();

  LineageSearch(RecordSource source, LineageLimits limits) {
    this.source = source;
    this.builder = new LineageBuilder(source, limits);
    this.limits = limits;
  }

  /** From the version of a file that was the newest at a time, in microseconds since 1970. */
  abstract Lineage fromFile(long file, long atMicros);

  /** From a process, with all that it read or wrote. */
  final Lineage fromProcess(long process) {
    source.loadPrograms(List.of(process));
    addWholeProgram(-1, "", process);
    return run();
  }

  /** From a job, with all that its processes read or wrote. */
  final Lineage fromJob(long job) {
    source.loadProcessesOfJobs(List.of(job));
    int root = builder.add(-1, "", job, NO_DOUBT);
    for (long process : source.processesOfJob(job)) {
      addWholeProgram(root, Vocabulary.CONTAINS, process);
    }
    return run();
  }

  /** Adds a program, all of whose reads or writes are to be followed. */
  abstract void addWholeProgram(int parent, String relation, long process);

  /** Whether the last level has added elements that are to be followed, jobs apart. */
  abstract boolean hasNextLevel();

  /** Follows the elements that the last level has added, jobs apart. */
  abstract void expandLevel();

  /** Follows the elements that were added, and those that are added on the way. */
  final Lineage run() {
    while (hasNextLevel() || !nextJobs.isEmpty()) {
      List<JobTask> jobs = nextJobs;
      nextJobs = new ArrayList<>();
      expandLevel();
      for (JobTask task : jobs) {
        for (long user : source.usersOfJob(task.job())) {
          builder.add(task.position(), Vocabulary.RAN, user, NO_DOUBT);
        }
      }
    }
    return builder.build();
  }

  /** Adds the jobs of a program. */
  final void addJobs(int position, Program program) {
    for (long job : program.jobs) {
      int node = builder.add(position, Vocabulary.CONTAINS, job, NO_DOUBT);
      if (node != LineageBuilder.NONE) {
        nextJobs.add(new JobTask(node, job));
      }
    }
  }

  /** Adds a version of a file unless a limit forbids it; its position, or {@code NONE}. */
  final int addVersion(
      int parent, String relation, long file, @Nullable Access write, Set<Doubt> doubts) {
    return parent >= 0 && write != null && !limits.cover(write.startMicros(), write.endMicros())
        ? LineageBuilder.NONE
        : builder.addVersion(parent, relation, file, write, doubts);
  }

  /** Adds a program unless a limit forbids it; its position, or {@code NONE}. */
  final int addProgram(int parent, String relation, Program program, Set<Doubt> doubts) {
    return parent >= 0 && !limits.cover(program.startMicros, program.endMicros)
        ? LineageBuilder.NONE
        : builder.add(parent, relation, program.vertex, doubts);
  }

  /** True once for the position of a version that was added: it is to be followed then. */
  final boolean isToFollow(int position) {
    return position != LineageBuilder.NONE && versionsFollowed.add(position);
  }
}
