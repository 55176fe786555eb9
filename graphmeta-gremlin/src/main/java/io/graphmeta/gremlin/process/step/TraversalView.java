package io.graphmeta.gremlin.process.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.model.ReadView;
import org.jspecify.annotations.Nullable;

/**
 * The view that all steps of one traversal share, children included. A view of the past is resolved
 * when the first step reads, and stays the same from then on. Safe for use by many threads.
 */
public final class TraversalView {
  /** The present: the snapshot of the transaction in which a step reads. */
  public static final TraversalView PRESENT = new TraversalView(null, null);

  private final @Nullable Long validAt;
  private final @Nullable Long knownAt;

  @GuardedBy("this")
  private @Nullable ReadView resolved;

  private TraversalView(@Nullable Long validAt, @Nullable Long knownAt) {
    this.validAt = validAt;
    this.knownAt = knownAt;
  }

  /** The past at one or two times, given as stamps; the present if both are null. */
  public static TraversalView at(@Nullable Long validAt, @Nullable Long knownAt) {
    return validAt == null && knownAt == null ? PRESENT : new TraversalView(validAt, knownAt);
  }

  /** True for a view of the past, through which nothing can be written. */
  public boolean isPast() {
    return this != PRESENT;
  }

  /** The view to read under; null for the present. */
  public @Nullable ReadView resolve(ElementReader reader) {
    if (!isPast()) {
      return null;
    }
    synchronized (this) {
      ReadView view = resolved;
      if (view == null) {
        view = reader.pastView(validAt, knownAt);
        resolved = view;
      }
      return view;
    }
  }
}
