package io.graphmeta.engine;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexKind;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The indexes over properties of vertices and of edges. Each change is one transaction on all
 * shards, and committed when the method returns; the shards build an index by themselves from then
 * on, and queries read all elements of the label until they have. What queries come to is the same
 * with an index and without.
 *
 * <p>An index is named by what it is over: {@code file.name} for the property {@code name} of the
 * vertices with the label {@code file}, {@code file.id} for their ids, {@code wrote.bytes} for the
 * property {@code bytes} of the edges with the label {@code wrote}. Safe for use by many threads.
 */
public interface Indexes {
  /** The most indexes that there may be. */
  int MOST = 256;

  /**
   * Creates an index. A label or property key that no element has had yet is defined by it.
   *
   * @param element whether it is over vertices or over edges; null to tell by the label, which is
   *     one of vertices if there is none such yet
   * @param kinds what it can be asked; at least one
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a name that is none, or a label of
   *     vertices and of edges if it is not told which, or no kind; {@code ALREADY_EXISTS}, also if
   *     another client is first; {@code LIMIT_EXCEEDED}; {@code CONFLICT} if others change the
   *     index again and again
   */
  IndexStatus create(String name, @Nullable ElementKind element, Set<IndexKind> kinds);

  /** Creates an index over what has its label; over vertices if nothing has it yet. */
  default IndexStatus create(String name, Set<IndexKind> kinds) {
    return create(name, null, kinds);
  }

  /**
   * Drops an index.
   *
   * @throws GraphMetaException {@code NOT_FOUND}; {@code CONFLICT} as {@link #create}
   */
  IndexStatus drop(String name);

  /**
   * Drops an index and creates it again in one transaction, so that all shards build it anew.
   *
   * @throws GraphMetaException as {@link #drop}
   */
  IndexStatus rebuild(String name);

  /** All indexes by name, and how far each shard is with them. */
  List<IndexStatus> list();

  /**
   * Compares indexes with the stores of the shards, page by page, beside whatever else runs. An
   * index that others create or drop meanwhile may be left out.
   *
   * @param name the index; null for all
   * @param progress told how many versions were compared so far
   * @return each index by name
   * @throws GraphMetaException {@code NOT_FOUND} if there is no index with the name
   */
  List<IndexCheck> check(@Nullable String name, LongConsumer progress);

  /**
   * What the indexes of a label that this client knows of are asked for the elements that a
   * condition is true of; null if none narrows it down, and all elements of the label are read. A
   * shard that has not built an index yet reads all of its own. An index that another client
   * created is known a second later at most.
   */
  @Nullable IndexClause asked(ElementKind element, String label, Condition where);

  /**
   * What {@link #asked} is of each of some labels. Vertices are read label by label, in the order
   * of the answer; edges of all labels are scanned together, so that indexes are asked for all of
   * these or for none.
   *
   * @param labels all labels if there is none
   */
  List<LabelAccess> access(ElementKind element, Collection<String> labels, Condition where);

  /**
   * The commands that make the indexes by which the vertices or edges of a label would be found
   * that a condition is true of. Asks a shard for what is defined.
   *
   * @return none if an index is asked for it already, or if none could be, also since one over
   *     other elements has its name
   */
  List<String> commandsFor(ElementKind element, String label, Condition where);

  /**
   * Which labels a query in a line of text is about, and what it means for each, by the indexes
   * that there are. The words of the query are explained with {@link
   * io.graphmeta.search.syntax.QuerySyntax} and {@link io.graphmeta.search.SearchConditions}.
   *
   * @param labels where to search, with an index or without; if there is none, in all labels of
   *     which an index narrows the query down
   * @param in the properties that words without a key are looked for in; all that are indexed if
   *     there is none
   * @return at least one, in the order in which the vertices of labels are scanned
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a query that cannot be read, or that no
   *     index can be asked for
   */
  List<LabelSearch> searches(String query, Collection<String> labels, Collection<String> in);
}
