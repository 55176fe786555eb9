package io.graphmeta.provenance;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.List;

/**
 * Lineage over the default vocabulary, as one view of the graph sees it. Time is respected: a
 * program counts as resting on a file only in the versions that it can have met, so a file that is
 * overwritten later does not change the past. What the record does not tell is decided by {@link
 * RecordRules} and marked. Used by the thread of the transaction.
 */
public final class Provenance {
  private final GraphTransaction tx;
  private final ReadView view;
  private final LineageLimits limits;

  /** Lineage in a view, by default the transaction's snapshot. */
  public Provenance(GraphTransaction tx, ReadView view, LineageLimits limits) {
    this.tx = tx;
    this.view = view;
    this.limits = limits;
  }

  /**
   * What a file in its newest version, a process or a job rests on: writers, what they had read by
   * then, their executables, jobs and users, and so on.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if the view has no such vertex, {@code
   *     INVALID_ARGUMENT} if it is of a kind without lineage
   */
  public Lineage backward(String id) {
    return backward(id, Stamp.MAX);
  }

  /**
   * As {@link #backward(String)}, of a file from the version that was the newest at a time.
   *
   * @param atStamp the time that tells the version of a file
   */
  public Lineage backward(String id, long atStamp) {
    SearchTime time = limits.begin();
    RecordSource source = new RecordSource(tx, view, false, time);
    VertexRecord vertex = source.vertexById(id);
    BackwardSearch search = new BackwardSearch(source, limits, time);
    return switch (kind(vertex)) {
      case Vocabulary.PROCESS -> search.fromProcess(vertex.key());
      case Vocabulary.JOB -> search.fromJob(vertex.key());
      default -> search.fromFile(vertex.key(), Stamp.micros(atStamp));
    };
  }

  /**
   * What rests on a file in the version that was the newest at a time, on a process or on a job.
   *
   * @param atStamp the time that tells the version of a file; the effects are followed up to the
   *     view
   * @throws GraphMetaException {@code NOT_FOUND} if the view has no such vertex, {@code
   *     INVALID_ARGUMENT} if it is of a kind without lineage
   */
  public Lineage forward(String id, long atStamp) {
    SearchTime time = limits.begin();
    RecordSource source = new RecordSource(tx, view, true, time);
    VertexRecord vertex = source.vertexById(id);
    ForwardSearch search = new ForwardSearch(source, limits, time);
    return switch (kind(vertex)) {
      case Vocabulary.PROCESS -> search.fromProcess(vertex.key());
      case Vocabulary.JOB -> search.fromJob(vertex.key());
      default -> search.fromFile(vertex.key(), Stamp.micros(atStamp));
    };
  }

  /**
   * Who read and wrote most, of the accesses that began within a time: users, projects, executables
   * or files, in an order.
   *
   * @param fromMicros first moment, in microseconds since 1970
   * @param toMicros last moment
   * @param limit most in the answer
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if the heap has no room for the processes, or
   *     for the files of one group
   */
  public List<Traffic> traffic(
      Traffic.By by, Traffic.Order order, long fromMicros, long toMicros, int limit) {
    return new TrafficCount(tx, view, by, fromMicros, toMicros).most(order, limit);
  }

  /**
   * The versions of a file with who made them, its renames and deletions, oldest first.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if the view has no such vertex
   */
  public List<FileEvent> changes(String fileId) {
    return history(fileId, false).changes();
  }

  /**
   * Who read a file, when, and in which version, oldest first.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if the view has no such vertex
   */
  public List<FileEvent> reads(String fileId) {
    return history(fileId, true).reads();
  }

  /** A file can have a hundred thousand readers, of which its changes tell nothing. */
  private FileHistory history(String fileId, boolean withReaders) {
    RecordSource source = new RecordSource(tx, view, withReaders);
    VertexRecord vertex = source.vertexById(fileId);
    kind(vertex);
    return new FileHistory(source, vertex.key());
  }

  private static String kind(VertexRecord vertex) {
    return switch (vertex.label()) {
      case Vocabulary.USER, Vocabulary.EXECUTABLE, Vocabulary.DIRECTORY ->
          throw GraphMetaException.invalid(
              "'"
                  + vertex.id()
                  + "' is of label "
                  + vertex.label()
                  + ", which has no lineage of its own; expected a file, a"
                  + " process or a job");
      default -> vertex.label();
    };
  }
}
