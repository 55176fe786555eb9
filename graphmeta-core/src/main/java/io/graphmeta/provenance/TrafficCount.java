package io.graphmeta.provenance;

import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Adds up who read and wrote how much. Used once, by the thread of the transaction.
 *
 * <h2>What is held in memory</h2>
 *
 * <p>A few numbers for each process of the time in question, and for each group one sum. How many
 * different files a group used is a set of them; so the processes are gone through group after
 * group, and only the set of one group exists at a time. Where the groups are files themselves the
 * processes are gone through job after job, so that a job or program which comes again is the one
 * that came last, and needs no set either. Room for all of it is asked of the heap.
 *
 * <h2>Which processes are looked at</h2>
 *
 * <p>An access counts if it began within the time. Processes that began after it are left out, and
 * those whose recorded end lies so far before it that no access of theirs can be in it, however
 * early or late their times were recorded ({@link RecordRules}).
 */
final class TrafficCount {
  private static final int BATCH = 1_000;
  private static final long ACTOR_BYTES = 64;
  private static final long SUM_BYTES = 160;
  private static final long NONE = 0;
  private static final Set<String> ACCESSES = Set.of(Vocabulary.READ, Vocabulary.WROTE);

  private final GraphTransaction tx;
  private final ReadView view;
  private final Traffic.By by;
  private final long fromMicros;
  private final long toMicros;
  private final Map<Long, Sum> sums = new HashMap<>();
  private final Map<Long, Long> groupOfJob = new HashMap<>();
  private final List<String> projects = new ArrayList<>();
  private final Map<String, Long> projectNumbers = new HashMap<>();

  /** A process: what it belongs to, by the keys of vertices; {@link #NONE} where none is known. */
  private record Actor(long process, long program, long job, long group) {}

  private static final class Sum {
    long bytesRead;
    long bytesWritten;
    long operations;
    long files;
    long processes;
    long jobs;
    private long lastProgram = -1;
    private long lastJob = -1;

    void add(Actor actor, EdgeRecord edge) {
      long bytes = Math.max(0, RecordedValues.number(edge.value(Vocabulary.BYTES)));
      if (edge.label().equals(Vocabulary.READ)) {
        bytesRead = Traffic.plus(bytesRead, bytes);
      } else {
        bytesWritten = Traffic.plus(bytesWritten, bytes);
      }
      long calls = Math.max(0, RecordedValues.number(edge.value(Vocabulary.OPERATIONS)));
      operations = Traffic.plus(operations, calls);
      if (actor.program() != lastProgram) {
        processes++;
        lastProgram = actor.program();
      }
      if (actor.job() != NONE && actor.job() != lastJob) {
        jobs++;
        lastJob = actor.job();
      }
    }

    Traffic as(String id, String name) {
      return new Traffic(id, name, bytesRead, bytesWritten, operations, files, processes, jobs);
    }
  }

  TrafficCount(GraphTransaction tx, ReadView view, Traffic.By by, long fromMicros, long toMicros) {
    this.tx = tx;
    this.view = view;
    this.by = by;
    this.fromMicros = fromMicros;
    this.toMicros = toMicros;
  }

  /** Those with the most of something, the most first; equal ones by id. */
  List<Traffic> most(Traffic.Order order, int limit) {
    List<Actor> actors = actors();
    actors.sort(
        Comparator.comparingLong(Actor::group)
            .thenComparingLong(Actor::job)
            .thenComparingLong(Actor::program));
    addUp(actors);
    return named(order, limit);
  }

  private List<Actor> actors() {
    List<Actor> actors = new ArrayList<>();
    try (var processes = tx.scanVertices(Set.of(Vocabulary.PROCESS), view)) {
      List<Long> batch = new ArrayList<>();
      for (VertexRecord process = processes.next(); process != null; process = processes.next()) {
        if (mayHaveAccesses(process)) {
          batch.add(process.key());
        }
        if (batch.size() == BATCH) {
          addActors(batch, actors);
          batch.clear();
        }
      }
      addActors(batch, actors);
    }
    return actors;
  }

  private boolean mayHaveAccesses(VertexRecord process) {
    long end = RecordedValues.micros(process.value(Vocabulary.END));
    long early = RecordedValues.earlyMicros(process.value(Vocabulary.EARLY_MILLIS));
    return Stamp.micros(process.validStamp()) <= toMicros
        && (end == 0 || end + Math.max(0, early) + RecordRules.LATE_MICROS >= fromMicros);
  }

  private void addActors(List<Long> processes, List<Actor> actors) {
    HeapGauge.ofProcess().requireRoom(ACTOR_BYTES * processes.size(), "the processes to add up");
    Map<Long, Long> programs = new HashMap<>();
    for (long process : processes) {
      programs.put(process, process);
    }
    expand(
        processes,
        Direction.IN,
        Set.of(Vocabulary.CONTAINS),
        (process, container) -> {
          if (tx.vertexLabel(container).equals(Vocabulary.PROCESS)) {
            programs.put(process, container);
          }
        });
    Map<Long, Long> jobs = new HashMap<>();
    expand(
        programs.values(),
        Direction.IN,
        Set.of(Vocabulary.CONTAINS),
        (program, container) -> {
          if (tx.vertexLabel(container).equals(Vocabulary.JOB)) {
            jobs.merge(program, container, Math::min);
          }
        });
    Map<Long, Long> executables = new HashMap<>();
    if (by == Traffic.By.EXECUTABLE) {
      expand(
          programs.values(),
          Direction.OUT,
          Set.of(Vocabulary.EXE),
          (program, executable) -> executables.merge(program, executable, Math::min));
    } else {
      loadGroups(jobs.values());
    }
    for (long process : processes) {
      long program = programs.getOrDefault(process, process);
      long job = jobs.getOrDefault(program, NONE);
      long group =
          by == Traffic.By.EXECUTABLE
              ? executables.getOrDefault(program, NONE)
              : groupOfJob.getOrDefault(job, NONE);
      actors.add(new Actor(process, program, job, group));
    }
  }

