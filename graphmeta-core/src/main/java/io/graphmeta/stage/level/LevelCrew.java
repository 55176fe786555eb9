package io.graphmeta.stage.level;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take part in the large operations of a level. Each has a member of its own; what the
 * members come to is kept apart until all are done, and is then added to the member of the thread
 * that runs the level. Belongs to that thread.
 *
 * @param <M> the members
 */
public final class LevelCrew<M extends LevelCrew.Member<M>> implements AutoCloseable {
  /** Portions of the smallest batch that is shared. */
  private static final int PORTIONS = 16;

  private final M own;
  private final Threads threads;
  private final List<M> others = new ArrayList<>();

  LevelCrew(M own, Threads threads) {
    this.own = own;
    this.threads = threads;
  }

  /**
   * Threads that traversals may take.
   *
   * @param executor refuses work when none of its threads is free; null for no threads
   * @param most how many may take part in one operation, beside the thread that runs it
   * @param leastShared the least number of elements that are shared
   */
  public record Threads(@Nullable Executor executor, int most, int leastShared) {
    /** No threads. */
    public static final Threads NONE = new Threads(null, 0, Integer.MAX_VALUE);
  }

  /** What is done with a portion of a batch, by one thread with what is its own. */
  @FunctionalInterface
  interface Portion<M> {
    void run(M by, int from, int to);
  }

  /** What one thread takes part with. */
  interface Member<M> extends AutoCloseable {
    /** A member for another thread. */
    M another();

    /** Takes over what another member has come to. */
    void takeAll(M other);

    @Override
    void close();
  }

  /** Whether so many elements are worth the waking of a thread. */
  boolean shares(int size) {
    return threads.executor() != null && threads.most() > 0 && size >= threads.leastShared();
  }

  /** Runs an operation on a batch of a size that {@link #shares}. */
  void share(int size, Portion<M> portion) {
    int length = Math.max(1, threads.leastShared() / PORTIONS);
    int wanted = Math.min(threads.most(), (size - 1) / length);
    while (others.size() < wanted) {
      others.add(own.another());
    }
    List<SharedRange.Worker> workers = new ArrayList<>();
    for (M other : others.subList(0, wanted)) {
      workers.add((from, to) -> portion.run(other, from, to));
    }
    Executor executor = threads.executor();
    if (executor != null) {
      new SharedRange(size, length)
          .share((from, to) -> portion.run(own, from, to), workers, executor);
    }
    others.forEach(own::takeAll);
  }

  /** The members of the other threads. */
  List<M> others() {
    return others;
  }

  @Override
  public void close() {
    others.forEach(Member::close);
  }
}
