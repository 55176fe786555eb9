package io.graphmeta.reads;

import static java.util.Objects.requireNonNull;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.records.SlotResolver;
import io.graphmeta.router.Router;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stored edges of a frontier in one direction, page by page. An edge that leaves a vertex of
 * the frontier has its properties if they are wanted; an edge that enters one has none, since they
 * lie with the source ({@link CompletedAdjacency} adds them). Belongs to one thread.
 */
public final class StoredAdjacency implements AdjacencyCursor {
  private final RecordDecoder decoder;
  private final boolean outgoing;
  private final boolean withProperties;
  private @Nullable FrontierStream stored;

  /**
   * A cursor before the first edge.
   *
   * @param outgoing the direction that is read, whatever that of the expansion is
   * @param labelIds ids of the labels that are defined, in rising order; null for all labels
   */
  public StoredAdjacency(
      Router router,
      RecordDecoder decoder,
      Expansion expansion,
      boolean outgoing,
      int @Nullable [] labelIds,
      ReadView view) {
    this.decoder = decoder;
    this.outgoing = outgoing;
    this.withProperties = expansion.withProperties() && outgoing;
    // Where no label is defined, nothing is stored.
    boolean nothing = expansion.frontier().length == 0 || labelIds != null && labelIds.length == 0;
    this.stored =
        nothing
            ? null
            : new FrontierStream(
                router,
                expansion.frontier(),
                new FrontierStream.Edges(
                    outgoing,
                    labelIds == null ? new int[0] : labelIds,
                    view,
                    withProperties ? Detail.PROPERTIES : Detail.KEYS));
  }

  @Override
  public boolean next() {
    return stored != null && stored.next();
  }

  @Override
  public int frontierIndex() {
    return requireNonNull(stored).index();
  }

  @Override
  public long otherVertex() {
    FrontierStream at = requireNonNull(stored);
    return at.page().other(at.element());
  }

  @Override
  public boolean outgoing() {
    return outgoing;
  }

  /** The key of the edge, without a look at its label or properties. */
  public EdgeKey key() {
    FrontierStream at = requireNonNull(stored);
    return RecordDecoder.edgeKey(at.page(), at.element(), outgoing);
  }

  @Override
  public EdgeRecord edge() {
    return edge(null);
  }

  /**
   * The edge with changes laid over it.
   *
   * @param changes as for {@link RecordDecoder#edge}
   */
  public EdgeRecord edge(@Nullable Consumer<SlotResolver> changes) {
    FrontierStream at = requireNonNull(stored);
    return decoder.edge(at.page(), at.element(), outgoing, withProperties, changes);
  }

  @Override
  public void close() {
    stored = null;
  }
}
