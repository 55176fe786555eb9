package io.graphmeta.server.ingest;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.provenance.RecordRules;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.ingest.ProgramRun.Rename;
import io.graphmeta.server.ingest.ProgramRun.Use;
import io.graphmeta.server.ingest.darshan.Timeline;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Maps one run of a program into the graph. Used once, within one transaction: what it has in
 * common with others is asked for, then written for all of them, then it writes its own.
 *
 * <p>Id of the process: job, name of the executable and a digest of the log, for a pid is not
 * unique in a job of several nodes and stands in the name of the log only. In the mapping by ranks,
 * records that Darshan summed up over all ranks stay with the vertex of the program.
 */
final class RunMapping {
  private static final long EARLY_MILLIS = 1_000;
  private static final Pattern NAME_WITH_PID = Pattern.compile("_id(\\d+)-(\\d+)_");

  private final GraphTransaction tx;
  private final ProgramRun run;
  private final String jobId;
  private final String processId;
  private final String executable;
  private final long startMicros;
  private final long endMicros;
  private final ElementBackfill shared;
  private final CommandLineFacts facts;
  private final List<Long> kept;
  private final List<Rename> renames = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();
  private long vertices;
  private long edges;

  RunMapping(GraphTransaction tx, ElementBackfill shared, ProgramRun run) {
    this.tx = tx;
    this.shared = shared;
    this.run = run;
    this.executable = FilePaths.normalized(run.executable());
    this.jobId = Vocabulary.jobId(Long.toString(run.jobId()));
    String name = RecordRules.baseName(executable);
    this.processId = jobId + "/" + (name.isEmpty() ? "process" : name) + "-" + run.digest();
    this.startMicros = run.startMicros();
    this.endMicros = run.endMicros();
    this.facts = CommandLineFacts.of(run.commandLine());
    this.kept = keptRanks();
  }

  /** Whether what a run did can only be told by what the graph knew of files before. */
  static boolean dependsOnWhatIsKnown(ProgramRun run) {
    CommandLineFacts facts = CommandLineFacts.of(run.commandLine());
    return facts.recursive() || run.renames().isEmpty() && !facts.renames().isEmpty();
  }

  /** The id of the process, by which a run is known again. */
  String processId() {
    return processId;
  }

  /** Asks for what the run has in common with others. */
  void ask() {
    renames.addAll(run.renames());
    if (renames.isEmpty()) {
      facts.renames().forEach(rename -> renames.add(renameByCommand(rename)));
    }
    deleted.addAll(facts.recursive() ? existing(facts.deleted()) : facts.deleted());
    askForShared();
    shared.addedByCaller(processId);
    kept.forEach(rank -> shared.addedByCaller(rankId(rank)));
  }

  /** Writes the run when all that was asked for is there. */
  LoadResult write() {
    long program = addProgram();
    Map<Long, Long> ranks = addRanks(program);
    for (Use use : run.uses()) {
      addUse(use, ranks.getOrDefault(use.rank(), program));
    }
    for (Rename rename : renames) {
      addRename(rename, ranks.getOrDefault(rename.rank(), program));
    }
    for (String path : deleted) {
      addDeletion(path, program);
    }
    return new LoadResult(1, 0, vertices, edges);
  }

  private Rename renameByCommand(CommandLineFacts.Rename rename) {
    VertexRecord target = tx.verticesById(List.of(rename.target()), tx.snapshot()).get(0);
    boolean intoDirectory = target != null && target.label().equals(Vocabulary.DIRECTORY);
    String path =
        intoDirectory
            ? CommandLineFacts.inDirectory(rename.target(), rename.source())
            : rename.target();
    return new Rename(
        ProgramRun.ALL_RANKS, rename.source(), path, startMicros, latest(), Evidence.COMMAND_LINE);
  }

  /** What {@code rm -r} deletes may be directories: only what is known is taken. */
  private List<String> existing(List<String> paths) {
    List<String> result = new ArrayList<>();
    for (VertexRecord vertex : tx.verticesById(paths, tx.snapshot())) {
      if (vertex != null) {
        result.add(vertex.id());
      }
    }
    return result;
  }

  /** The recorded end, as late as it can be; the start if none is recorded. */
  private long latest() {
    return Math.max(startMicros, endMicros) + RecordRules.LATE_MICROS;
  }

