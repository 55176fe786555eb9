package io.graphmeta.stage.level;

import io.graphmeta.adjacency.NeighbourVisitor;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.protocol.PathSteps;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects where the elements of a request about paths lead, block by block. The bulk of an element
 * is the number of the element of the request that leads to it. Belongs to one thread.
 *
 * <p>A block is full when more elements follow than it has room for. Elements that an earlier
 * answer has told already are passed over: they come in the same order each time.
 */
final class PathSink implements Sink {
  private final BitSet shards = new BitSet();
  private final ArrayDeque<Work> hops = new ArrayDeque<>();
  private PathSteps.Builder steps = new PathSteps.Builder();
  private List<SentOn> sentOn = new ArrayList<>();
  private int room;
  private long passOver;
  private long passed;
  private boolean full;

  /** An element of the request that another shard is to be asked for, at a position. */
  record SentOn(int source, int position, int shard) {}

  /**
   * Begins a block.
   *
   * @param room most elements that may follow those of the block
   * @param passOver how many of the elements that follow were told before
   */
  void begin(int room, long passOver) {
    steps = new PathSteps.Builder();
    sentOn = new ArrayList<>();
    hops.clear();
    this.room = room;
    this.passOver = passOver;
    passed = 0;
    full = false;
  }

  /** Where the elements of the block lead. */
  PathSteps.Builder steps() {
    return steps;
  }

  /** The elements of the block that other shards are to be asked for. */
  List<SentOn> sentOn() {
    return sentOn;
  }

  /** Number of shards that elements of any block were sent on to. */
  int otherShards() {
    return shards.cardinality();
  }

  /** How many of the elements that follow were told, in this answer and before. */
  long passed() {
    return passed;
  }

  /** The next hop of the block that is due. */
  @Nullable Work nextHop() {
    return hops.poll();
  }

  @Override
  public boolean keepsPaths() {
    return true;
  }

  @Override
  public boolean isFull() {
    return full;
  }

  @Override
  public void requireNotCancelled() {
    // A request is answered to its end; what reads for it looks after interrupts.
  }

  @Override
  public void find(int position, VertexBatch batch) {
    for (int i = 0; i < batch.size() && isFirstPart(); i++) {
      steps.stays((int) batch.bulk(i), position);
    }
  }

  @Override
  public void find(int position, EdgeBatch batch) {
    for (int i = 0; i < batch.size() && isFirstPart(); i++) {
      steps.stays((int) batch.bulks()[i], position);
    }
  }

  /** Whether nothing of the block was told before; only then is told what does not follow. */
  private boolean isFirstPart() {
    return passOver == 0;
  }

  @Override
  public void reach(int position, VertexBatch batch) {
    throw GraphMetaException.internal("The client of paths goes to the ends of edges by itself");
  }

  @Override
  public void reach(int position, EdgeBatch batch) {
    for (int i = 0; i < batch.size() && !full; i++) {
      if (hasRoom()) {
        steps.edge((int) batch.bulks()[i], position, batch.key(i), batch.fromSource()[i]);
      }
    }
  }

  @Override
  public NeighbourVisitor reaching(int position, Operation.Hop hop, VertexBatch batch) {
    BitSet wanted = hop.wanted();
    return (index, label, others, from, to) -> {
      for (int i = from; i < to && !full; i++) {
        if ((wanted == null || Operation.Hop.isWanted(others[i], wanted)) && hasRoom()) {
          steps.vertex((int) batch.bulk(index), position, others[i]);
        }
      }
      return !full;
    };
  }

  /** Whether one more element is to be told: it was not told before, and there is room. */
  private boolean hasRoom() {
    if (passed < passOver) {
      passed++;
      return false;
    }
    if (room <= 0) {
      full = true;
      return false;
    }
    room--;
    passed++;
    return true;
  }

  @Override
  public void hopLater(Work hop) {
    hops.add(hop);
  }

  @Override
  public void hopping(int operation, VertexBatch batch) {
    // Nothing is read ahead for paths.
  }

  @Override
  public void putAside(int position, VertexBatch batch) {
    // The whole request is answered again when the other shards have told.
  }

  @Override
  public void sendOn(int shard, int position, long vertex, long bulk) {
    sendOn(shard, position, (int) bulk);
  }

  @Override
  public void sendOn(int shard, int position, EdgeBatch batch, int index) {
    sendOn(shard, position, (int) batch.bulks()[index]);
  }

  private void sendOn(int shard, int position, int source) {
    if (isFirstPart()) {
      shards.set(shard);
      sentOn.add(new SentOn(source, position, shard));
    }
  }

  @Override
  public Sink another() {
    throw GraphMetaException.internal("Paths are followed by one thread");
  }

  @Override
  public void takeAll(Sink other) {
    throw GraphMetaException.internal("Paths are followed by one thread");
  }
}
