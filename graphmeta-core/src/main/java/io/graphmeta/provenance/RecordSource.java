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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private static final Set<String> ALL_BUT_READS =
      Set.of(
          Vocabulary.WROTE,
          Vocabulary.DELETED,
          Vocabulary.REDIRECTED,
          Vocabulary.STORED_IN,
          Vocabulary.RENAMED_FROM);

  /** Edges that are read before the time is looked at again. */
  private static final int EDGES_BETWEEN_LOOKS = 256;

  private final GraphTransaction tx;
  private final ReadView view;
  private final boolean withReaders;
  private final SearchTime time;
  private ReadView past;
  private boolean cut;
  private final Map<Long, VertexRecord> vertices = new HashMap<>();
  private final Map<Long, Long> seenAt = new HashMap<>();

  /** Of vertices that edges lead to in a view of the past alone: the latest such view. */
  private final Map<Long, ReadView> pastOf = new HashMap<>();

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
    this(tx, view, withReaders, SearchTime.UNLIMITED);
  }

  /**
   * A source for a search that has to end. Of what can be left out without making the rest wrong,
   * which is who read a file, what a program read, who ran an executable and what a job consists
   * of, it reads for half of the time that is left.
   */
  RecordSource(GraphTransaction tx, ReadView view, boolean withReaders, SearchTime time) {
    this.tx = tx;
    this.time = time;
    this.view = view;
    this.past = view;
    this.withReaders = withReaders;
  }

  /** Whether something was left out for want of time. */
  boolean isCut() {
    return cut;
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
      byPast(absent(boxed(missing), vertices)).forEach((then, some) -> keep(longs(some), then));
    }
  }

  /** Vertices that are not in the view, by the views in which they were. */
  private Map<ReadView, List<Long>> byPast(long[] dropped) {
    Map<ReadView, List<Long>> byPast = new LinkedHashMap<>();
    for (long key : dropped) {
      ReadView then = pastOf.getOrDefault(key, past);
      if (!then.equals(view)) {
        byPast.computeIfAbsent(then, each -> new ArrayList<>()).add(key);
      }
    }
    return byPast;
  }

  /** Notes that an edge leads to a vertex in a view that is perhaps not the one of the search. */
  private void seen(long key, ReadView in) {
    if (!in.equals(view)) {
      pastOf.merge(key, in, (one, other) -> one.validAt() < other.validAt() ? other : one);
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

  /**
   * Reads what is known on files. Those known already are not read again, but for dropped ones that
   * a program met later than they were read: more can have happened to them by then.
   */
  void loadFiles(Collection<Long> wanted) {
    long[] missing =
        wanted.stream()
            .mapToLong(Long::longValue)
            .filter(key -> !isKnown(files.get(key), pastOf.get(key)))
            .distinct()
            .toArray();
    if (missing.length == 0) {
      return;
    }
    for (long key : missing) {
      files.put(key, new FileCard());
    }
    readFiles(missing, view);
    loadVertices(boxed(missing));
    long[] dropped = Arrays.stream(missing).filter(seenAt::containsKey).toArray();
    byPast(dropped)
        .forEach(
            (then, keys) -> {
              readFiles(longs(keys), then);
              for (long key : keys) {
                card(key).droppedAfterStamp = then.validAt();
              }
            });
    for (long key : missing) {
      card(key).writes.sort(RecordRules.NEWEST_FIRST);
    }
    tellRedirections(missing);
  }

  private static boolean isKnown(@Nullable FileCard card, @Nullable ReadView then) {
    return card != null
        && (then == null || !card.isDropped() || card.droppedAfterStamp >= then.validAt());
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

  private void readFiles(long[] keys, ReadView from) {
    EdgeSink sink =
        (file, other, edge) -> {
          seen(other, from);
          intoFile(file, other, edge);
        };
    expand(keys, Direction.IN, withReaders ? ALL_BUT_READS : WRITES, from, sink);
    expand(
        keys,
        Direction.OUT,
        Set.of(Vocabulary.RENAMED_FROM),
        from,
        (file, other, edge) -> {
          seen(other, from);
          card(file).renamesHere.add(Rename.of(file, other, edge));
        });
    if (withReaders && !expandInTime(keys, Direction.IN, Set.of(Vocabulary.READ), from, sink)) {
      for (long key : keys) {
        card(key).readsCut = true;
      }
    }
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
    for (long process : missing) {
      containers.put(process, new ArrayList<>());
    }
    expand(
        missing,
        Direction.IN,
        Set.of(Vocabulary.CONTAINS),
        (process, other, edge) -> listOf(containers, process).add(other));
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
    loadJobs(heads, containers);
    loadAccesses(programs.values());
  }

  /**
   * @param known what contains processes, of those that were asked already; the rest is added
   */
  private void loadJobs(Set<Long> heads, Map<Long, List<Long>> known) {
    Map<Long, List<Long>> containers = new HashMap<>();
    heads.forEach(head -> containers.put(head, known.getOrDefault(head, new ArrayList<>())));
    expand(
        heads.stream().filter(head -> !known.containsKey(head)).mapToLong(each -> each).toArray(),
        Direction.IN,
        Set.of(Vocabulary.CONTAINS),
        (head, other, edge) -> listOf(containers, head).add(other));
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
    past = whenEnded(programs);
    Set<EdgeKey> known = new HashSet<>();
    boolean whole = true;
    for (ReadView from : past.equals(view) ? List.of(view) : List.of(view, past)) {
      EdgeSink sink =
          (process, other, edge) -> {
            if (known.add(edge.key())) {
              seen(other, from);
              Program program = program(process);
              switch (edge.label()) {
                case Vocabulary.READ -> program.reads.add(RecordedValues.access(edge));
                case Vocabulary.WROTE -> program.writes.add(RecordedValues.access(edge));
                default -> program.executables.add(other);
              }
            }
          };
      if (withReaders) {
        Set<String> labels = Set.of(Vocabulary.WROTE, Vocabulary.EXE);
        expand(members, Direction.OUT, labels, from, sink);
      } else {
        expand(members, Direction.OUT, Set.of(Vocabulary.EXE), from, sink);
        whole &= expandInTime(members, Direction.OUT, Set.of(Vocabulary.READ), from, sink);
      }
    }
    if (!whole) {
      programs.forEach(program -> program.readsCut = true);
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

  /** Reads which processes belong to jobs. */
  void listProcessesOfJobs(Collection<Long> jobs) {
    loadNeighbours(jobs, Direction.OUT, Vocabulary.CONTAINS, processesOfJob);
  }

  /** Reads the processes of jobs, with their programs. */
  void loadProcessesOfJobs(Collection<Long> jobs) {
    listProcessesOfJobs(jobs);
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
    expandInTime(
        missing,
        Direction.IN,
        Set.of(Vocabulary.EXE),
        view,
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
    expandInTime(
        missing,
        direction,
        Set.of(label),
        view,
        (key, other, edge) -> listOf(into, key).add(other));
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
    expand(frontier, direction, labels, from, sink, SearchTime.UNLIMITED);
  }

  /** Reads edges of which some may be missing, for half of the time left; whether it read all. */
  private boolean expandInTime(
      long[] frontier, Direction direction, Set<String> labels, ReadView from, EdgeSink sink) {
    return expand(frontier, direction, labels, from, sink, time.half());
  }

  private boolean expand(
      long[] frontier,
      Direction direction,
      Set<String> labels,
      ReadView from,
      EdgeSink sink,
      SearchTime within) {
    if (frontier.length == 0) {
      return true;
    }
    try (AdjacencyCursor cursor =
        tx.expand(new Expansion(frontier, direction, labels, true), from)) {
      for (int edges = 1; cursor.next(); edges++) {
        if (edges % EDGES_BETWEEN_LOOKS == 0 && within.isOver()) {
          cut = true;
          return false;
        }
        sink.edge(frontier[cursor.frontierIndex()], cursor.otherVertex(), cursor.edge());
      }
    }
    return true;
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
