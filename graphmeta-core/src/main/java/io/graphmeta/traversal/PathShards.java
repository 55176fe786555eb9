package io.graphmeta.traversal;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.PathSteps;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.TraversalShards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the shards where elements of paths lead, all shards at the same time. The home of an element
 * answers for all shards that hold entries of it; only what does not fit into its answer is asked
 * of the other shards directly. Belongs to one thread.
 */
final class PathShards {
  private final TraversalShards shards;
  private final Plan plan;
  private final PlanNames names;
  private final ReadView view;
  private final Map<Integer, Map<Integer, LevelWork>> done = new TreeMap<>();

  PathShards(TraversalShards shards, Plan plan, PlanNames names, ReadView view) {
    this.shards = shards;
    this.plan = plan;
    this.names = names;
    this.view = view;
  }

  /** What one shard did for paths of one length. */
  record Done(int level, int shard, LevelWork work) {}

  /** Receives answers. */
  @FunctionalInterface
  interface Answers {
    /**
     * An answer about elements from {@code from} on; the elements before it were answered before.
     */
    void answered(int position, List<Object> elements, int from, PathSteps steps);
  }

  int home(long vertex) {
    return shards.home(vertex);
  }

  /** Elements that one shard is asked for, and how far it has answered. */
  private static final class Asked {
    final int shard;
    final List<Object> elements;
    final FrontierPart part;
    int from;
    long skip;

    Asked(int shard, List<Object> elements, FrontierPart part) {
      this.shard = shard;
      this.elements = elements;
      this.part = part;
    }
  }

  /** Asks each shard for its elements, which are vertices or edges. */
  void ask(
      int level, int position, boolean edges, Map<Integer, List<Object>> byShard, Answers answers) {
    List<Asked> open = new ArrayList<>();
    byShard.forEach((shard, elements) -> open.add(asked(shard, elements, position, edges)));
    while (!open.isEmpty()) {
      List<CompletableFuture<Response>> sent = new ArrayList<>();
      for (Asked asked : open) {
        Request request =
            new Request.ExtendPaths(plan, names, view, asked.part, asked.from, asked.skip);
        sent.add(shards.send(asked.shard, request));
      }
      shards.awaitAll(List.copyOf(sent));
      List<Asked> more = new ArrayList<>();
      for (int i = 0; i < sent.size(); i++) {
        Asked asked = open.get(i);
        PathSteps steps = ((Response.Paths) shards.await(sent.get(i))).steps();
        answers.answered(position, asked.elements, asked.from, steps);
        done.computeIfAbsent(level, any -> new TreeMap<>())
            .merge(asked.shard, steps.work(), LevelWork::plus);
        more.addAll(sentOn(asked, steps, edges));
        if (steps.nextIndex() >= 0) {
          asked.from = steps.nextIndex();
          asked.skip = steps.skip();
          more.add(asked);
        }
      }
      open.clear();
      open.addAll(more);
    }
  }

  private static Asked asked(int shard, List<Object> elements, int position, boolean edges) {
    return new Asked(
        shard, elements, edges ? edges(position, elements) : vertices(position, elements));
  }

  /** What is left to ask of other shards, because it did not fit into the answer. */
  private static List<Asked> sentOn(Asked asked, PathSteps steps, boolean edges) {
    Map<Integer, Map<Integer, List<Object>>> byPlace = new TreeMap<>();
    int[] sentOn = steps.sentOn();
    for (int at = 0; at < sentOn.length; at += 3) {
      byPlace
          .computeIfAbsent(sentOn[at + 1], any -> new TreeMap<>())
          .computeIfAbsent(sentOn[at + 2], any -> new ArrayList<>())
          .add(asked.elements.get(sentOn[at]));
    }
    List<Asked> others = new ArrayList<>();
    byPlace.forEach(
        (position, shards) ->
            shards.forEach(
                (shard, elements) -> others.add(asked(shard, elements, position, edges))));
    return others;
  }

  private static FrontierPart vertices(int position, List<Object> elements) {
    long[] keys = elements.stream().mapToLong(Long.class::cast).toArray();
    return FrontierPart.vertices(position, keys, new long[0]);
  }

  private static FrontierPart edges(int position, List<Object> elements) {
    return new FrontierPart(
        position,
        new long[0],
        elements.stream().map(EdgeKey.class::cast).toList(),
        new boolean[elements.size()],
        new long[0]);
  }

  /** What was done, by level and then by shard. */
  List<Done> done() {
    List<Done> all = new ArrayList<>();
    done.forEach(
        (level, shards) -> shards.forEach((shard, work) -> all.add(new Done(level, shard, work))));
    return all;
  }
}
