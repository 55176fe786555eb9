package io.graphmeta.provenance;

import io.graphmeta.provenance.FileCard.Rename;
import io.graphmeta.provenance.RecordRules.Met;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an element rests on. Goes level by level: the versions of a level ask for their writers, the
 * programs for what they read before that write ended, and each kind of question is put to the
 * graph once for a whole level. Used once.
 */
final class BackwardSearch extends LineageSearch {
  /** A version whose origin is to be found. */
  private record VersionTask(int position, long file, Access write) {}

  /**
   * A program of which reads that began in {@code (from, to]} are to be found; its surroundings too
   * the first time.
   */
  private record ProgramTask(int position, long program, long from, long to) {}

  /**
   * Some of the reads that a task is to find.
   *
   * @param isFirst whether they are the first of it
   */
  private record ReadStep(ProgramTask task, List<Access> reads, boolean isFirst) {
    int weight() {
      return 1 + reads.size();
    }
  }

  /** An executable whose builds are to be added. */
  private record BuildTask(int position, long file, List<Met> builds) {}

  /** What there is to do at one level. */
  private static final class Level {
    final List<VersionTask> versions = new ArrayList<>();
    final List<ProgramTask> programs = new ArrayList<>();
    final List<BuildTask> builds = new ArrayList<>();

    boolean isEmpty() {
      return versions.isEmpty() && programs.isEmpty() && builds.isEmpty();
    }
  }

  private final Map<Long, Long> programDoneTo = new HashMap<>();
  private Level next = new Level();

  BackwardSearch(RecordSource source, LineageLimits limits, SearchTime time) {
    super(source, limits, time);
  }

  @Override
  Lineage fromFile(long file, long atMicros) {
    source.loadFiles(List.of(file));
    Access newest = source.file(file).newestAt(atMicros);
    if (newest == null) {
      builder.addVersion(-1, "", file, null, EnumSet.of(Doubt.WRITER_NOT_RECORDED));
    } else {
      List<Met> beside = source.file(file).beside(newest);
      Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
      beside.forEach(met -> doubts.addAll(met.doubts()));
      int root = version(-1, "", file, newest, doubts);
      beside.forEach(met -> met(root, Lineage.CONTINUES, file, met, NO_DOUBT));
    }
    return run();
  }

  @Override
  void addWholeProgram(int parent, String relation, long process) {
    program(parent, relation, process, Long.MAX_VALUE, NO_DOUBT);
  }

  @Override
  boolean hasNextLevel() {
    return !next.isEmpty();
  }

  @Override
  void expandLevel() {
    Level level = next;
    next = new Level();
    inSlices(level.versions, task -> 1, this::expandVersions);
    inSlices(readSteps(level.programs), ReadStep::weight, this::expandPrograms);
    for (BuildTask task : level.builds) {
      for (Met build : task.builds()) {
        met(task.position(), Vocabulary.STORED_IN, task.file(), build, NO_DOUBT);
      }
    }
  }

  private void expandVersions(List<VersionTask> tasks) {
    source.loadPrograms(tasks.stream().map(task -> task.write().process()).toList());
    Set<Long> renamed = new LinkedHashSet<>();
    Set<Long> redirecting = new LinkedHashSet<>();
    for (VersionTask task : tasks) {
      FileCard card = source.file(task.file());
      card.renamesHere.forEach(rename -> renamed.add(rename.source()));
      if (task.write().isPrintedByOthers()) {
        redirecting.addAll(card.redirectingJobs);
      }
    }
    source.loadFiles(renamed);
    source.loadProcessesOfJobs(redirecting);
    for (VersionTask task : tasks) {
      expandVersion(task);
    }
  }

  private void expandVersion(VersionTask task) {
    FileCard card = source.file(task.file());
    Access write = task.write();
    Program writer = source.program(write.process());
    if (Redirections.isRedirection(source, write, card)) {
      for (long job : writer.jobs) {
        for (long process : source.processesOfJob(job)) {
          Program program = source.program(process);
          if (Redirections.mayHavePrinted(source, program, write, card)) {
            program(
                task.position(),
                Vocabulary.REDIRECTED,
                process,
                write.endMicros(),
                EnumSet.of(Doubt.SHELL_REDIRECTION));
          }
        }
      }
    }
    // The writer is part of the answer in any case, but what it read not always.
    long readsTo = RecordRules.restsOnReads(write) ? write.endMicros() : Long.MIN_VALUE;
    program(task.position(), Vocabulary.WROTE, write.process(), readsTo, NO_DOUBT);
    if (write.isRename()) {
      String writerId = source.vertex(write.process()).id();
      for (Rename rename : card.renamesHere) {
        if (rename.processId().equals(writerId)) {
          Access reader = write.over(rename.source());
          for (Met met : source.file(rename.source()).met(reader)) {
            met(task.position(), Vocabulary.RENAMED_FROM, rename.source(), met, NO_DOUBT);
          }
        }
      }
    }
    if (RecordRules.keeps(write)) {
      Doubt why = write.appended() ? Doubt.TAKEN_AS_APPEND : Doubt.MAY_HAVE_KEPT;
      for (Met met : card.keptBy(write)) {
        if (write.appended() || met.write() != null) {
          met(task.position(), Lineage.CONTINUES, task.file(), met, EnumSet.of(why));
        }
      }
    }
  }

