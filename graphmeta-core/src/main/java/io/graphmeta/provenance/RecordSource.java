package io.graphmeta.provenance;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.FileCard.Rename;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the record from the graph in batches, each file and program once for the whole of a search.
 * Used by one thread.
 *
 * <p>A vertex that was dropped from the graph takes its edges along. What a program read or wrote
 * is therefore read twice: in the view, and as it was when the programs of the batch had ended,
 * before anyone tidied up. A file that is not in the view any more is read as of then.
 */
final class RecordSource {
  private static final Set<String> WRITES =
      Set.of(Vocabulary.WROTE, Vocabulary.DELETED, Vocabulary.REDIRECTED, Vocabulary.RENAMED_FROM);
  private static final Set<String> ALL_INTO_FILE =
      Set.of(
          Vocabulary.WROTE,
          Vocabulary.DELETED,
          Vocabulary.REDIRECTED,
          Vocabulary.READ,
          Vocabulary.STORED_IN,
          Vocabulary.RENAMED_FROM);

  private final GraphTransaction tx;
  private final ReadView view;
  private final boolean withReaders;
  private ReadView past;
  private final Map<Long, VertexRecord> vertices = new HashMap<>();
  private final Map<Long, Long> seenAt = new HashMap<>();
  private final Map<Long, FileCard> files = new HashMap<>();
  private final Map<Long, Program> programOfProcess = new HashMap<>();
  private final Map<Long, List<Long>> processesOfJob = new HashMap<>();
  private final Map<Long, List<Long>> filesOfExecutable = new HashMap<>();
  private final Map<Long, List<Long>> redirectionsOfJob = new HashMap<>();
  private final Map<Long, List<Long>> usersOfJob = new HashMap<>();
  private final Map<Long, List<Run>> runsOfExecutable = new HashMap<>();

  /**
   * @param withReaders whether files are read with their readers, as a search forward needs them;
   *     else programs are read with what they read
   */
  RecordSource(GraphTransaction tx, ReadView view, boolean withReaders) {
    this.tx = tx;
    this.view = view;
    this.past = view;
    this.withReaders = withReaders;
  }

