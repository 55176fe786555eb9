package io.graphmeta.router;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.Condition;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexClause;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the shards that hold what they ask for, and keeps what clients share: the
 * schema image, leased numbers, and the highest stamp seen. Safe for use by many threads.
 */
public final class Router implements TraversalShards {
  /** Odd, so that different clients count from different numbers, and far from one another. */
  private static final long FAR_APART = 0x9e37_79b9_7f4a_7c15L;

  private final RequestSender sender;
  private final VirtualNodeMap map;
  private final KnownSplits splits;
  private final CommitCoordinator coordinator;
  private final Snapshots snapshots;
  private final Names names;
  private final KnownIndexes indexes;
  private final LeasedNumbers vertexCounters;
  private final LeasedNumbers edgeSequences;
  private final AtomicLong spread = new AtomicLong();
  private final SeenStamp seen = new SeenStamp();
  private final AtomicLong attempts;
  private final long client;
  private final AtomicLong traversals = new AtomicLong();

  /**
   * Held while requests are sent, never while an answer is waited for. A thread whose request makes
   * shards close stamps holds it shared; a thread that sends a transaction again, whose stamp was
   * closed before it arrived, holds it alone.
   */
  private final ReadWriteLock closing = new ReentrantReadWriteLock();

  /**
   * A router over a transport to the shards of a map.
   *
   * @param placement how the entries of a vertex are spread over shards
   * @param clock gives transactions over several shards their stamps
   * @param timeoutMillis time allowed for a request, in milliseconds
   * @param client a number that no other client has
   */
  public Router(
      Transport transport,
      VirtualNodeMap map,
      Placement placement,
      HybridClock clock,
      long timeoutMillis,
      long client) {
    this.sender = new RequestSender(transport, map, timeoutMillis);
    this.map = map;
    this.splits = new KnownSplits(new EntryPlaces(map, placement));
    this.client = client;
    this.attempts = new AtomicLong(client * FAR_APART);
    this.coordinator = new CommitCoordinator(sender, seen, closing, clock, client);
    this.snapshots = new Snapshots(sender, seen, closing.readLock(), clock);
    this.vertexCounters = new LeasedNumbers(sender, SequenceKind.VERTEX_COUNTER);
    this.edgeSequences = new LeasedNumbers(sender, SequenceKind.EDGE_SEQUENCE);
    this.names = new Names(sender);
    this.indexes = new KnownIndexes(sender, names, clock);
    names.read();
  }

  @Override
  public int shards() {
    return map.shards();
  }

  @Override
  public int home(long vertex) {
    return map.shard(VertexKeys.virtualNode(vertex));
  }

  /**
   * The shard that holds the entry of an edge at one of its ends, as far as this client knows. If
   * it is another, that shard answers {@code MISPLACED}: {@link #learnSplits learn} and try again.
   *
   * @param owner the vertex whose entry it is
   * @param outgoing whether the edge leaves that vertex
   * @param other the vertex at the other end
   */
  public int entryShard(long owner, boolean outgoing, long other) {
    return splits.shard(owner, outgoing, other, Long.MAX_VALUE);
  }

  /** The stamp since which an entry is on its shard, as far as this client knows. */
  public long entrySince(long owner, boolean outgoing, long other) {
    SplitState state = splits.state(owner, outgoing);
    return state.newest() == 0 ? 0 : state.sinceOf(splits.places().partition(state, owner, other));
  }

  /** As {@link #entryShard(long, boolean, long)}, for a reader with a snapshot. */
  public int entryShard(long owner, boolean outgoing, long other, long snapshot) {
    return splits.shard(owner, outgoing, other, snapshot);
  }

  /** Where entries lie, by the partitions of their vertex. */
  public EntryPlaces places() {
    return splits.places();
  }

  /** The partitions of the entries of a vertex, as far as this client knows. */
  public SplitState splits(long vertex, boolean outgoing) {
    return splits.state(vertex, outgoing);
  }