  private List<ReadStep> readSteps(List<ProgramTask> tasks) {
    List<ReadStep> steps = new ArrayList<>();
    for (ProgramTask task : tasks) {
      List<Access> wanted =
          source.program(task.program()).reads.stream()
              .filter(read -> read.startMicros() > task.from() && read.startMicros() <= task.to())
              .toList();
      List<List<Access>> parts = wanted.isEmpty() ? List.of(wanted) : parts(wanted);
      for (List<Access> part : parts) {
        steps.add(new ReadStep(task, part, part == parts.get(0)));
      }
    }
    return steps;
  }

  private void expandPrograms(List<ReadStep> steps) {
    Set<Long> files = new LinkedHashSet<>();
    for (ReadStep step : steps) {
      step.reads().forEach(read -> files.add(read.file()));
      source
          .program(step.task().program())
          .executables
          .forEach(executable -> files.addAll(source.filesOfExecutable(executable)));
    }
    source.loadFiles(files);
    int known = next.versions.size();
    for (ReadStep step : steps) {
      ProgramTask task = step.task();
      Program program = source.program(task.program());
      if (step.isFirst() && task.from() == Long.MIN_VALUE) {
        surroundings(task.position(), program);
      }
      step.reads().forEach(read -> read(task.position(), program, read));
    }
    // An answer names the writer of each version, also if the search ends here.
    source.loadVertices(
        next.versions.subList(known, next.versions.size()).stream()
            .map(task -> task.write().process())
            .toList());
  }

  private void read(int position, Program program, Access read) {
    Set<Doubt> doubts =
        read.evidence() == Evidence.OPENED ? EnumSet.of(Doubt.OPENED_ONLY) : NO_DOUBT;
    for (Met met : source.file(read.file()).met(read)) {
      Access write = met.write();
      boolean ownOutput =
          write != null
              && program.members.contains(write.process())
              && builder.hasVersion(read.file(), write);
      if (!ownOutput) {
        met(position, Vocabulary.READ, read.file(), met, doubts);
      }
    }
  }

  /** Executable, job and user of a program. */
  private void surroundings(int position, Program program) {
    for (long executable : program.executables) {
      List<Long> files = source.filesOfExecutable(executable);
      List<Met> builds = new ArrayList<>();
      for (long file : files) {
        builds.addAll(source.file(file).met(program.start(file)));
      }
      Set<Doubt> doubts = files.isEmpty() ? NO_DOUBT : EnumSet.of(Doubt.EXECUTABLE_BY_TIME);
      int node = builder.addExecutable(position, executable, builds, doubts);
      if (node != LineageBuilder.NONE && !files.isEmpty()) {
        next.builds.add(new BuildTask(node, files.get(0), builds));
      }
    }
    addJobs(position, program);
  }

  private void met(int parent, String relation, long file, Met met, Set<Doubt> more) {
    Set<Doubt> doubts = EnumSet.copyOf(met.doubts());
    doubts.addAll(more);
    version(parent, relation, file, met.write(), doubts);
  }

  private int version(
      int parent, String relation, long file, @Nullable Access write, Set<Doubt> doubts) {
    int position = addVersion(parent, relation, file, write, doubts);
    if (write != null && isToFollow(position)) {
      next.versions.add(new VersionTask(position, file, write));
    }
    return position;
  }

  private void program(int parent, String relation, long process, long to, Set<Doubt> doubts) {
    Program program = source.program(process);
    int position = addProgram(parent, relation, program, doubts);
    if (position == LineageBuilder.NONE) {
      return;
    }
    Long doneTo = programDoneTo.get(program.vertex);
    if (doneTo == null || doneTo < to) {
      programDoneTo.put(program.vertex, to);
      // After a first task from the beginning of time, a later one only adds reads; 0 is before all
      // of them.
      long from = doneTo == null ? Long.MIN_VALUE : Math.max(0, doneTo);
      next.programs.add(new ProgramTask(position, program.vertex, from, to));
    }
  }
}
