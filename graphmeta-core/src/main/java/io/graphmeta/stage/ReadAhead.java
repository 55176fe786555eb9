package io.graphmeta.stage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.recording.ReadAheadEvent;
import io.graphmeta.stage.level.IdleTime;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.stage.program.Program;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the neighbours of vertices that wait for the next level of a traversal, then the neighbours
 * of these on this shard, and so on, while the traversal waits; and stops when the level begins
 * (GraphMeta, section 5.3). What it reads goes into the cache, where the level finds it.
 *
 * <p>It reads on a thread of the executor, unless few vertices wait and the level before found all
 * it read in the cache: then these are likely there, too, and a thread takes longer to wake than
 * they take to be read. What it has read counts as used when a level asks for the same vertex at
 * the same operation. Safe for use by many threads.
 */
final class ReadAhead implements IdleTime {
  private static final int CHUNK = 32;

  /** So many vertices that are in the cache already, one after the other, say that all are. */
  private static final int ENOUGH_CACHED = 256;

  /** Most vertices to look at while waiting once. */
  private static final int MAX_VERTICES = 1 << 16;

  private final TraversalId id;
  private final int shard;
  private final Program program;
  private final ReadView view;
  private final AdjacencyCache cache;
  private final LongPredicate isHere;
  private final Executor executor;

  @GuardedBy("this")
  private final Deque<Batch> queue = new ArrayDeque<>();

  /** What was read and not asked for yet, by the operation that it was read for. */
  @GuardedBy("this")
  private final Map<Integer, Set<Long>> loaded = new HashMap<>();

  @GuardedBy("this")
  private boolean waiting;

  @GuardedBy("this")
  private boolean scheduled;

  @GuardedBy("this")
  private int left;

  /** Vertices that have to be offered before it is worth to wake a thread for them. */
  @GuardedBy("this")
  private int few;

  /** Vertices looked at since one was not in the cache. */
  @GuardedBy("this")
  private int cached;

  @GuardedBy("this")
  private long prefetched;

  @GuardedBy("this")
  private long used;

  @GuardedBy("this")
  private long nanos;

  /** Changes when reading is to stop. */
  private volatile int turn;

  /** Vertices that wait at a position. */
  private record Batch(int position, long[] keys, int turn) {}

  ReadAhead(
      TraversalId id,
      int shard,
      Program program,
      ReadView view,
      AdjacencyCache cache,
      LongPredicate isHere,
      Executor executor) {
    this.id = id;
    this.shard = shard;
    this.program = program;
    this.view = view;
    this.cache = cache;
    this.isHere = isHere;
    this.executor = executor;
  }

  @Override
  public synchronized void begin(int most, boolean missed) {
    waiting = true;
    few = missed ? 0 : ENOUGH_CACHED;
    left = Math.min(MAX_VERTICES, most);
    boolean likelyCached = !missed || cached >= ENOUGH_CACHED;
    cached = likelyCached ? ENOUGH_CACHED - CHUNK : 0; // a few may tell of a change
  }

  /** Nothing happens unless the traversal waits. */
  @Override
  public synchronized void offer(int position, long[] keys) {
    boolean isOfUse = waiting && left > 0 && keys.length > 0;
    if (isOfUse && hop(FrontierPart.operation(position)) >= 0) {
      queue.add(new Batch(position, keys, turn));
      few -= keys.length;
      if (!scheduled && few < 0) {
        try {
          scheduled = true;
          executor.execute(this::run);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
          scheduled = false; // No thread is free, or none can be made; nothing depends on this.
        }
      }
    }
  }

  @Override
  public synchronized void end() {
    waiting = false;
    queue.clear();
    turn++;
  }

  @Override
  public synchronized void note(int operation, long[] keys) {
    Set<Long> ready = loaded.get(operation);
    if (ready != null) {
      for (int i = 0; i < keys.length && !ready.isEmpty(); i++) {
        if (ready.remove(keys[i])) {
          used++;
        }
      }
    }
  }

