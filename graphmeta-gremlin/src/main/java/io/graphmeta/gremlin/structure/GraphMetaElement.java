package io.graphmeta.gremlin.structure;

import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/**
 * A reference to a vertex or an edge: its key, and what has been read of it so far. It reads
 * through the transaction of the thread that asks; one that was read under a view of the past stays
 * there and cannot be changed.
 *
 * <p>Safe to pass between threads: the fields that are filled in later hold immutable values, and
 * any thread that misses one reads it again.
 *
 * @param <R> the record of such an element
 */
abstract class GraphMetaElement<R> implements Element {
  final ElementGraph graph;
  final @Nullable ReadView view;
  private @Nullable Loaded<R> loaded;

  /**
   * @param view the view of the past under which the element is read; null for the present
   * @param loaded the record if it has been read
   */
  GraphMetaElement(ElementGraph graph, @Nullable ReadView view, @Nullable Loaded<R> loaded) {
    this.graph = graph;
    this.view = view;
    this.loaded = loaded;
  }

  /** Whether a transaction has written the element since a count of its writes. */
  abstract boolean isWritten(OpenTransaction running, long since);

  /** The record from the elements that were reached together with this one; null if unknown. */
  abstract @Nullable Loaded<R> readInBatch(OpenTransaction running);

  /** The record, read by itself; null if the view sees none. */
  abstract @Nullable R readAlone(OpenTransaction running);

  /** Takes what the element keeps of a record that has just been read; the batch is done with. */
  abstract void keep(@Nullable R read);

  abstract List<PropertyRecord> propertiesOf(R read);

  final @Nullable ReadView view() {
    return view;
  }

  /** The record as the view, or the transaction of this thread, sees it; null if it sees none. */
  final @Nullable R read() {
    Loaded<R> last = loaded;
    if (view != null && last != null) {
      return last.read();
    }
    OpenTransaction running = graph.running();
    if (last != null && isCurrent(last, running)) {
      return last.read();
    }
    Loaded<R> next = readInBatch(running);
    if (next == null || (view == null && !isCurrent(next, running))) {
      long readAt = running.writeCount();
      next = new Loaded<>(running, readAt, readAlone(running));
    }
    keep(next.read());
    loaded = next;
    return next.read();
  }

  private boolean isCurrent(Loaded<R> last, OpenTransaction running) {
    return last.owner() == running && !isWritten(running, last.readAt());
  }

  final List<PropertyRecord> propertyRecords() {
    R read = read();
    return read == null ? List.of() : propertiesOf(read);
  }

  /** The properties with one of some keys, or all if none is given, in a form for users. */
  final <P> Iterator<P> properties(String[] keys, Function<PropertyRecord, P> form) {
    List<PropertyRecord> all = propertyRecords();
    if (all.isEmpty()) {
      return Collections.emptyIterator();
    }
    if (keys.length == 0 && all.size() == 1) {
      return IteratorUtils.of(form.apply(all.get(0)));
    }
    List<P> chosen = new ArrayList<>(keys.length == 0 ? all.size() : 1);
    for (PropertyRecord property : all) {
      if (keys.length == 0 || ElementHelper.keyExists(property.key(), keys)) {
        chosen.add(form.apply(property));
      }
    }
    return chosen.iterator();
  }

  /** The transaction to write in; an error for an element of the past. */
  public final OpenTransaction writing() {
    if (view != null) {
      throw StructureErrors.readOnly(this);
    }
    return graph.running();
  }

  @Override
  public final Graph graph() {
    return graph.graph();
  }

  @Override
  public final Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    for (PropertyRecord property : propertyRecords()) {
      keys.add(property.key());
    }
    return keys;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return ElementHelper.areEqual(this, other);
  }

  @Override
  public final int hashCode() {
    return ElementHelper.hashCode(this);
  }
}
