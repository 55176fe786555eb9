package io.graphmeta.stage.level;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.flow.HoldLimit;
import io.graphmeta.stage.program.Criterion;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether vertices have edges on other shards, as far as a traversal has to know: the questions to
 * other shards and their answers. A vertex that has entries on other shards, and no edge here, is
 * open until one shard has answered that it has an edge or all have answered that it has none. The
 * traversal puts the vertex aside until then. Safe for use by many threads.
 */
public final class Connections {
  /** Criteria of a traversal that ask for edges; most have none. */
  private static final int USUAL = 1;

  private final SplitTable splits;
  private final ReadView view;

  @GuardedBy("this")
  private final Map<Criterion.Connected, Map<Long, Boolean>> known = new IdentityHashMap<>(USUAL);

  /** Of each vertex that was asked about, how many shards have not answered yet. */
  @GuardedBy("this")
  private final Map<Criterion.Connected, Map<Long, Integer>> open = new IdentityHashMap<>(USUAL);

  @GuardedBy("this")
  private List<Question> questions = new ArrayList<>();

  private final int maxVertices;

  @GuardedBy("this")
  private int unanswered;

  /**
   * Of a traversal at a view.
   *
   * @param maxVertices most vertices that are remembered of one criterion
   */
  public Connections(SplitTable splits, ReadView view, int maxVertices) {
    this.splits = splits;
    this.view = view;
    this.maxVertices = maxVertices;
  }

  /** Tells which vertices of a batch have an edge on this shard, or are known to have one. */
  @FunctionalInterface
  interface Here {
    BitSet connected(Criterion.Connected criterion, VertexBatch batch);
  }

  /** What another shard is asked. */
  public record Question(Criterion.Connected criterion, int shard, Request.FindConnected request) {}

  /**
   * The vertices of a batch for which criteria can be decided now. About the other vertices
   * questions are noted.
   */
  synchronized BitSet decidable(List<Criterion.Connected> criteria, VertexBatch batch, Here here) {
    BitSet decidable = new BitSet(batch.size());
    decidable.set(0, batch.size());
    if (splits.isTrivial()) {
      return decidable;
    }
    for (Criterion.Connected criterion : criteria) {
      Map<Long, BitSet> elsewhere = new HashMap<>();
      BitSet doubtful = new BitSet();
      for (int i = 0; i < batch.size(); i++) {
        BitSet shards =
            isKnown(criterion, batch.keys()[i]) ? new BitSet() : elsewhere(criterion, batch, i);
        if (!shards.isEmpty()) {
          doubtful.set(i);
          elsewhere.put(batch.keys()[i], shards);
        }
      }
      if (!doubtful.isEmpty()) {
        VertexBatch some = batch.keep(doubtful);
        BitSet connected = here.connected(criterion, some);
        int[] at = doubtful.stream().toArray();
        connected.stream().forEach(i -> elsewhere.remove(batch.keys()[at[i]]));
        doubtful.stream()
            .filter(i -> elsewhere.containsKey(batch.keys()[i]))
            .forEach(decidable::clear);
        Map<Long, Integer> asked = open.getOrDefault(criterion, Map.of());
        elsewhere.keySet().removeIf(asked::containsKey);
        ask(criterion, elsewhere);
      }
    }
    return decidable;
  }

  @GuardedBy("this")
  private boolean isKnown(Criterion.Connected criterion, long key) {
    return known.getOrDefault(criterion, Map.of()).containsKey(key);
  }

  private BitSet elsewhere(Criterion.Connected criterion, VertexBatch batch, int i) {
    BitSet shards = new BitSet();
    for (boolean outgoing : Program.directions(criterion.direction())) {
      for (int shard : splits.elsewhere(batch.keys()[i], outgoing, view.snapshot())) {
        shards.set(shard);
      }
    }
    return shards;
  }

  @GuardedBy("this")
  private void ask(Criterion.Connected criterion, Map<Long, BitSet> elsewhere) {
    int remembered =
        known.getOrDefault(criterion, Map.of()).size()
            + open.getOrDefault(criterion, Map.of()).size();
    HoldLimit.require(remembered + elsewhere.size(), maxVertices);
    Map<Integer, Set<Long>> byShard = new TreeMap<>();
    Map<Long, Integer> untold = open.computeIfAbsent(criterion, any -> new HashMap<>());
    elsewhere.forEach(
        (key, shards) -> {
          untold.put(key, shards.cardinality());
          shards.stream()
              .forEach(shard -> byShard.computeIfAbsent(shard, any -> new HashSet<>()).add(key));
        });
    for (Map.Entry<Integer, Set<Long>> asked : byShard.entrySet()) {
      long[] keys = asked.getValue().stream().mapToLong(Long::longValue).sorted().toArray();
      Request.FindConnected request =
          new Request.FindConnected(keys, criterion.direction(), criterion.labelIds(), view);
      questions.add(new Question(criterion, asked.getKey(), request));
      unanswered++;
    }
  }

  /** Takes away the questions that were not taken yet. The caller asks them. */
  public synchronized List<Question> take() {
    List<Question> taken = questions;
    questions = new ArrayList<>();
    return taken;
  }

  /** Whether there are questions that were not answered yet. */
  public synchronized boolean isWaiting() {
    return unanswered > 0;
  }

  /** Takes note of an answer. */
  public synchronized void answered(Question question, ElementPage connected) {
    unanswered--;
    BitSet found = new BitSet();
    for (int e = 0; e < connected.elements(); e++) {
      found.set(connected.source(e));
    }
    Map<Long, Boolean> facts = known.computeIfAbsent(question.criterion(), any -> new HashMap<>());
    Map<Long, Integer> left = open.computeIfAbsent(question.criterion(), any -> new HashMap<>());
    long[] keys = question.request().vertices();
    for (int i = 0; i < keys.length; i++) {
      int shards = left.merge(keys[i], -1, Integer::sum);
      if (found.get(i)) {
        facts.put(keys[i], true);
      } else if (shards == 0) {
        facts.putIfAbsent(keys[i], false);
      }
      if (shards == 0) {
        left.remove(keys[i]);
      }
    }
  }

  /** Whether another shard has told of an edge of a vertex. */
  synchronized boolean isConnected(Criterion.Connected criterion, long key) {
    return known.getOrDefault(criterion, Map.of()).getOrDefault(key, false);
  }
}