  /** The vertex of an id in the view. */
  VertexRecord vertexById(String id) {
    VertexRecord vertex = tx.verticesById(List.of(id), view).get(0);
    if (vertex == null) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "Nothing with the id '"
              + id
              + "' at "
              + Stamp.format(view.validAt())
              + "; expected the id of a vertex, for a file"
              + " its absolute path");
    }
    vertices.put(vertex.key(), vertex);
    return vertex;
  }

  /** A vertex that was met at the end of an edge. */
  VertexRecord vertex(long key) {
    loadVertices(List.of(key));
    VertexRecord vertex = vertices.get(key);
    if (vertex == null) {
      throw GraphMetaException.internal(
          "An edge of the view leads to vertex key " + key + ", which is not in the view");
    }
    return vertex;
  }

  void loadVertices(Collection<Long> keys) {
    long[] missing =
        keys.stream()
            .mapToLong(Long::longValue)
            .filter(key -> !vertices.containsKey(key))
            .distinct()
            .toArray();
    if (missing.length > 0) {
      keep(missing, view);
      long[] dropped = absent(boxed(missing), vertices);
      if (dropped.length > 0 && !past.equals(view)) {
        keep(dropped, past);
      }
    }
  }

  private void keep(long[] keys, ReadView from) {
    for (VertexRecord vertex : tx.vertices(keys, from)) {
      if (vertex != null) {
        vertices.put(vertex.key(), vertex);
        if (!from.equals(view)) {
          seenAt.put(vertex.key(), from.validAt());
        }
      }
    }
  }

  /** The valid stamp of the view in which a vertex was read: an earlier one if it was dropped. */
  long seenAtStamp(long key) {
    return seenAt.getOrDefault(key, view.validAt());
  }

  /** Reads what is known on files; those known already are not read again. */
  void loadFiles(Collection<Long> keys) {
    long[] missing = absent(keys, files);
    if (missing.length == 0) {
      return;
    }
    for (long key : missing) {
      files.put(key, new FileCard());
    }
    readFiles(missing, view);
    if (!past.equals(view)) {
      long[] dropped = droppedOf(missing);
      if (dropped.length > 0) {
        readFiles(dropped, past);
        for (long key : dropped) {
          card(key).dropped = true;
        }
      }
    }
    for (long key : missing) {
      card(key).writes.sort(RecordRules.NEWEST_FIRST);
    }
    loadVertices(boxed(missing));
    tellRedirections(missing);
  }

  /** A shell that opened a file for what its programs print says so on an edge of its job. */
  private void tellRedirections(long[] keys) {
    List<FileCard> redirected =
        Arrays.stream(keys)
            .mapToObj(this::card)
            .filter(card -> !card.redirectingJobs.isEmpty())
            .toList();
    loadVertices(
        redirected.stream()
            .flatMap(card -> card.writes.stream())
            .filter(RecordRules::mayBeRedirection)
            .map(Access::process)
            .toList());
    for (FileCard card : redirected) {
      card.writes.replaceAll(
          write ->
              RecordRules.mayBeRedirection(write)
                      && RecordRules.isShell(RecordedValues.executableName(vertex(write.process())))
                  ? write.as(Evidence.REDIRECTED)
                  : write);
    }
  }

  private long[] droppedOf(long[] keys) {
    List<@Nullable VertexRecord> now = tx.vertices(keys, view);
    return IntStream.range(0, keys.length)
        .filter(i -> now.get(i) == null)
        .mapToLong(i -> keys[i])
        .toArray();
  }

  private void readFiles(long[] keys, ReadView from) {
    expand(keys, Direction.IN, withReaders ? ALL_INTO_FILE : WRITES, from, this::intoFile);
    expand(
        keys,
        Direction.OUT,
        Set.of(Vocabulary.RENAMED_FROM),
        from,
        (file, other, edge) -> card(file).renamesHere.add(Rename.of(file, other, edge)));
  }

  private void intoFile(long file, long other, EdgeRecord edge) {
    FileCard card = card(file);
    switch (edge.label()) {
      case Vocabulary.WROTE -> card.writes.add(RecordedValues.access(edge));
      case Vocabulary.READ -> card.reads.add(RecordedValues.access(edge));
      case Vocabulary.DELETED -> card.deletions.add(RecordedValues.access(edge));
      case Vocabulary.REDIRECTED -> card.redirectingJobs.add(other);
      case Vocabulary.STORED_IN -> card.executables.add(other);
      default -> card.renamesAway.add(Rename.of(other, file, edge));
    }
  }

  /** What is known on a file that was loaded. */
  FileCard file(long key) {
    return card(key);
  }

  private FileCard card(long key) {
    FileCard card = files.get(key);
    if (card == null) {
      throw GraphMetaException.internal("File " + key + " is asked for before it is loaded");
    }
    return card;
  }

  /** Reads the programs of processes; those known already are not read again. */
  void loadPrograms(Collection<Long> processes) {
    long[] missing = absent(processes, programOfProcess);
    if (missing.length == 0) {
      return;
    }
    Map<Long, List<Long>> containers = new HashMap<>();
    expand(
        missing,
        Direction.IN,
        Set.of(Vocabulary.CONTAINS),
        (process, other, edge) ->
            containers.computeIfAbsent(process, key -> new ArrayList<>()).add(other));
    loadVertices(boxed(missing));
    loadVertices(containers.values().stream().flatMap(List::stream).toList());
    Map<Long, Program> programs = new HashMap<>();
    Set<Long> parents = new LinkedHashSet<>();
    for (long process : missing) {
      for (long container : containers.getOrDefault(process, List.of())) {
        if (vertex(container).label().equals(Vocabulary.PROCESS)) {
          parents.add(container);
        }
      }
    }
    Set<Long> heads = new LinkedHashSet<>(parents);
    for (long process : missing) {
      if (containers.getOrDefault(process, List.of()).stream().noneMatch(parents::contains)) {
        heads.add(process);
      }
    }
    heads.removeIf(programOfProcess::containsKey);
    for (long head : heads) {
      Program program = new Program(head);
      program.members.add(head);
      programs.put(head, program);
      programOfProcess.put(head, program);
    }
    expand(
        longs(heads),
        Direction.OUT,
        Set.of(Vocabulary.CONTAINS),
        (head, rank, edge) -> {
          Program program = program(head);
          program.members.add(rank);
          programOfProcess.put(rank, program);
        });
    loadJobs(heads);
    loadAccesses(programs.values());
  }

  private void loadJobs(Set<Long> heads) {
    Map<Long, List<Long>> containers = new HashMap<>();
    expand(
        longs(heads),
        Direction.IN,
        Set.of(Vocabulary.CONTAINS),
        (head, other, edge) ->
            containers.computeIfAbsent(head, key -> new ArrayList<>()).add(other));
    loadVertices(containers.values().stream().flatMap(List::stream).toList());
    containers.forEach(
        (head, all) -> {
          for (long container : all) {
            if (vertex(container).label().equals(Vocabulary.JOB)) {
              program(head).jobs.add(container);
            }
          }
        });
    loadVertices(heads);
    for (long head : heads) {
      VertexRecord vertex = vertex(head);
      Program program = program(head);
      program.startMicros = RecordedValues.micros(vertex.value(Vocabulary.START));
      program.endMicros = RecordedValues.micros(vertex.value(Vocabulary.END));
      program.earlyMicros = RecordedValues.earlyMicros(vertex.value(Vocabulary.EARLY_MILLIS));
    }
    loadUsers(containers.values().stream().flatMap(List::stream).toList());
  }

  private void loadUsers(Collection<Long> jobs) {
    long[] missing = absent(jobs, usersOfJob);
    for (long job : missing) {
      usersOfJob.put(job, new ArrayList<>());
    }
    List<Long> users = new ArrayList<>();
    expand(
        missing,
        Direction.IN,
        Set.of(Vocabulary.RAN),
        (job, user, edge) -> {
          listOf(usersOfJob, job).add(user);
          users.add(user);
        });
    loadVertices(users);
  }

  private void loadAccesses(Collection<Program> programs) {
    long[] members =
        programs.stream()
            .flatMap(program -> program.members.stream())
            .mapToLong(Long::longValue)
            .toArray();
    Set<String> labels =
        withReaders
            ? Set.of(Vocabulary.WROTE, Vocabulary.EXE)
            : Set.of(Vocabulary.READ, Vocabulary.EXE);
    Set<EdgeKey> seen = new HashSet<>();
    EdgeSink sink =
        (process, other, edge) -> {
          Program program = program(process);
          if (!seen.add(edge.key())) {
            return;
          }
          switch (edge.label()) {
            case Vocabulary.READ -> program.reads.add(RecordedValues.access(edge));
            case Vocabulary.WROTE -> program.writes.add(RecordedValues.access(edge));
            default -> program.executables.add(other);
          }
        };
    expand(members, Direction.OUT, labels, view, sink);
    past = whenEnded(programs);
    if (!past.equals(view)) {
      expand(members, Direction.OUT, labels, past, sink);
    }
    loadVertices(programs.stream().flatMap(program -> program.executables.stream()).toList());
    if (!withReaders) {
      loadFilesOfExecutables(
          programs.stream().flatMap(program -> program.executables.stream()).toList());
    }
  }

  /**
   * The view as of the time when all of the programs had ended; the view itself if one has no end.
   */
  private ReadView whenEnded(Collection<Program> programs) {
    long last = 0;
    for (Program program : programs) {
      if (program.endMicros == 0) {
        return view;
      }
      last = Math.max(last, program.endMicros + program.earlyMicros + RecordRules.LATE_MICROS);
    }
    long ended = programs.isEmpty() ? Stamp.MAX : Stamp.endOfMicros(last);
    return ended < view.validAt() ? new ReadView(ended, view.knownAt()) : view;
  }

  private void loadFilesOfExecutables(Collection<Long> executables) {
    long[] missing = absent(executables, filesOfExecutable);
    for (long executable : missing) {
      filesOfExecutable.put(executable, new ArrayList<>());
    }
    expand(
        missing,
        Direction.OUT,
        Set.of(Vocabulary.STORED_IN),
        (executable, file, edge) -> listOf(filesOfExecutable, executable).add(file));
  }

  /** The program of a process that was loaded. */
  Program program(long process) {
    Program program = programOfProcess.get(process);
    if (program == null) {
      throw GraphMetaException.internal("Process " + process + " is asked for before it is loaded");
    }
    return program;
  }

  /** The files that an executable is stored in; of a loaded program. */
  List<Long> filesOfExecutable(long executable) {
    return filesOfExecutable.getOrDefault(executable, List.of());
  }

  /** Who ran a job; of a loaded program. */
  List<Long> usersOfJob(long job) {
    return usersOfJob.getOrDefault(job, List.of());
  }

  /** Reads the processes of jobs, with their programs. */
  void loadProcessesOfJobs(Collection<Long> jobs) {
    loadNeighbours(jobs, Direction.OUT, Vocabulary.CONTAINS, processesOfJob);
    loadPrograms(jobs.stream().flatMap(job -> processesOfJob(job).stream()).toList());
  }

  List<Long> processesOfJob(long job) {
    return processesOfJob.getOrDefault(job, List.of());
  }

  /** Reads the files that shells of jobs opened for what their programs print. */
  void loadRedirectionsOfJobs(Collection<Long> jobs) {
    loadNeighbours(jobs, Direction.OUT, Vocabulary.REDIRECTED, redirectionsOfJob);
  }

  List<Long> redirectionsOfJob(long job) {
    return redirectionsOfJob.getOrDefault(job, List.of());
  }

  /** Reads which processes ran executables. */
  void loadRunsOfExecutables(Collection<Long> executables) {
    long[] missing = absent(executables, runsOfExecutable);
    for (long executable : missing) {
      runsOfExecutable.put(executable, new ArrayList<>());
    }
    expand(
        missing,
        Direction.IN,
        Set.of(Vocabulary.EXE),
        (executable, process, edge) -> {
          long early = RecordedValues.earlyMicros(edge.value(Vocabulary.EARLY_MILLIS));
          runsOfExecutable(executable)
              .add(new Run(process, Stamp.micros(edge.validStamp()), early));
        });
  }

  List<Run> runsOfExecutable(long executable) {
    return runsOfExecutable.getOrDefault(executable, List.of());
  }

  private void loadNeighbours(
      Collection<Long> keys, Direction direction, String label, Map<Long, List<Long>> into) {
    long[] missing = absent(keys, into);
    for (long key : missing) {
      into.put(key, new ArrayList<>());
    }
    expand(missing, direction, Set.of(label), (key, other, edge) -> listOf(into, key).add(other));
  }

  /** Takes one edge of an expansion. */
  private interface EdgeSink {
    void edge(long vertex, long other, EdgeRecord edge);
  }

  private void expand(long[] frontier, Direction direction, Set<String> labels, EdgeSink sink) {
    expand(frontier, direction, labels, view, sink);
  }

  private void expand(
      long[] frontier, Direction direction, Set<String> labels, ReadView from, EdgeSink sink) {
    if (frontier.length == 0) {
      return;
    }
    try (AdjacencyCursor cursor =
        tx.expand(new Expansion(frontier, direction, labels, true), from)) {
      while (cursor.next()) {
        sink.edge(frontier[cursor.frontierIndex()], cursor.otherVertex(), cursor.edge());
      }
    }
  }

  private static long[] absent(Collection<Long> keys, Map<Long, ?> known) {
    return keys.stream()
        .mapToLong(Long::longValue)
        .filter(key -> !known.containsKey(key))
        .distinct()
        .toArray();
  }

  private static List<Long> listOf(Map<Long, List<Long>> lists, long key) {
    return lists.computeIfAbsent(key, unused -> new ArrayList<>());
  }

  private static long[] longs(Collection<Long> keys) {
    return keys.stream().mapToLong(Long::longValue).toArray();
  }

  private static List<Long> boxed(long[] keys) {
    return Arrays.stream(keys).boxed().toList();
  }
}
