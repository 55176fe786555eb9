package io.graphmeta.reads;

import io.graphmeta.model.EdgeRecord;

/**
 * Both directions of a frontier: for each vertex the edges that leave, then those that enter.
 * Belongs to one thread.
 */
public final class ChainedAdjacency implements AdjacencyCursor {
  private final AdjacencyCursor out;
  private final AdjacencyCursor in;
  private boolean started;
  private boolean hasOut;
  private boolean hasIn;
  private AdjacencyCursor current;

  /** Both directions of one frontier. */
  public ChainedAdjacency(AdjacencyCursor out, AdjacencyCursor in) {
    this.out = out;
    this.in = in;
    this.current = out;
  }

  @Override
  public boolean next() {
    if (!started) {
      started = true;
      hasOut = out.next();
      hasIn = in.next();
    } else if (current == out) {
      hasOut = out.next();
    } else {
      hasIn = in.next();
    }
    current = hasOut && (!hasIn || out.frontierIndex() <= in.frontierIndex()) ? out : in;
    return hasOut || hasIn;
  }

  @Override
  public int frontierIndex() {
    return current.frontierIndex();
  }

  @Override
  public long otherVertex() {
    return current.otherVertex();
  }

  @Override
  public boolean outgoing() {
    return current.outgoing();
  }

  @Override
  public EdgeRecord edge() {
    return current.edge();
  }

  @Override
  public void close() {
    out.close();
    in.close();
  }
}
