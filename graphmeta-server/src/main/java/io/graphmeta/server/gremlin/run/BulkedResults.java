package io.graphmeta.server.gremlin.run;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.remote.traversal.DefaultRemoteTraverser;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.util.TraverserSet;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The results of a traversal as drivers take those of bytecode: a value, and how many times it is a
 * result. Equal results that come near to one another are one. Belongs to one thread.
 */
final class BulkedResults<E> implements CloseableIterator<DefaultRemoteTraverser<E>> {
  /** Results among which equal ones are looked for. */
  private static final int MAX_GATHERED = 1000;

  private final Traversal.Admin<?, E> traversal;
  private final TraverserSet<E> gathered = new TraverserSet<>();
  private final int maxGathered;

  /**
   * @param traversal its strategies are applied
   */
  BulkedResults(Traversal.Admin<?, E> traversal) {
    this.traversal = traversal;
    boolean oneByOne = traversal.getTraverserRequirements().contains(TraverserRequirement.ONE_BULK);
    this.maxGathered = oneByOne ? 1 : MAX_GATHERED;
  }

  @Override
  public boolean hasNext() {
    if (gathered.isEmpty()) {
      while (gathered.size() < maxGathered && traversal.hasNext()) {
        gathered.add(traversal.nextTraverser());
      }
    }
    return !gathered.isEmpty();
  }

  @Override
  public DefaultRemoteTraverser<E> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Traverser.Admin<E> traverser = gathered.remove();
    return new DefaultRemoteTraverser<>(traverser.get(), traverser.bulk());
  }

  @Override
  public void close() {
    CloseableIterator.closeIterator(traversal);
  }
}