  @Override
  public synchronized LevelWork addTo(LevelWork work) {
    LevelWork sum = work.plus(new LevelWork(0, 0, 0, 0, 0, 0, prefetched, used, 0, nanos));
    prefetched = 0;
    used = 0;
    nanos = 0;
    return sum;
  }

  private void run() {
    long started = System.nanoTime();
    try (AdjacencyReader reader = cache.reader()) {
      for (Batch batch = next(); batch != null; batch = next()) {
        ReadAheadEvent event = ReadAheadEvent.begun();
        long bytesBefore = reader.bytesRead();
        read(batch, reader, event);
        event.done(shard, id, reader.bytesRead() - bytesBefore);
      }
    } catch (GraphMetaException | OutOfMemoryError e) {
      // The level reads the same again, and fails if it still cannot be read.
      synchronized (this) {
        scheduled = false;
        queue.clear();
      }
    } finally {
      synchronized (this) {
        nanos += System.nanoTime() - started;
      }
    }
  }

  private synchronized @Nullable Batch next() {
    Batch batch = waiting ? queue.poll() : null;
    scheduled = batch != null;
    return batch;
  }

  private void read(Batch batch, AdjacencyReader reader, ReadAheadEvent event) {
    int mine = batch.turn();
    int at = hop(FrontierPart.operation(batch.position()));
    if (at < 0) {
      return;
    }
    Operation.Hop hop = (Operation.Hop) program.at(at);
    LongBulkMap reached = new LongBulkMap(false, MAX_VERTICES * 2);
    for (int from = 0; from < batch.keys().length; from += CHUNK) {
      long[] chunk =
          Arrays.copyOfRange(batch.keys(), from, Math.min(batch.keys().length, from + CHUNK));
      for (long key : chunk) {
        if (turn != mine || !mayRead()) {
          return;
        }
        if (load(at, hop, key, reader)) {
          event.addVertex();
        }
      }
      for (boolean outgoing : Program.directions(hop.direction())) {
        reader.read(
            chunk,
            0,
            chunk.length,
            new NeighbourQuery(outgoing, hop.labelIds(), view),
            (index, label, others, begin, end) -> {
              for (int i = begin; i < end && reached.size() < MAX_VERTICES; i++) {
                if (isHere.test(others[i])
                    && (hop.wanted() == null || Operation.Hop.isWanted(others[i], hop.wanted()))) {
                  reached.add(others[i], 1);
                }
              }
              return turn == mine;
            });
      }
    }
    if (turn == mine) {
      further(Program.position(at + 1, 0), reached.drain().keys());
    }
  }

  private synchronized boolean mayRead() {
    return left-- > 0 && cached < ENOUGH_CACHED;
  }

  private synchronized void further(int position, long[] keys) {
    if (waiting && keys.length > 0) { // in a loop, nothing would lead to nothing for ever
      queue.add(new Batch(position, keys, turn));
    }
  }

  /** Whether something had to be read. */
  private boolean load(int operation, Operation.Hop hop, long key, AdjacencyReader reader) {
    boolean read = false;
    for (boolean outgoing : Program.directions(hop.direction())) {
      read |= reader.prefetch(key, new NeighbourQuery(outgoing, hop.labelIds(), view));
    }
    synchronized (this) {
      cached = read ? 0 : cached + 1;
      if (read && loaded.computeIfAbsent(operation, any -> new HashSet<>()).add(key)) {
        prefetched++;
      }
    }
    return read;
  }

  /** The next hop from an operation on, if adjacency leads over it; else -1. */
  private int hop(int operation) {
    int at = operation;
    for (int steps = 0; steps < program.size(); steps++) {
      Operation next = program.at(at);
      if (next instanceof Operation.Hop hop) {
        return hop.toEdges() ? -1 : at;
      } else if (next instanceof Operation.LoopEnter enter) {
        at = enter.loop().body();
      } else if (next instanceof Operation.LoopBack back) {
        at = back.loop().body();
      } else if (next instanceof Operation.Keep || next instanceof Operation.Distinct) {
        at++;
      } else {
        return -1;
      }
    }
    return -1;
  }
}
