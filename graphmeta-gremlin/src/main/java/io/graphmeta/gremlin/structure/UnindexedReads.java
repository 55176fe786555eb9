package io.graphmeta.gremlin.structure;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.LabelAccess;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of traversals that read all vertices or edges of a label where an index could name those
 * that they want, or refuses them. Safe for use by many threads.
 */
final class UnindexedReads {
  /** So many elements of a label are read by a traversal before it is told of. */
  static final int TOLD_FROM = 5_000;

  private static final Logger LOG = LoggerFactory.getLogger(UnindexedReads.class);

  /** The most commands that are told, and the most labels that are told of at once. */
  private static final int MOST_TOLD = 1_000;

  private static final int MOST_AT_ONCE = 3;

  private final GraphDatabase database;
  private final String manner;
  private final Consumer<String> log;

  /** The commands that were told, each once. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  UnindexedReads(GraphDatabase database) {
    this(database, LOG::warn);
  }

  /**
   * @param log takes what is told
   */
  UnindexedReads(GraphDatabase database, Consumer<String> log) {
    this.database = database;
    this.manner = database.config().get(Setting.SEARCH_UNINDEXED);
    this.log = log;
  }

  /**
   * Lets a read begin, or not.
   *
   * @param labels all labels if there is none
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if it is refused
   */
  void begin(ElementKind element, Collection<String> labels, Condition where) {
    if (!manner.equals("refuse")) {
      return;
    }
    List<String> scanned = new ArrayList<>();
    List<String> commands = new ArrayList<>();
    for (String label : withoutIndex(element, labels, where)) {
      List<String> ofLabel = database.indexes().commandsFor(element, label, where);
      if (!ofLabel.isEmpty()) {
        scanned.add(label);
        commands.addAll(ofLabel);
      }
      if (scanned.size() == MOST_AT_ONCE) {
        break;
      }
    }
    if (!scanned.isEmpty()) {
      throw GraphMetaException.invalid(
          "The traversal would read all "
              + noun(element)
              + " with label "
              + String.join(", ", scanned)
              + " to find some of them, which "
              + Setting.SEARCH_UNINDEXED.key()
              + " refuses; expected a condition that an index serves ("
              + (labels.isEmpty() ? "name the label with hasLabel(), and " : "")
              + "make the index: "
              + String.join("; ", commands)
              + ")");
    }
  }

  /** Begins a read and counts what it gives; null if nobody wants to know. */
  @Nullable Counting counting(ElementKind element, Collection<String> labels, Condition where) {
    begin(element, labels, where);
    return isTold() ? new Counting(element, List.copyOf(labels), where) : null;
  }

  /**
   * A plan has ended that began with all vertices or edges of some labels. It is told of labels
   * that have so many vertices; of edges, whose labels no scan tells apart, of the labels that were
   * named.
   *
   * @param elements how many it came to, and perhaps more
   */
  void end(ElementKind element, Collection<String> labels, Condition where, LongSupplier elements) {
    if (isTold()) {
      List<String> scanned = withoutIndex(element, labels, where);
      if (!scanned.isEmpty() && elements.getAsLong() >= TOLD_FROM) {
        boolean ofVertices = element == ElementKind.VERTEX;
        tell(
            element, ofVertices ? scanned.stream().filter(this::isLarge).toList() : scanned, where);
      }
    }
  }

  /** Whether a label has as many vertices now as are told of. */
  private boolean isLarge(String label) {
    GraphTransaction tx = database.begin();
    try (ElementCursor<VertexRecord> vertices = tx.scanVertices(Set.of(label), tx.snapshot())) {
      int count = 0;
      while (count < TOLD_FROM && vertices.next() != null) {
        count++;
      }
      return count == TOLD_FROM;
    } finally {
      tx.rollback();
    }
  }

  private boolean isTold() {
    return manner.equals("warn") && told.size() < MOST_TOLD;
  }

  /** Those of some labels of which no index is asked for a condition. */
  private List<String> withoutIndex(
      ElementKind element, Collection<String> labels, Condition where) {
    return database.indexes().access(element, labels, where).stream()
        .filter(each -> each.asked() == null)
        .map(LabelAccess::label)
        .toList();
  }

  private static String noun(ElementKind element) {
    return element == ElementKind.VERTEX ? "vertices" : "edges";
  }

  private void tell(ElementKind element, List<String> labels, Condition where) {
    List<String> commands =
        labels.stream()
            .limit(MOST_AT_ONCE)
            .flatMap(label -> database.indexes().commandsFor(element, label, where).stream())
            .filter(told::add)
            .toList();
    if (!commands.isEmpty()) {
      log.accept(
          "A traversal has read "
              + TOLD_FROM
              + " "
              + noun(element)
              + " and more with label "
              + String.join(", ", labels.subList(0, Math.min(labels.size(), MOST_AT_ONCE)))
              + " to find some of them, which an index could name: "
              + String.join("; ", commands)
              + " ("
              + Setting.SEARCH_UNINDEXED.key()
              + "=allow if it is to be so)");
    }
  }

  /** Counts the elements that a read gives, vertices of a label in a row. Belongs to one thread. */
  final class Counting {
    private final ElementKind element;
    private final List<String> labels;
    private final Condition where;
    private @Nullable String label;
    private int count;

    Counting(ElementKind element, List<String> labels, Condition where) {
      this.element = element;
      this.labels = labels;
      this.where = where;
    }

    void saw(String ofLabel) {
      boolean ofVertices = element == ElementKind.VERTEX;
      if (ofVertices && !ofLabel.equals(label)) {
        label = ofLabel;
        count = 0;
      }
      if (++count == TOLD_FROM && isTold()) {
        tell(element, ofVertices ? List.of(ofLabel) : withoutIndex(element, labels, where), where);
      }
    }
  }
}
