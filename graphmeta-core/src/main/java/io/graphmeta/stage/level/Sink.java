package io.graphmeta.stage.level;

import io.graphmeta.adjacency.NeighbourVisitor;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Operation;

/**
 * Takes the elements that an {@link OperationWalk} reaches and finds. {@link FrontierSink} adds
 * them to the frontier of the next level and to the results; {@link PathSink} tells them to the
 * client, which keeps paths.
 *
 * <p>With every element goes a number, its bulk. In a frontier it is the number of ways to the
 * element, where paths are kept the number of the element of the request that leads to it.
 *
 * <p>Belongs to one thread.
 */
interface Sink {
  /**
   * Whether every way counts apart, because its path is kept. Then each hop ends the walk, as do
   * the operations that the client does by itself, and equal elements need not meet.
   */
  boolean keepsPaths();

  /** Whether no more is wanted. */
  boolean isFull();

  /**
   * Requires that the client still waits for the results.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code CANCELLED} if it does not
   */
  void requireNotCancelled();

  /** Takes vertices that have come to an operation that ends the walk. */
  void find(int position, VertexBatch batch);

  /** Takes edges that have come to an operation that ends the walk. */
  void find(int position, EdgeBatch batch);

  /** Takes vertices at the ends of edges, which go on at a position. */
  void reach(int position, VertexBatch batch);

  /** Takes edges that a hop leads to, which go on at a position where their rows are. */
  void reach(int position, EdgeBatch batch);

  /**
   * Takes the vertices that a hop leads to, which go on at a position.
   *
   * @param batch of which the hop is made, and which the visitor is told the neighbours of
   */
  NeighbourVisitor reaching(int position, Operation.Hop hop, VertexBatch batch);

  /** Takes vertices and edges that are to make a hop here, when other shards know their parts. */
  void hopLater(Work hop);

  /** Takes note that a hop is made of vertices. */
  void hopping(int operation, VertexBatch batch);

  /** Takes vertices of which other shards must be asked before they go on at a position. */
  void putAside(int position, VertexBatch batch);

  /** Takes a vertex of which another shard holds entries, for its part of a hop. */
  void sendOn(int shard, int position, long vertex, long bulk);

  /** Takes an edge whose rows another shard holds, to go on there. */
  void sendOn(int shard, int position, EdgeBatch batch, int index);

  /** A sink of the same kind for another thread that takes part. */
  Sink another();

  /** Takes over what a sink of another thread has taken. */
  void takeAll(Sink other);
}
