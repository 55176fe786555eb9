package io.graphmeta.provenance;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.RecordRules.Met;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a run used: the files it read from elsewhere, each in the versions it can have met, its
 * programs in their builds, their command lines and its properties. A run is a job, a process, or
 * all that an element rests on. Filled once, then only read.
 */
final class RunFacts {
  /** Times and names of the record itself, in which any two runs differ. */
  private static final Set<String> NO_PARAMETERS =
      Set.of(
          Vocabulary.START,
          Vocabulary.END,
          Vocabulary.SUBMIT,
          Vocabulary.PID,
          Vocabulary.LOG,
          Vocabulary.EARLY_MILLIS,
          Vocabulary.COMMAND_LINE);

  /** Versions of one file that a run used. */
  static final class Use {
    final Set<FileVersion> versions = new LinkedHashSet<>();
    final Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);

    /** The versions, newest first. */
    List<FileVersion> newestFirst() {
      return versions.stream()
          .sorted(Comparator.comparingLong(FileVersion::startMicros).reversed())
          .toList();
    }
  }

  final SortedMap<String, Use> inputs = new TreeMap<>();
  final SortedMap<String, Use> executables = new TreeMap<>();

  /** Command lines by the id of the executable, in the order in which the programs began. */
  final SortedMap<String, List<String>> commandLines = new TreeMap<>();

  final SortedMap<String, Object> parameters = new TreeMap<>();

  private boolean whole = true;

  private RunFacts() {}

  /** Whether all of the run was read in the time for it. */
  boolean isWhole() {
    return whole;
  }

  /** Whether an element is a run by itself. */
  static boolean isRun(VertexRecord vertex) {
    return vertex.label().equals(Vocabulary.JOB) || vertex.label().equals(Vocabulary.PROCESS);
  }

  /** What a job or process used by itself. */
  static RunFacts ofRun(GraphTransaction tx, ReadView view, String id, SearchTime time) {
    RecordSource source = new RecordSource(tx, view, false, time);
    VertexRecord run = source.vertexById(id);
    if (!isRun(run)) {
      throw GraphMetaException.invalid(
          "'"
              + id
              + "' is of label "
              + run.label()
              + ", which is no run; expected a job or process");
    }
    Set<Program> programs = new LinkedHashSet<>();
    RunFacts facts = new RunFacts();
    List<Long> processes = List.of(run.key());
    if (run.label().equals(Vocabulary.JOB)) {
      source.listProcessesOfJobs(processes);
      processes = source.processesOfJob(run.key());
    }
    facts.inSlices(
        processes,
        time,
        slice -> {
          source.loadPrograms(slice);
          slice.forEach(process -> programs.add(source.program(process)));
        });
    properties(run.properties())
        .forEach(
            (key, value) -> {
              if (!NO_PARAMETERS.contains(key)) {
                facts.parameters.put(key, value);
              }
            });
    facts.add(source, programs, time);
    facts.whole &= !source.isCut();
    return facts;
  }

  /** Reads some of many at a time, as long as there is time. */
  private void inSlices(List<Long> all, SearchTime time, Consumer<List<Long>> read) {
    for (int from = 0; from < all.size() && whole; from += LineageSearch.SLICE) {
      whole = !time.isOver();
      if (whole) {
        read.accept(all.subList(from, Math.min(all.size(), from + LineageSearch.SLICE)));
      }
    }
  }

  private void add(RecordSource source, Collection<Program> programs, SearchTime time) {
    Set<Long> own = new HashSet<>();
    Set<Long> files = new LinkedHashSet<>();
    for (Program program : programs) {
      own.addAll(program.members);
      program.reads.forEach(read -> files.add(read.file()));
      program.executables.forEach(each -> files.addAll(source.filesOfExecutable(each)));
    }
    inSlices(List.copyOf(files), time, source::loadFiles);
    if (!whole) {
      return;
    }
    Set<Long> writers = new LinkedHashSet<>();
    files.forEach(file -> source.file(file).writes.forEach(write -> writers.add(write.process())));
    source.loadVertices(writers);
    for (Program program :
        programs.stream().sorted(Comparator.comparingLong(each -> each.startMicros)).toList()) {
      for (Access read : program.reads) {
        List<Met> met = new ArrayList<>(source.file(read.file()).met(read));
        met.removeIf(each -> each.write() != null && own.contains(each.write().process()));
        if (!met.isEmpty()) {
          Use use = inputs.computeIfAbsent(source.vertex(read.file()).id(), file -> new Use());
          add(source, use, met);
          if (read.evidence() == Evidence.OPENED) {
            use.doubts.add(Doubt.OPENED_ONLY);
          }
        }
      }
      addExecutables(source, program);
    }
  }

  private void addExecutables(RecordSource source, Program program) {
    String commandLine = RecordedValues.description(source.vertex(program.vertex));
    for (long executable : program.executables) {
      String id = source.vertex(executable).id();
      commandLines.computeIfAbsent(id, key -> new ArrayList<>()).add(commandLine);
      Use use = executables.computeIfAbsent(id, key -> new Use());
      for (long file : source.filesOfExecutable(executable)) {
        add(source, use, source.file(file).met(program.start(file)));
        use.doubts.add(Doubt.EXECUTABLE_BY_TIME);
      }
    }
    if (program.executables.isEmpty()) {
      commandLines.computeIfAbsent("", key -> new ArrayList<>()).add(commandLine);
    }
  }

  private static void add(RecordSource source, Use use, List<Met> met) {
    for (Met each : met) {
      Access write = each.write();
      use.versions.add(
          write == null
              ? FileVersion.INITIAL
              : new FileVersion(write.startMicros(), source.vertex(write.process()).id()));
      use.doubts.addAll(each.doubts());
    }
  }

  /** What all programs used that an element rests on. */
  static RunFacts ofLineage(Lineage lineage) {
    RunFacts facts = new RunFacts();
    List<LineageNode> nodes = lineage.nodes();
    for (Lineage.Link link : lineage.links()) {
      LineageNode from = nodes.get(link.from());
      LineageNode to = nodes.get(link.to());
      switch (link.relation()) {
        case Vocabulary.STORED_IN -> facts.executable(from.id()).versions.add(version(to));
        case Vocabulary.EXE -> {
          facts.executable(to.id()).doubts.addAll(to.doubts());
          facts
              .commandLines
              .computeIfAbsent(to.id(), key -> new ArrayList<>())
              .add(from.description());
        }
        default -> {
          if (to.fate() != null && to.index() > 0) {
            Use use = facts.inputs.computeIfAbsent(to.id(), key -> new Use());
            use.versions.add(version(to));
            use.doubts.addAll(to.doubts());
          }
        }
      }
    }
    return facts;
  }

  private Use executable(String id) {
    return executables.computeIfAbsent(id, key -> new Use());
  }

  private static FileVersion version(LineageNode node) {
    return node.writer() == null
        ? FileVersion.INITIAL
        : new FileVersion(node.versionMicros(), node.writer());
  }

  /** Properties by key; those with several values as a list. */
  static SortedMap<String, Object> properties(List<PropertyRecord> records) {
    Map<String, List<Object>> values = new LinkedHashMap<>();
    for (PropertyRecord record : records) {
      values.computeIfAbsent(record.key(), key -> new ArrayList<>()).add(record.value());
    }
    SortedMap<String, Object> properties = new TreeMap<>();
    values.forEach((key, all) -> properties.put(key, all.size() == 1 ? all.get(0) : all));
    return properties;
  }
}
