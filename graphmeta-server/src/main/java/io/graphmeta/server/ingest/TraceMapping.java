package io.graphmeta.server.ingest;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.provenance.RecordRules;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.ingest.trace.TracedRun;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Maps one run that another tool wrote down into the graph. Used once, within one transaction.
 *
 * <p>All edges have ids that follow from what they say, so that what is there already is known
 * again: of one run, several documents can tell a part each.
 */
final class TraceMapping {
  private record Wanted(
      String id, String out, String label, String in, Map<String, Object> properties, long stamp) {}

  private final GraphTransaction tx;
  private final TracedRun run;
  private final ElementBackfill shared;
  private final Map<String, Wanted> accesses = new LinkedHashMap<>();
  private final long start;
  private boolean changed;
  private long edges;

  TraceMapping(GraphTransaction tx, TracedRun run) {
    this.tx = tx;
    this.run = run;
    this.shared = new ElementBackfill(tx);
    this.start = Stamp.startOfMicros(run.startMicros());
  }

  LoadResult write() {
    askForRun();
    run.job().ifPresent(this::askForJob);
    run.programs().forEach(this::askForProgram);
    run.uses().forEach(this::askForUse);
    run.renames().forEach(this::askForRename);
    run.deleted().forEach(this::askForDeletion);
    // Whether an end is known is seen from then on only.
    shared.lookUpAsOf(Stamp.startOfMicros(Math.max(run.startMicros(), run.endMicros())));
    run.job().ifPresent(job -> shared.lookUpAsOf(Stamp.startOfMicros(job.endMicros())));
    shared.write();
    end(run.id(), run.endMicros());
    run.job().ifPresent(job -> end(job.id(), job.endMicros()));
    writeAccesses();
    changed |= shared.addedVertices() > 0 || shared.addedEdges() > 0;
    return new LoadResult(
        changed ? 1 : 0, changed ? 0 : 1, shared.addedVertices(), shared.addedEdges() + edges);
  }