  private void loadGroups(Iterable<Long> jobs) {
    List<Long> missing = new ArrayList<>();
    for (long job : jobs) {
      if (groupOfJob.putIfAbsent(job, NONE) == null) {
        missing.add(job);
      }
    }
    if (by == Traffic.By.USER) {
      expand(
          missing,
          Direction.IN,
          Set.of(Vocabulary.RAN),
          (job, user) ->
              groupOfJob.merge(job, user, (a, b) -> a == NONE ? b : Long.valueOf(Math.min(a, b))));
    } else if (by == Traffic.By.PROJECT) {
      for (VertexRecord job : tx.vertices(longs(missing), view)) {
        String account = job == null ? "" : RecordedValues.text(job.value(Vocabulary.ACCOUNT));
        if (job != null && !account.isEmpty()) {
          groupOfJob.put(job.key(), projectNumbers.computeIfAbsent(account, this::numberOf));
        }
      }
    }
  }

  private long numberOf(String project) {
    projects.add(project);
    return projects.size();
  }

  private void addUp(List<Actor> actors) {
    LongBulkMap files = new LongBulkMap(false, Integer.MAX_VALUE);
    Sum current = null;
    long group = -1;
    for (int from = 0; from < actors.size(); from += BATCH) {
      List<Actor> batch = actors.subList(from, Math.min(from + BATCH, actors.size()));
      int known = sums.size();
      long[] frontier = batch.stream().mapToLong(Actor::process).toArray();
      try (AdjacencyCursor edges =
          tx.expand(new Expansion(frontier, Direction.OUT, ACCESSES, true), view)) {
        while (edges.next()) {
          Actor actor = batch.get(edges.frontierIndex());
          long micros = Stamp.micros(edges.edge().validStamp());
          if (micros < fromMicros || micros > toMicros) {
            continue;
          }
          if (by == Traffic.By.FILE) {
            Sum sum = sums.computeIfAbsent(edges.otherVertex(), key -> new Sum());
            sum.files = 1;
            sum.add(actor, edges.edge());
          } else {
            if (current == null || actor.group() != group) {
              group = actor.group();
              current = sums.computeIfAbsent(group, key -> new Sum());
              files.clear();
            }
            current.add(actor, edges.edge());
            current.files += files.add(edges.otherVertex(), 1) ? 1 : 0;
          }
        }
      }
      HeapGauge.ofProcess().requireRoom(SUM_BYTES * (sums.size() - known), "the sums of files");
    }
  }

  private List<Traffic> named(Traffic.Order order, int limit) {
    Comparator<Map.Entry<Long, Sum>> least =
        Comparator.<Map.Entry<Long, Sum>>comparingLong(
                sum -> sum.getValue().as("", "").measure(order))
            .thenComparing(Map.Entry::getKey, Comparator.reverseOrder());
    PriorityQueue<Map.Entry<Long, Sum>> most = new PriorityQueue<>(least);
    for (Map.Entry<Long, Sum> sum : sums.entrySet()) {
      most.add(sum);
      if (most.size() > limit) {
        most.remove();
      }
    }
    Map<Long, VertexRecord> vertices = new HashMap<>();
    if (by != Traffic.By.PROJECT) {
      long[] keys = most.stream().mapToLong(Map.Entry::getKey).filter(key -> key != NONE).toArray();
      for (VertexRecord vertex : tx.vertices(keys, view)) {
        if (vertex != null) {
          vertices.put(vertex.key(), vertex);
        }
      }
    }
    List<Traffic> rows = new ArrayList<>();
    most.forEach(sum -> rows.add(named(sum.getKey(), sum.getValue(), vertices)));
    rows.sort(
        Comparator.<Traffic>comparingLong(row -> row.measure(order))
            .reversed()
            .thenComparing(Traffic::id));
    return rows;
  }

  private Traffic named(long key, Sum sum, Map<Long, VertexRecord> vertices) {
    if (key != NONE && by == Traffic.By.PROJECT) {
      String project = projects.get((int) key - 1);
      return sum.as(project, project);
    }
    VertexRecord vertex = vertices.get(key);
    if (vertex == null) {
      return sum.as("", "");
    }
    String name = RecordedValues.text(vertex.value(Vocabulary.NAME));
    return sum.as(vertex.id(), name.isEmpty() ? vertex.id() : name);
  }

  /** Takes the ends of one edge. */
  private interface EndsSink {
    void edge(long vertex, long other);
  }

  private void expand(Iterable<Long> keys, Direction direction, Set<String> labels, EndsSink sink) {
    long[] frontier = longs(keys);
    if (frontier.length == 0) {
      return;
    }
    try (AdjacencyCursor edges =
        tx.expand(new Expansion(frontier, direction, labels, false), view)) {
      while (edges.next()) {
        sink.edge(frontier[edges.frontierIndex()], edges.otherVertex());
      }
    }
  }

  private static long[] longs(Iterable<Long> keys) {
    List<Long> all = new ArrayList<>();
    keys.forEach(all::add);
    return all.stream().mapToLong(Long::longValue).distinct().toArray();
  }
}
