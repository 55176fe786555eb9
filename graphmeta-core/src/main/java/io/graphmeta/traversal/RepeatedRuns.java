package io.graphmeta.traversal;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The results of a plan that is run from its beginning again when a shard has lost the run, since
 * its process was started again, or the connection to it broke; or when replicas near here, on
 * which the first run may be, do not bring it to its end. All runs are at the same view, so what
 * they come to is the same; but not its order, so that none follows one that has returned a result.
 *
 * <p>A run that fails is ended at the shards at once: whoever meets an error may never close
 * anything, and what the shards keep would be held for nobody. Belongs to one thread.
 */
final class RepeatedRuns implements PlanCursor {
  /** A run that is lost so often is what the processes end of. */
  private static final int MOST_RUNS = 5;

  private final @Nullable Supplier<PlanCursor> nearby;
  private final Supplier<PlanCursor> begin;
  private int runs;
  private boolean returned;
  private boolean failed;
  private PlanCursor run;

  /**
   * Begins the first run.
   *
   * @param nearby begins the first run, where that is another: whatever ends it but its caller, one
   *     of the others follows; null if the first is as all are
   * @param begin begins a run
   */
  RepeatedRuns(@Nullable Supplier<PlanCursor> nearby, Supplier<PlanCursor> begin) {
    this.nearby = nearby;
    this.begin = begin;
    this.run = begin();
  }

  private PlanCursor begin() {
    while (true) {
      runs++;
      try {
        return nearby != null && runs == 1 ? nearby.get() : begin.get();
      } catch (GraphMetaException e) {
        requireAnother(e);
      }
    }
  }

  private void requireAnother(GraphMetaException e) {
    boolean endsOneRun =
        nearby != null && runs == 1 ? e.code() != ErrorCode.CANCELLED : e.code().endsOneRun();
    if (returned || runs >= MOST_RUNS || !endsOneRun) {
      throw e;
    }
  }

  @Override
  public boolean next() {
    if (failed) {
      throw new GraphMetaException(
          ErrorCode.CLOSED, "The traversal failed before and was ended; run it again");
    }
    failed = true;
    try {
      boolean any = nextOfAnyRun();
      failed = false;
      return any;
    } finally {
      if (failed) {
        run.close();
      }
    }
  }

  private boolean nextOfAnyRun() {
    while (true) {
      try {
        boolean any = run.next();
        returned |= any;
        return any;
      } catch (GraphMetaException e) {
        requireAnother(e);
        run.close();
        run = begin();
      }
    }
  }

  @Override
  public long bulk() {
    return run.bulk();
  }

  @Override
  public long vertex() {
    return run.vertex();
  }

  @Override
  public @Nullable VertexRecord vertexRecord() {
    return run.vertexRecord();
  }

  @Override
  public EdgeKey edge() {
    return run.edge();
  }

  @Override
  public Object value(int column) {
    return run.value(column);
  }

  @Override
  public List<Object> path(int from) {
    return run.path(from);
  }

  @Override
  public int pathShared() {
    return run.pathShared();
  }

  @Override
  public TraversalProfile profile() {
    return run.profile();
  }

  @Override
  public void close() {
    run.close();
  }
}