  private void askForShared() {
    long start = Stamp.startOfMicros(startMicros);
    String user = Vocabulary.userId(run.uid());
    shared.vertex(user, Vocabulary.USER, Map.of(Vocabulary.UID, run.uid()), start);
    shared.vertex(jobId, Vocabulary.JOB, Map.of(), start);
    shared.edge(Vocabulary.RAN + ":" + jobId, user, Vocabulary.RAN, jobId, start);
    if (!executable.isEmpty()) {
      String id = Vocabulary.executableId(executable);
      shared.vertex(
          id,
          Vocabulary.EXECUTABLE,
          Map.of(Vocabulary.NAME, RecordRules.baseName(executable)),
          start);
      if (FilePaths.isAbsolute(executable)) {
        shared.path(executable, Vocabulary.FILE, start);
        shared.edge(
            Vocabulary.STORED_IN + ":" + executable, id, Vocabulary.STORED_IN, executable, start);
      }
    }
    for (Use use : run.uses()) {
      askForFile(use.path(), run.namesByHash().get(use.path()), stampOf(use.use().startMicros()));
    }
    for (Rename rename : renames) {
      shared.path(rename.source(), Vocabulary.FILE, stampOf(rename.startMicros()));
      shared.path(rename.target(), Vocabulary.FILE, stampOf(rename.startMicros()));
    }
    for (String path : deleted) {
      shared.path(path, Vocabulary.FILE, start);
    }
  }

  private void askForFile(String id, @Nullable String nameByHash, long stamp) {
    if (nameByHash != null) {
      shared.vertex(id, Vocabulary.FILE, Map.of(Vocabulary.NAME, nameByHash), stamp);
    } else {
      shared.path(id, Vocabulary.FILE, stamp);
    }
  }

  /** No access lies before the start of its process. */
  private long stampOf(long micros) {
    return Stamp.startOfMicros(Math.max(startMicros, micros));
  }

