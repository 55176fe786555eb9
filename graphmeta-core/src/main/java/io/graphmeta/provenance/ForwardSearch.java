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
 * What rests on a version of a file. Goes level by level: versions ask for the programs that met
 * them, programs for what they wrote after that, and each kind of question is put to the graph once
 * for a whole level. Used once.
 */
final class ForwardSearch extends LineageSearch {
  /** A version whose effects are to be found. */
  private record VersionTask(int position, long file, @Nullable Access write) {}

  /** A program of which writes that ended in {@code [from, to)} are to be found. */
  private record ProgramTask(int position, long program, long from, long to, boolean first) {}

  /**
   * Some of the writes that a task is to find.
   *
   * @param isLast whether they are the last of it
   */
  private record WriteStep(ProgramTask task, List<Access> writes, boolean isLast) {
    int weight() {
      return 1 + writes.size();
    }
  }

  private final Map<Long, Long> programDoneFrom = new HashMap<>();
  private List<VersionTask> nextVersions = new ArrayList<>();
  private List<ProgramTask> nextPrograms = new ArrayList<>();

  ForwardSearch(RecordSource source, LineageLimits limits, SearchTime time) {
    super(source, limits, time);
  }

  @Override
  Lineage fromFile(long file, long atMicros) {
    source.loadFiles(List.of(file));
    Access seed = source.file(file).newestAt(atMicros);
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    if (seed == null) {
      doubts.add(Doubt.WRITER_NOT_RECORDED);
    } else {
      source.file(file).beside(seed).forEach(met -> doubts.addAll(met.doubts()));
    }
    version(-1, "", file, seed, doubts);
    return run();
  }

  @Override
  void addWholeProgram(int parent, String relation, long process) {
    program(parent, relation, process, 0, NO_DOUBT);
  }

  @Override
  boolean hasNextLevel() {
    return !nextVersions.isEmpty() || !nextPrograms.isEmpty();
  }

  @Override
  void expandLevel() {
    List<VersionTask> versions = nextVersions;
    List<ProgramTask> programs = nextPrograms;
    nextVersions = new ArrayList<>();
    nextPrograms = new ArrayList<>();
    inSlices(versions, task -> 1 + source.file(task.file()).reads.size(), this::expandVersions);
    inSlices(writeSteps(programs), WriteStep::weight, this::expandPrograms);
  }

  private void expandVersions(List<VersionTask> tasks) {
    Set<Long> executables = new LinkedHashSet<>();
    Set<Long> targets = new LinkedHashSet<>();
    for (VersionTask task : tasks) {
      FileCard card = source.file(task.file());
      executables.addAll(card.executables);
      card.renamesAway.forEach(rename -> targets.add(rename.target()));
    }
    source.loadRunsOfExecutables(executables);
    source.loadFiles(targets);
    Map<VersionTask, List<Reached>> reached = new HashMap<>();
    Set<Long> processes = new LinkedHashSet<>();
    Set<Long> renaming = new LinkedHashSet<>();
    for (VersionTask task : tasks) {
      List<Reached> readers = readers(task);
      reached.put(task, readers);
      readers.forEach(reader -> processes.add(reader.process()));
    }
    for (long target : targets) {
      source.file(target).writes.stream()
          .filter(Access::isRename)
          .forEach(write -> renaming.add(write.process()));
    }
    ReaderQueue queue = new ReaderQueue(processes, renaming);
    for (VersionTask task : tasks) {
      for (Reached reader : reached.getOrDefault(task, List.of())) {
        if (!queue.isLoaded(reader.process())) {
          builder.markPartial();
          break;
        }
        program(
            task.position(),
            reader.relation(),
            reader.process(),
            reader.fromMicros(),
            reader.doubts());
      }
      renamed(task);
      continued(task);
    }
  }

  /**
   * Reads the programs of readers in the order in which they are added, as long as there is room
   * and time for more. A file can have a hundred thousand readers, and a question ask for a
   * thousand.
   */
  private final class ReaderQueue {
    private final List<Long> order;
    private final Map<Long, Integer> places = new HashMap<>();
    private int loaded;

    /**
     * Reads the first of them.
     *
     * @param others programs that are read in any case
     */
    ReaderQueue(Set<Long> processes, Set<Long> others) {
      this.order = List.copyOf(processes);
      order.forEach(process -> places.put(process, places.size()));
      Set<Long> first = new LinkedHashSet<>(next());
      first.addAll(others);
      source.loadPrograms(first);
    }

    private List<Long> next() {
      int from = loaded;
      loaded = Math.min(order.size(), from + SLICE);
      return order.subList(from, loaded);
    }

    /** Whether a program is read; false if there is no room or no time for it any more. */
    boolean isLoaded(long process) {
      int place = places.getOrDefault(process, 0);
      while (place >= loaded) {
        if (builder.room() <= 0 || isEnded()) {
          return false;
        }
        source.loadPrograms(next());
      }
      return true;
    }
  }

  /** A process that met a version. */
  private record Reached(String relation, long process, long fromMicros, Set<Doubt> doubts) {}

  private List<Reached> readers(VersionTask task) {
    FileCard card = source.file(task.file());
    List<Reached> readers = new ArrayList<>();
    for (Access read : card.reads) {
      if (readers.size() % SLICE == SLICE - 1 && isEnded()) {
        return readers;
      }
      Met met = met(card, task.write(), read);
      if (met != null) {
        Set<Doubt> doubts = EnumSet.copyOf(met.doubts());
        if (read.evidence() == Evidence.OPENED) {
          doubts.add(Doubt.OPENED_ONLY);
        }
        readers.add(new Reached(Vocabulary.READ, read.process(), read.startMicros(), doubts));
      }
    }
    for (long executable : card.executables) {
      for (Run run : source.runsOfExecutable(executable)) {
        Met met = met(card, task.write(), run.asAccess(task.file()));
        if (met != null) {
          Set<Doubt> doubts = EnumSet.copyOf(met.doubts());
          doubts.add(Doubt.EXECUTABLE_BY_TIME);
          readers.add(new Reached(Vocabulary.EXE, run.process(), run.startMicros(), doubts));
        }
      }
    }
    return readers;
  }

