package io.graphmeta.traversal;

import io.graphmeta.protocol.PathOperation;
import io.graphmeta.protocol.PathSteps;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What shards have answered of where elements lead, so that an element that ends many paths is
 * asked for once. It forgets everything when it has grown too large. Belongs to one thread.
 */
final class PathMemo {
  private static final long MAX_SIZE = 1 << 22;

  private final Map<Integer, Map<Object, Answer>> byPosition = new HashMap<>();
  private final Map<Integer, PathSteps.Stop> stops = new HashMap<>();
  private long size;

  /** The spans of one answer by the element that they say something of. */
  private static final class Spans {
    final PathSteps steps;
    final int[] first;
    final int[] next;
    final int[] start;

    Spans(PathSteps steps, int elements) {
      this.steps = steps;
      this.first = new int[elements];
      this.next = new int[steps.sources().length];
      this.start = new int[steps.sources().length];
      Arrays.fill(first, -1);
      Map<Integer, Boolean> edges = new HashMap<>();
      steps.stops().forEach(stop -> edges.put(stop.position(), stop.edges()));
      int vertexAt = 0;
      int edgeAt = 0;
      for (int span = 0; span < next.length; span++) {
        int count = steps.counts()[span];
        if (edges.getOrDefault(steps.positions()[span], false)) {
          start[span] = edgeAt;
          edgeAt += count;
        } else {
          start[span] = vertexAt;
          vertexAt += count;
        }
        next[span] = first[steps.sources()[span]];
        first[steps.sources()[span]] = span;
      }
    }
  }

  /** What is known of an element; {@code more} is what another message said of it before. */
  private record Answer(Spans spans, int index, @Nullable Answer more) {}

  /** Receives where an element leads. */
  interface Visitor {
    /** Paths go on as they are. */
    void stays(int position);

    /** Vertices or edges follow, which stand in the answer from {@code start} on. */
    void follow(int position, PathSteps steps, int start, int count);
  }

  /** Whether an element is to be asked for. */
  boolean isUnknown(int position, Object element) {
    Map<Object, Answer> known = byPosition.get(position);
    return known == null || !known.containsKey(element);
  }

  /** Forgets all answers, if they are many. To be called when none is needed any more. */
  void trim() {
    if (size > MAX_SIZE) {
      byPosition.clear();
      size = 0;
    }
  }

  /** Keeps an answer about elements, which says of the first only what no answer before it said. */
  void add(int position, List<Object> elements, int from, PathSteps steps) {
    Spans spans = new Spans(steps, elements.size());
    steps.stops().forEach(stop -> stops.put(stop.position(), stop));
    int to = steps.nextIndex() < 0 ? elements.size() : steps.nextIndex();
    boolean partOfNext = steps.skip() > 0;
    Map<Object, Answer> known = byPosition.computeIfAbsent(position, any -> new HashMap<>());
    for (int i = from; i < to || partOfNext && i == to; i++) {
      int index = i;
      known.compute(elements.get(i), (element, before) -> new Answer(spans, index, before));
    }
    size += spans.next.length * 4L + steps.vertices().length + steps.edges().size() * 4L;
    size += (to - from) * 8L;
  }

  /** Says where an element leads, which is known. */
  void visit(int position, Object element, Visitor visitor) {
    Map<Object, Answer> known = byPosition.getOrDefault(position, Map.of());
    for (Answer answer = known.get(element); answer != null; answer = answer.more()) {
      Spans spans = answer.spans();
      for (int span = spans.first[answer.index()]; span >= 0; span = spans.next[span]) {
        int count = spans.steps.counts()[span];
        if (count == 0) {
          visitor.stays(spans.steps.positions()[span]);
        } else {
          visitor.follow(spans.steps.positions()[span], spans.steps, spans.start[span], count);
        }
      }
    }
  }

  /** Whether elements at a position are edges. */
  boolean isOfEdges(int position) {
    PathSteps.Stop stop = stops.get(position);
    return stop != null && stop.edges();
  }

  /** What the client does at a position. */
  List<PathOperation> operations(int position) {
    PathSteps.Stop stop = stops.get(position);
    return stop == null ? List.of() : stop.operations();
  }
}
