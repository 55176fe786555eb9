package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.server.faults.ListHistory.Outcome;
import io.graphmeta.server.faults.ListHistory.Read;
import io.graphmeta.server.faults.ListHistory.Transaction;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * Reads some lists in one snapshot and appends to some of them: a history that is checked when all
 * is over. A list that has become long is left for a new one; whoever is first to append to it adds
 * its vertex, whose id several clients then give at a time.
 */
final class AppendedLists implements Work {
  private static final int LISTS = 12;
  private static final int MOST_READ = 4;
  private static final int LONG_CHARS = 500;
  private static final int BATCH = 500;
  private static final String LABEL = "list";
  private static final String ITEMS = "items";

  private final Deadlines deadlines;
  private final ListHistory history = new ListHistory();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicIntegerArray generations = new AtomicIntegerArray(LISTS);
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final LongAccumulator told = new LongAccumulator(Math::max, 0);

  AppendedLists(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  @Override
  public void begin(Client client) {
    // The first who append make the lists.
  }

  @Override
  public boolean run(Client client, Random random) {
    long session = client.acknowledged();
    long toldBefore = told.get();
    try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
      List<Read> reads = new ArrayList<>();
      Set<String> appended = new HashSet<>();
      long number = numbers.incrementAndGet();
      GraphMetaException failure = null;
      long stamp = 0;
      try {
        for (int i = 1 + random.nextInt(1 + random.nextInt(MOST_READ)); i > 0; i--) {
          visit(tx, number, random, reads, appended);
        }
        if (tx.hasWrites()) {
          stamp = deadlines.of(Step.COMMIT, tx::commit);
        }
      } catch (GraphMetaException e) {
        failure = e;
      }
      Outcome outcome = outcome(failure);
      history.add(
          new Transaction(
              number,
              session,
              toldBefore,
              tx.snapshot().knownAt(),
              outcome,
              stamp,
              reads,
              appended));
      told.accumulate(stamp);
      client.acknowledge(stamp);
      // Who else gave the same id to a new list was first.
      if (failure != null && failure.code() != ErrorCode.ALREADY_EXISTS) {
        throw failure;
      }
      return true;
    }
  }

  private static Outcome outcome(@Nullable GraphMetaException failure) {
    if (failure == null) {
      return Outcome.ACKNOWLEDGED;
    }
    return failure.code().category() == ErrorCode.Category.RETRY
            || failure.code() == ErrorCode.ALREADY_EXISTS
        ? Outcome.REFUSED
        : Outcome.UNKNOWN;
  }

  /** Reads a list that it has not read yet, and appends to it or not. */
  private void visit(
      GraphTransaction tx, long number, Random random, List<Read> reads, Set<String> appended) {
    int place = random.nextInt(LISTS);
    int generation = generations.get(place);
    String name = "l" + place + "." + generation;
    if (reads.stream().anyMatch(read -> read.list().equals(name))) {
      return;
    }
    VertexRecord vertex =
        deadlines.of(Step.READ, () -> tx.verticesById(List.of(name), tx.snapshot()).get(0));
    String text = text(vertex);
    reads.add(Read.of(name, text));
    if (text.length() > LONG_CHARS) {
      generations.compareAndSet(place, generation, generation + 1);
    } else if (random.nextBoolean()) {
      names.add(name);
      appended.add(name);
      append(tx, name, vertex, text + number + ";");
    }
  }

  private static String text(@Nullable VertexRecord vertex) {
    if (vertex != null) {
      for (PropertyRecord property : vertex.properties()) {
        if (property.key().equals(ITEMS)) {
          return (String) property.value();
        }
      }
    }
    return "";
  }

  private static void append(
      GraphTransaction tx, String name, @Nullable VertexRecord vertex, String text) {
    if (vertex == null) {
      tx.addVertex(name, LABEL, Map.of(ITEMS, text), Stamp.AT_COMMIT);
    } else {
      tx.setVertexProperty(
          vertex.key(), ITEMS, text, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
    }
  }

  @Override
  public void assertHolds(Client client) {
    Map<String, String> lists = new HashMap<>();
    List<String> all = List.copyOf(names);
    try (GraphTransaction tx = client.database.begin()) {
      for (int from = 0; from < all.size(); from += BATCH) {
        List<String> batch = all.subList(from, Math.min(all.size(), from + BATCH));
        List<@Nullable VertexRecord> found = tx.verticesById(batch, tx.snapshot());
        for (int i = 0; i < batch.size(); i++) {
          lists.put(batch.get(i), text(found.get(i)));
        }
      }
    }
    assertThat(history.violations(lists)).isEmpty();
  }

  @Override
  public String tally() {
    List<Long> stale = history.staleMicros();
    return String.format(
        "%d transactions on %d lists, %d acknowledged, %d refused, %d unknown; %d began before what"
            + " another client knew, by %d us at most",
        history.size(),
        names.size(),
        history.count(Outcome.ACKNOWLEDGED),
        history.count(Outcome.REFUSED),
        history.count(Outcome.UNKNOWN),
        stale.size(),
        stale.stream().mapToLong(micros -> micros).max().orElse(0));
  }
}
