package io.graphmeta.provenance;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What searches backward and forward have in common: they begin at a file, a process or a job, go
 * on level by level until a level adds nothing, stay within limits in time, and add to each job the
 * users who ran it. What a level does is that of the subclass. Used once, by one thread.
 *
 * <p>A level is read in slices, each of about as many vertices. Between two slices a search ends if
 * it has no time left, or if nothing more has room. What it has found by then is true of the whole
 * too: elements come in the same order whatever ends a search, and what one slice needs to tell an
 * element it has read.
 */
abstract class LineageSearch {
  static final Set<Doubt> NO_DOUBT = EnumSet.noneOf(Doubt.class);

  /** About how many vertices are read at once. */
  static final int SLICE = 1_000;

  /** A job whose users are to be added. */
  private record JobTask(int position, long job) {}

  final RecordSource source;
  final LineageBuilder builder;
  private final LineageLimits limits;
  private final SearchTime time;
  private final Set<Integer> versionsFollowed = new HashSet<>();
  private List<JobTask> nextJobs = new ArrayList<>();

  LineageSearch(RecordSource source, LineageLimits limits, SearchTime time) {
    this.source = source;
    this.builder = new LineageBuilder(source, limits);
    this.limits = limits;
    this.time = time;
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
    source.listProcessesOfJobs(List.of(job));
    int root = builder.add(-1, "", job, NO_DOUBT);
    inSlices(
        source.processesOfJob(job),
        process -> 1,
        processes -> {
          source.loadPrograms(processes);
          processes.forEach(process -> addWholeProgram(root, Vocabulary.CONTAINS, process));
        });
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
    boolean goesOn = hasNextLevel() && !isEnded();
    while (goesOn || !nextJobs.isEmpty()) {
      List<JobTask> jobs = nextJobs;
      nextJobs = new ArrayList<>();
      if (goesOn) {
        expandLevel();
      }
      for (JobTask task : jobs) {
        for (long user : source.usersOfJob(task.job())) {
          builder.add(task.position(), Vocabulary.RAN, user, NO_DOUBT);
        }
      }
      goesOn = goesOn && hasNextLevel() && !isEnded();
    }
    if (source.isCut()) {
      builder.markOutOfTime();
    }
    return builder.build();
  }

  /**
   * Whether the search ends although there is more to do: its time is over, or elements are left
   * out already and none has room any more.
   */
  final boolean isEnded() {
    if (time.isOver()) {
      builder.markOutOfTime();
      return true;
    }
    return builder.isFull();
  }

  /**
   * Does what there is to do at a level in slices, until the search is ended.
   *
   * @param weight about how many vertices have to be read for one of the tasks
   */
  final <T> void inSlices(List<T> tasks, ToIntFunction<T> weight, Consumer<List<T>> expand) {
    int from = 0;
    while (from < tasks.size() && !isEnded()) {
      int to = from;
      long sum = 0;
      while (to < tasks.size() && (to == from || sum + weight.applyAsInt(tasks.get(to)) <= SLICE)) {
        sum += weight.applyAsInt(tasks.get(to));
        to++;
      }
      expand.accept(tasks.subList(from, to));
      from = to;
    }
  }

  /** The accesses of a program in parts that fit into slices. */
  static List<List<Access>> parts(List<Access> accesses) {
    List<List<Access>> parts = new ArrayList<>();
    for (int from = 0; from < accesses.size(); from += SLICE) {
      parts.add(accesses.subList(from, Math.min(accesses.size(), from + SLICE)));
    }
    return parts;
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