  private void askForRun() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Vocabulary.NAME, run.name());
    properties.put(Vocabulary.COMMAND_LINE, run.commandLine());
    properties.put(Vocabulary.START, Times.of(run.startMicros()));
    shared.vertex(run.id(), Vocabulary.PROCESS, properties, start);
  }

  private void askForJob(TracedRun.Job job) {
    long begin = Stamp.startOfMicros(Math.min(job.startMicros(), run.startMicros()));
    Map<String, Object> named =
        job.name().isEmpty() ? Map.of() : Map.of(Vocabulary.NAME, job.name());
    shared.vertex(job.id(), Vocabulary.JOB, named, begin);
    shared.edge(
        Vocabulary.CONTAINS + ":" + run.id(), job.id(), Vocabulary.CONTAINS, run.id(), start);
    for (TracedRun.User user : job.users()) {
      shared.vertex(user.id(), Vocabulary.USER, Map.of(Vocabulary.NAME, user.name()), begin);
      // Logs know one user of a job, and name the edge by the job alone.
      String id = Vocabulary.RAN + ":" + job.id();
      boolean isFirst = job.users().get(0).equals(user);
      shared.edge(isFirst ? id : id + " " + user.id(), user.id(), Vocabulary.RAN, job.id(), begin);
    }
  }

  private void askForProgram(TracedRun.Program program) {
    String name = RecordRules.baseName(program.id().replaceFirst("^exe:", ""));
    shared.vertex(program.id(), Vocabulary.EXECUTABLE, Map.of(Vocabulary.NAME, name), start);
    want(Vocabulary.EXE, run.id(), program.id(), "", Map.of(), run.startMicros());
    for (String file : program.storedIn()) {
      askForFile(file, start);
      // Logs know one program of a file, and name the edge by the file alone.
      String id = Vocabulary.STORED_IN + ":" + file;
      boolean isByFile = program.id().equals("exe:" + file);
      shared.edge(
          isByFile ? id : id + " " + program.id(), program.id(), Vocabulary.STORED_IN, file, start);
    }
  }

  private void askForFile(String id, long stamp) {
    if (FilePaths.isAbsolute(id)) {
      shared.path(id, Vocabulary.FILE, stamp);
    } else {
      shared.vertex(id, Vocabulary.FILE, Map.of(Vocabulary.NAME, RecordRules.baseName(id)), stamp);
    }
  }

  private void askForUse(TracedRun.Use located) {
    FileUse use = located.use();
    long from = Math.max(run.startMicros(), use.startMicros());
    askForFile(located.file(), Stamp.startOfMicros(from));
    Map<String, Object> properties = times(use.startMicros(), use.endMicros());
    properties.put(Vocabulary.BYTES, use.bytes());
    properties.put(Vocabulary.OPERATIONS, use.operations());
    properties.put(Vocabulary.OPENS, use.opens());
    properties.put(Vocabulary.EVIDENCE, use.evidence().text());
    if (use.appended()) {
      properties.put(Vocabulary.APPENDED, true);
    }
    want(
        use.wrote() ? Vocabulary.WROTE : Vocabulary.READ,
        run.id(),
        located.file(),
        located.version(),
        properties,
        from);
    boolean printed = located.redirected() || use.evidence() == Evidence.PIPED;
    if (printed && run.job().isPresent()) {
      Map<String, Object> redirection = times(use.startMicros(), use.endMicros());
      redirection.put(Vocabulary.BY_PROCESS, run.id());
      String job = run.job().get().id();
      want(Vocabulary.REDIRECTED, job, located.file(), located.version(), redirection, from);
    }
  }

  private void askForRename(TracedRun.Rename rename) {
    run.uses().stream()
        .filter(use -> use.use().wrote() && use.file().equals(rename.target()))
        .findFirst()
        .ifPresent(
            use -> {
              long from = Math.max(run.startMicros(), use.use().startMicros());
              askForFile(rename.source(), Stamp.startOfMicros(from));
              Map<String, Object> origin = times(from, use.use().endMicros());
              origin.put(Vocabulary.EVIDENCE, use.use().evidence().text());
              origin.put(Vocabulary.BY_PROCESS, run.id());
              want(
                  Vocabulary.RENAMED_FROM,
                  rename.target(),
                  rename.source(),
                  run.id(),
                  origin,
                  from);
            });
  }

  private void askForDeletion(String file) {
    askForFile(file, start);
    Map<String, Object> properties =
        times(run.startMicros(), Math.max(run.startMicros(), run.endMicros()));
    want(Vocabulary.DELETED, run.id(), file, "", properties, run.startMicros());
  }

  private void want(
      String label,
      String out,
      String in,
      String version,
      Map<String, Object> properties,
      long micros) {
    String id = label + ":" + out + " " + in + (version.isEmpty() ? "" : " " + version);
    accesses.putIfAbsent(
        id, new Wanted(id, out, label, in, properties, Stamp.startOfMicros(micros)));
    shared.lookUpAsOf(Stamp.startOfMicros(micros));
  }

  private void writeAccesses() {
    Set<String> known = new HashSet<>();
    for (EdgeRecord edge : tx.edgesById(new ArrayList<>(accesses.keySet()), tx.snapshot())) {
      if (edge != null) {
        known.add(edge.id());
      }
    }
    for (Wanted wanted : accesses.values()) {
      if (!known.contains(wanted.id())) {
        tx.addEdge(
            wanted.id(),
            shared.key(wanted.out()),
            wanted.label(),
            shared.key(wanted.in()),
            wanted.properties(),
            wanted.stamp());
        edges++;
        changed = true;
      }
    }
  }

  private void end(String id, long micros) {
    VertexRecord before = shared.before(id);
    if (micros > 0 && (before == null || before.value(Vocabulary.END) == null)) {
      long stamp = Stamp.startOfMicros(Math.max(micros, run.startMicros()));
      tx.setVertexProperty(
          shared.key(id),
          Vocabulary.END,
          Times.of(micros),
          Cardinality.SINGLE,
          Map.of(),
          null,
          stamp);
      changed = true;
    }
  }

  private Map<String, Object> times(long from, long to) {
    Map<String, Object> properties = new LinkedHashMap<>();
    long begin = Math.max(run.startMicros(), from);
    properties.put(Vocabulary.START, Times.of(begin));
    properties.put(Vocabulary.END, Times.of(Math.max(begin, to)));
    return properties;
  }
}