  /** Asks the homes of vertices how their entries are spread now. */
  public void learnSplits(Collection<Long> vertices, boolean outgoing) {
    Map<Integer, List<Long>> byHome = new TreeMap<>();
    for (long vertex : vertices) {
      byHome.computeIfAbsent(home(vertex), home -> new ArrayList<>()).add(vertex);
    }
    byHome.forEach(
        (home, some) -> {
          long[] asked = some.stream().mapToLong(Long::longValue).toArray();
          List<SplitState> states =
              call(home, new Request.ReadSplits(asked, outgoing), Response.Splits.class).states();
          for (int i = 0; i < asked.length; i++) {
            splits.told(asked[i], outgoing, states.get(i));
          }
        });
  }

  /** A number for an attempt to move entries, that no other client and no other attempt has. */
  public long newAttempt() {
    return attempts.incrementAndGet();
  }

  /** An id for a traversal, which no other traversal has. */
  public TraversalId newTraversal() {
    return new TraversalId(client, traversals.incrementAndGet());
  }

  /**
   * Replicas of the shards near here as a traversal over views of a snapshot asks them; null if
   * there are none, or they are not that far.
   */
  public @Nullable TraversalShards traversedNearby(long snapshot) {
    RequestSender replicas = sender.nearby(snapshot);
    return replicas == null ? null : new NearbyReplicas(replicas, map);
  }

  /** The shard that knows an id. */
  public int home(String id) {
    return map.shard(map.virtualNode(id));
  }

  @Override
  public <R extends Response> R call(int shard, Request request, Class<R> answer) {
    closeBefore(shard, request);
    return sender.call(shard, request, answer);
  }

  @Override
  public CompletableFuture<Response> send(int shard, Request request) {
    closeBefore(shard, request);
    return sender.send(shard, request);
  }

  @Override
  public List<@Nullable CompletableFuture<Response>> sendAll(List<@Nullable Request> requests) {
    for (int shard = 0; shard < requests.size(); shard++) {
      Request request = requests.get(shard);
      if (request != null) {
        closeBefore(shard, request);
      }
    }
    return sender.sendToEach(requests);
  }

  private void closeBefore(int shard, Request request) {
    if (snapshots.wasLeftOut(shard) && request instanceof Request.OfAllTimes) {
      snapshots.close(shard);
    }
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    return sender.await(future);
  }

  @Override
  public void awaitAll(List<@Nullable CompletableFuture<Response>> futures) {
    sender.awaitEach(futures);
  }

  /**
   * Commits a transaction: all parts at one stamp, or none.
   *
   * @param parts one for each shard that it writes to, at least one
   * @param snapshot the stamp that the transaction has read at
   * @throws GraphMetaException that of a shard, after which nothing is there; or {@code
   *     OUTCOME_UNKNOWN}
   */
  public CommitResult commit(List<CommitPart> parts, long snapshot) {
    CommitResult result = coordinator.commit(parts, snapshot);
    if (result instanceof CommitResult.Committed committed) {
      saw(committed.stamp());
    }
    return result;
  }

  /** A stamp at and below which all shards are complete, and not below what was seen. */
  public long snapshot() {
    return snapshots.newest();
  }

  /**
   * A stamp at and below which all shards are complete, at or above another.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if that one lies in the future; {@code
   *     TIMEOUT} if shards cannot complete it in time
   */
  public long snapshotNotBelow(long stamp) {
    return snapshots.notBelow(stamp);
  }

  /** The newest stamp that this client has committed at or was answered. */
  public long seen() {
    return seen.get();
  }

  /**
   * Notes a stamp that the user of this client was told by another one. It is no stamp before its
   * moment has come: nobody can push the stamps of commits into the future by one.
   *
   * @throws GraphMetaException as {@link #snapshotNotBelow} does
   */
  public void resume(long stamp) {
    if (stamp > seen.get()) {
      snapshots.awaitReached(stamp);
      seen.saw(stamp);
    }
  }

  /** Notes a stamp that a shard answered. */
  public void saw(long stamp) {
    seen.saw(stamp);
  }

  /**
   * A stamp to read views of the past at that it does not lie below, where that is nearer than to
   * read them at a snapshot of now; 0 if nothing is.
   *
   * @param wanted the stamp that somebody wants to read at, which a later answer does not lie below
   *     if that can be
   */
  public long settledNearby(long wanted) {
    return sender.settledNearby(wanted);
  }

