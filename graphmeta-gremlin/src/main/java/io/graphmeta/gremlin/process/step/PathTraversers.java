package io.graphmeta.gremlin.process.step;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * Makes traversers that have come along paths. Paths come in an order in which most begin as the
 * one before; what they have in common they share: each traverser is split from one that stands
 * where its path leaves the path before. None of those from which others are split is handed out.
 * Used by one thread.
 */
final class PathTraversers {
  private final Step<?, ?> step;
  private final PathLabels labels;
  private final Map<Integer, List<Step<?, ?>>> positionsByLength = new HashMap<>();

  /** The last path but for its end, and a traverser at each of its elements. */
  private final List<Element> elements = new ArrayList<>();

  private final List<Traverser.Admin<?>> traversers = new ArrayList<>();
  private int lastLength;

  /** For the paths that begin a traversal with a step. */
  PathTraversers(Step<?, ?> step, PathLabels labels) {
    this.step = step;
    this.labels = labels;
  }

  /** A traverser at the end of a path. */
  <E> Traverser.Admin<E> along(List<Element> path, long bulk) {
    int end = path.size() - 1;
    List<Step<?, ?>> positions =
        positionsByLength.computeIfAbsent(path.size(), this::labelledPositions);
    // The labels of an element depend on how long its path is.
    int same = path.size() == lastLength ? shared(path, end) : 0;
    lastLength = path.size();
    elements.subList(same, elements.size()).clear();
    traversers.subList(same, traversers.size()).clear();
    for (int i = same; i < end; i++) {
      elements.add(path.get(i));
      traversers.add(at(i, path.get(i), positions));
    }
    Traverser.Admin<E> last = at(end, path.get(end), positions);
    last.setBulk(bulk);
    return last;
  }

  private int shared(List<Element> path, int end) {
    int same = 0;
    while (same < end && path.get(same) == elements.get(same)) {
      same++;
    }
    return same;
  }

  @SuppressWarnings("unchecked")
  private <E> Traverser.Admin<E> at(int index, Element element, List<Step<?, ?>> positions) {
    Step<?, ?> position = positions.get(index);
    return (Traverser.Admin<E>)
        (index == 0
            ? first(element, position)
            : split(traversers.get(index - 1), element, position));
  }

  private List<Step<?, ?>> labelledPositions(int length) {
    List<Step<?, ?>> positions = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      positions.add(position(step.getTraversal(), labels.at(i, length)));
    }
    return positions;
  }

  private static Step<?, ?> position(Traversal.Admin<?, ?> traversal, Set<String> labels) {
    IdentityStep<?> position = new IdentityStep<>(traversal);
    labels.forEach(position::addLabel);
    return position;
  }

  /** A traverser that has come along a path of another traversal. */
  static <E> Traverser.Admin<E> along(Path path, Step<?, ?> step, long bulk) {
    Traverser.Admin<?> traverser =
        first(path.objects().get(0), position(step.getTraversal(), path.labels().get(0)));
    for (int i = 1; i < path.size(); i++) {
      Step<?, ?> position = position(step.getTraversal(), path.labels().get(i));
      traverser = split(traverser, path.objects().get(i), position);
    }
    traverser.setBulk(bulk);
    @SuppressWarnings("unchecked")
    Traverser.Admin<E> last = (Traverser.Admin<E>) traverser;
    return last;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Traverser.Admin<?> first(Object value, Step<?, ?> position) {
    return position.getTraversal().getTraverserGenerator().generate(value, (Step) position, 1);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Traverser.Admin<?> split(
      Traverser.Admin<?> traverser, Object value, Step<?, ?> position) {
    return traverser.split(value, (Step) position);
  }
}
