package io.graphmeta.gremlin.process.step;

import io.graphmeta.plan.Condition;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which elements to start from.
 *
 * @param ids ids as users give them, elements too; null for all elements
 * @param labels labels, one of which the element has; null for any
 * @param where what the caller lets through of them: others may be left out
 * @param detached whether all is read before the first element is handed out, so that writes may
 *     follow
 */
public record ElementSelection(
    @Nullable Object @Nullable [] ids,
    @Nullable Set<String> labels,
    @Nullable Condition where,
    boolean detached) {

  /** Elements by id; all elements if there is none. */
  public static ElementSelection of(@Nullable Object... ids) {
    return new ElementSelection(ids.length == 0 ? null : ids, null, null, false);
  }
}