  private long addProgram() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Vocabulary.NAME, RecordRules.baseName(executable));
    properties.put(Vocabulary.COMMAND_LINE, run.commandLine());
    properties.put(Vocabulary.START, Times.of(startMicros));
    properties.put(Vocabulary.RANKS, run.processes());
    String fileName = run.log();
    properties.put(Vocabulary.LOG, fileName);
    Matcher name = NAME_WITH_PID.matcher(fileName);
    if (name.find()
        && name.group(1).equals(Long.toString(run.jobId()))
        && name.group(2).length() < 19) {
      properties.put(Vocabulary.PID, Long.parseLong(name.group(2)));
    }
    if (run.incomplete()) {
      properties.put(Vocabulary.INCOMPLETE, true);
    }
    run.timeline().ifPresent(timeline -> putTimeline(properties, timeline));
    putPrecision(properties);
    long program = addProcess(processId, properties, jobId);
    if (!executable.isEmpty()) {
      Map<String, Object> start = new LinkedHashMap<>();
      start.put(Vocabulary.START, Times.of(startMicros));
      putPrecision(start);
      long target = shared.key(Vocabulary.executableId(executable));
      tx.addEdge(null, program, Vocabulary.EXE, target, start, Stamp.startOfMicros(startMicros));
      edges++;
    }
    return program;
  }

  private static void putTimeline(Map<String, Object> properties, Timeline timeline) {
    properties.put(Vocabulary.SPAN_SECONDS, timeline.spanSeconds());
    properties.put(Vocabulary.READ_BY_SPAN, timeline.bytesRead());
    properties.put(Vocabulary.WRITTEN_BY_SPAN, timeline.bytesWritten());
  }

  private long addProcess(String id, Map<String, Object> properties, String container) {
    long start = Stamp.startOfMicros(startMicros);
    long process = tx.addVertex(id, Vocabulary.PROCESS, properties, start);
    vertices++;
    if (endMicros > 0) {
      long end = Stamp.startOfMicros(Math.max(startMicros, endMicros));
      tx.setVertexProperty(
          process, Vocabulary.END, Times.of(endMicros), Cardinality.SINGLE, Map.of(), null, end);
    }
    if (container.equals(jobId)) {
      tx.addEdge(null, shared.key(jobId), Vocabulary.CONTAINS, process, Map.of(), start);
      edges++;
    }
    return process;
  }

  /** The ranks that get vertices of their own. */
  private List<Long> keptRanks() {
    TreeSet<Long> kept = new TreeSet<>();
    run.uses().forEach(use -> kept.add(use.rank()));
    run.renames().forEach(rename -> kept.add(rename.rank()));
    kept.remove(ProgramRun.ALL_RANKS);
    return List.copyOf(kept);
  }

  private String rankId(long rank) {
    return processId + "/" + rank;
  }

  private Map<Long, Long> addRanks(long program) {
    Map<Long, Long> ranks = new LinkedHashMap<>();
    for (long rank : kept) {
      Map<String, Object> properties = new LinkedHashMap<>();
      properties.put(Vocabulary.NAME, RecordRules.baseName(executable));
      properties.put(Vocabulary.RANK, rank);
      properties.put(Vocabulary.START, Times.of(startMicros));
      putPrecision(properties);
      long process = addProcess(rankId(rank), properties, processId);
      tx.addEdge(
          null, program, Vocabulary.CONTAINS, process, Map.of(), Stamp.startOfMicros(startMicros));
      edges++;
      ranks.put(rank, process);
    }
    return ranks;
  }

  /**
   * Logs older than format 3.41 give the start in whole seconds, cut off: all their times may be
   * early.
   */
  private void putPrecision(Map<String, Object> properties) {
    putPrecision(properties, 0);
  }

  private void putPrecision(Map<String, Object> properties, long slackMillis) {
    if (run.wholeSeconds()) {
      properties.put(Vocabulary.EARLY_MILLIS, EARLY_MILLIS + slackMillis);
    }
  }

  private void addUse(Use located, long process) {
    FileUse use = located.use();
    if (use.evidence() == Evidence.OPENED
        && shared.label(located.path()).equals(Vocabulary.DIRECTORY)) {
      return;
    }
    Map<String, Object> properties = times(use.startMicros(), use.endMicros());
    properties.put(Vocabulary.BYTES, use.bytes());
    properties.put(Vocabulary.OPERATIONS, use.operations());
    properties.put(Vocabulary.OPENS, use.opens());
    if (use.extentBytes() > 0) {
      properties.put(Vocabulary.EXTENT_BYTES, use.extentBytes());
    }
    if (use.appended()) {
      properties.put(Vocabulary.APPENDED, true);
    }
    properties.put(Vocabulary.INTERFACES, use.interfaces());
    properties.put(Vocabulary.EVIDENCE, use.evidence().text());
    long file = shared.key(located.path());
    long stamp = stampOf(use.startMicros());
    tx.addEdge(
        null, process, use.wrote() ? Vocabulary.WROTE : Vocabulary.READ, file, properties, stamp);
    edges++;
    if (use.wrote() && isForOthers(use)) {
      Map<String, Object> redirection = times(use.startMicros(), use.endMicros());
      redirection.put(Vocabulary.BY_PROCESS, processId);
      tx.addEdge(null, shared.key(jobId), Vocabulary.REDIRECTED, file, redirection, stamp);
      edges++;
    }
  }

  /** Whether a file was opened for what other programs of the job print. */
  private boolean isForOthers(FileUse use) {
    return use.evidence() == Evidence.PIPED
        || (RecordRules.isShell(executable) && RecordRules.mayBeRedirection(use));
  }

  private void addRename(Rename rename, long process) {
    Map<String, Object> properties = times(rename.startMicros(), rename.endMicros());
    properties.put(Vocabulary.EVIDENCE, rename.evidence().text());
    long stamp = stampOf(rename.startMicros());
    long target = shared.key(rename.target());
    tx.addEdge(null, process, Vocabulary.WROTE, target, properties, stamp);
    Map<String, Object> origin = new LinkedHashMap<>(properties);
    origin.put(
        Vocabulary.BY_PROCESS,
        rename.rank() == ProgramRun.ALL_RANKS ? processId : processId + "/" + rename.rank());
    tx.addEdge(null, target, Vocabulary.RENAMED_FROM, shared.key(rename.source()), origin, stamp);
    edges += 2;
  }

  private void addDeletion(String path, long process) {
    Map<String, Object> properties = times(startMicros, latest());
    properties.put(Vocabulary.EVIDENCE, Evidence.COMMAND_LINE.text());
    tx.addEdge(
        null,
        process,
        Vocabulary.DELETED,
        shared.key(path),
        properties,
        Stamp.startOfMicros(startMicros));
    edges++;
  }

  private Map<String, Object> times(long start, long end) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Vocabulary.START, Times.of(Math.max(startMicros, start)));
    properties.put(Vocabulary.END, Times.of(Math.max(Math.max(startMicros, start), end)));
    putPrecision(properties, run.slackMillis());
    return properties;
  }
}