  private static @Nullable Met met(FileCard card, @Nullable Access version, Access reader) {
    for (Met met : card.met(reader)) {
      if (RecordRules.sameVersion(met.write(), version)) {
        if (version == null) {
          met.doubts().remove(Doubt.WRITER_NOT_RECORDED);
        }
        return met;
      }
    }
    return null;
  }

  private void renamed(VersionTask task) {
    FileCard card = source.file(task.file());
    for (Rename rename : card.renamesAway) {
      for (Access write : source.file(rename.target()).writes) {
        if (write.isRename() && source.vertex(write.process()).id().equals(rename.processId())) {
          Met met = met(card, task.write(), write.over(task.file()));
          if (met != null) {
            version(task.position(), Vocabulary.RENAMED_FROM, rename.target(), write, met.doubts());
          }
        }
      }
    }
  }

  private void continued(VersionTask task) {
    FileCard card = source.file(task.file());
    for (Access write : card.writes) {
      if (RecordRules.keeps(write) && !RecordRules.sameVersion(write, task.write())) {
        Met met = met(card, task.write(), write.opening());
        if (met != null && (write.appended() || met.write() != null)) {
          met.doubts().add(write.appended() ? Doubt.TAKEN_AS_APPEND : Doubt.MAY_HAVE_KEPT);
          version(task.position(), Lineage.CONTINUES, task.file(), write, met.doubts());
        }
      }
    }
  }

  private List<WriteStep> writeSteps(List<ProgramTask> tasks) {
    List<WriteStep> steps = new ArrayList<>();
    for (ProgramTask task : tasks) {
      List<Access> wanted =
          source.program(task.program()).writes.stream()
              .filter(write -> isWanted(task, write))
              .toList();
      List<List<Access>> parts = wanted.isEmpty() ? List.of(wanted) : parts(wanted);
      for (List<Access> part : parts) {
        steps.add(new WriteStep(task, part, part == parts.get(parts.size() - 1)));
      }
    }
    return steps;
  }

  private void expandPrograms(List<WriteStep> steps) {
    Set<Long> jobs = new LinkedHashSet<>();
    Set<Long> files = new LinkedHashSet<>();
    for (WriteStep step : steps) {
      step.writes().forEach(write -> files.add(write.file()));
      if (step.isLast()) {
        jobs.addAll(source.program(step.task().program()).jobs);
      }
    }
    source.loadRedirectionsOfJobs(jobs);
    jobs.forEach(job -> files.addAll(source.redirectionsOfJob(job)));
    source.loadFiles(files);
    Set<Long> shells = new LinkedHashSet<>();
    for (long job : jobs) {
      for (long file : source.redirectionsOfJob(job)) {
        source.file(file).writes.forEach(write -> shells.add(write.process()));
      }
    }
    source.loadPrograms(shells);
    for (WriteStep step : steps) {
      ProgramTask task = step.task();
      for (Access each : step.writes()) {
        Access write = source.file(each.file()).own(each);
        if (RecordRules.restsOnReads(write)) {
          version(task.position(), Vocabulary.WROTE, write.file(), write, NO_DOUBT);
        }
      }
      if (step.isLast()) {
        Program program = source.program(task.program());
        redirected(task, program);
        if (task.first()) {
          addJobs(task.position(), program);
        }
      }
    }
  }

  private static boolean isWanted(ProgramTask task, Access write) {
    return write.endMicros() >= task.from() && write.endMicros() < task.to();
  }

  private void redirected(ProgramTask task, Program program) {
    for (long job : program.jobs) {
      for (long file : source.redirectionsOfJob(job)) {
        FileCard card = source.file(file);
        for (Access write : card.writes) {
          if (isWanted(task, write)
              && Redirections.isRedirection(source, write, card)
              && source.program(write.process()).jobs.contains(job)
              && Redirections.mayHavePrinted(source, program, write, card)) {
            version(
                task.position(),
                Vocabulary.REDIRECTED,
                file,
                write,
                EnumSet.of(Doubt.SHELL_REDIRECTION));
          }
        }
      }
    }
  }

  private void version(
      int parent, String relation, long file, @Nullable Access write, Set<Doubt> doubts) {
    Set<Doubt> all = EnumSet.noneOf(Doubt.class);
    all.addAll(doubts);
    if (source.file(file).mayLiveOn(write)) {
      all.add(Doubt.APPEND_OR_OVERWRITE);
    }
    int position = addVersion(parent, relation, file, write, all);
    if (isToFollow(position)) {
      nextVersions.add(new VersionTask(position, file, write));
    }
  }

  private void program(int parent, String relation, long process, long from, Set<Doubt> doubts) {
    Program program = source.program(process);
    int position = addProgram(parent, relation, program, doubts);
    if (position == LineageBuilder.NONE) {
      return;
    }
    Long doneFrom = programDoneFrom.get(program.vertex);
    if (doneFrom == null || from < doneFrom) {
      programDoneFrom.put(program.vertex, from);
      long to = doneFrom == null ? Long.MAX_VALUE : doneFrom;
      nextPrograms.add(new ProgramTask(position, program.vertex, from, to, doneFrom == null));
    }
  }
}