  /** The names as far as this client knows them. */
  public SchemaImage schema() {
    return names.image();
  }

  /**
   * The names, with all that other clients have defined for what a reader with a snapshot sees.
   *
   * @param snapshot that a reader was given
   */
  public SchemaImage schemaAt(long snapshot) {
    return names.at(snapshot);
  }

  /** The names, with at least this id among them if it is defined. */
  public SchemaImage schemaWith(NameKind kind, int id) {
    SchemaImage known = names.image();
    return known.has(kind, id) ? known : names.read();
  }

  /**
   * The id that a name is to get that is not in the schema. It is defined only by {@link #define},
   * and until then the same for all threads that ask, or another if all ids are in use.
   *
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if all ids are taken
   */
  public int newNameId(NameKind kind, String name) {
    return names.newId(kind, name);
  }

  /**
   * Defines names with the ids that they have in an image, and property keys as multi-valued.
   *
   * @throws GraphMetaException {@code CONFLICT} if a name or an id is taken; {@code LIMIT_EXCEEDED}
   *     if there would be too many names
   */
  public void define(SchemaImage wanted) {
    names.define(wanted);
  }

  /**
   * What the indexes that this client knows of can be asked to narrow a condition on vertices of a
   * label down; null for nothing. Asks a shard for what is defined, once a second at most.
   */
  public @Nullable IndexClause indexClause(ElementLabel label, Condition where) {
    return indexes.clause(label, where);
  }

  /** Whether any index of a label is known to this client. */
  public boolean isIndexed(ElementLabel label) {
    return indexes.areThereOf(label);
  }

  /**
   * All labels of edges that a reader with a snapshot can see, if this client knows of indexes of
   * each that narrow a condition down: one scan reads the edges of all labels, so that indexes of
   * some spare nothing. Null if there are none.
   */
  public @Nullable List<SchemaName> searchedEdgeLabels(Condition where, long snapshot) {
    List<SchemaName> known = schema().names(NameKind.EDGE_LABEL);
    if (known.isEmpty() || !areSearched(known, where)) {
      return null;
    }
    List<SchemaName> all = schemaAt(snapshot).names(NameKind.EDGE_LABEL);
    return all.size() == known.size() || areSearched(all, where) ? all : null;
  }

  private boolean areSearched(List<SchemaName> edgeLabels, Condition where) {
    return edgeLabels.stream()
        .allMatch(label -> indexClause(ElementLabel.ofEdges(label.id()), where) != null);
  }

  /**
   * The indexes that are defined, and how far a shard is with them; known to this client from then
   * on. At least what was committed at and below a {@link #snapshot} taken before.
   */
  public Response.Indexes readIndexes(int shard) {
    closeBefore(shard, new Request.ReadIndexes());
    return indexes.ask(shard);
  }

  /** Compares what an index of a shard holds of some vertices with its store. */
  public Response.ComparedIndex compareIndex(int shard, long number, Request.Position from) {
    return call(shard, new Request.CompareIndex(number, from), Response.ComparedIndex.class);
  }

  /** Lets some time pass, as the transport has it, before something is tried again. */
  public void pause(long micros) {
    sender.pause(micros);
  }

  /** A key for a new vertex that was given an id. */
  public long newVertexKey(int labelId, String id) {
    return newVertexKey(labelId, map.virtualNode(id));
  }

  /** A key for a new vertex without an id of its own. */
  public long newVertexKey(int labelId) {
    return newVertexKey(labelId, map.virtualNode(spread.incrementAndGet()));
  }

  private long newVertexKey(int labelId, int virtualNode) {
    return VertexKeys.pack(labelId, vertexCounters.next(map.shard(virtualNode)), virtualNode);
  }

  /** A number for a new edge or value of a vertex. */
  public long newSequence(long vertex) {
    return edgeSequences.next(home(vertex));
  }

  /** Removes everything from all shards. */
  public void clear() {
    splits.clear();
    for (int shard = 0; shard < map.shards(); shard++) {
      saw(call(shard, new Request.Clear(), Response.Stamped.class).stamp());
    }
    names.clear();
    indexes.clear();
  }
}
