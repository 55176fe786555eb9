package io.graphmeta.bench.experiment;

import java.util.List;

/** Walks a graph in steps and adds up what that costs under several layouts. For one thread. */
final class StepCosts {
  /** StatComm and StatReads of all steps of a walk. */
  record Cost(long messages, long reads) {
    Cost plus(Cost other) {
      return new Cost(messages + other.messages, reads + other.reads);
    }
  }

  private final DirectedGraph graph;
  private final List<PlacedGraph> placed;
  private WorkingSet from;
  private WorkingSet to;

  StepCosts(DirectedGraph graph, List<PlacedGraph> placed) {
    this.graph = graph;
    this.placed = placed;
    this.from = new WorkingSet(graph);
    this.to = new WorkingSet(graph);
  }

  /**
   * The costs of walks of 1, 2, 3, ... steps from a vertex: by number of steps less one, then by
   * layout. Each step goes from the distinct vertices that the one before came to.
   */
  Cost[][] walk(int start, int steps) {
    Cost[][] costs = new Cost[steps][placed.size()];
    from.clear();
    from.add(graph, start);
    for (int step = 0; step < steps; step++) {
      to.becomeNext(graph, from);
      for (int i = 0; i < placed.size(); i++) {
        PlacedGraph under = placed.get(i);
        Cost cost = new Cost(under.messages(from), under.mostReads(from, to));
        costs[step][i] = step == 0 ? cost : costs[step - 1][i].plus(cost);
      }
      WorkingSet spent = from;
      from = to;
      to = spent;
    }
    return costs;
  }
}
