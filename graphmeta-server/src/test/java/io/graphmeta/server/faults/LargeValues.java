package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes values that are larger than an entry of a log, two of them in one transaction, every two
 * seconds, or as {@code -Dgraphmeta.large-seconds=N} says: they keep processors from all else. Who
 * reads one reads it whole, and both of one transaction are those of one transaction.
 */
final class LargeValues implements Work {
  private static final int PAIRS = 3;
  private static final int MOST_CHARS = 3 << 19;
  private static final long PAUSE_NANOS =
      TimeUnit.SECONDS.toNanos(Integer.getInteger("graphmeta.large-seconds", 2));
  private static final String KEY = "text";

  private final Deadlines deadlines;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  /** Of each pair what was acknowledged, by stamps, and what may be there as well. */
  private final List<ConcurrentMap<Long, Long>> acknowledged = new ArrayList<>();

  private final Set<Long> unknown = ConcurrentHashMap.newKeySet();

  LargeValues(Deadlines deadlines) {
    this.deadlines = deadlines;
    for (int pair = 0; pair < PAIRS; pair++) {
      acknowledged.add(new ConcurrentSkipListMap<>());
    }
  }

  private static List<String> ids(int pair) {
    return List.of("large" + 2 * pair, "large" + (2 * pair + 1));
  }

  /** The value of a number, which is told by its length and letters alone. */
  private static String text(long number) {
    Random random = new Random(number);
    StringBuilder text = new StringBuilder().append(number).append(':');
    for (int left = random.nextInt(MOST_CHARS); left > 0; left--) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  @Override
  public void begin(Client client) {
    try (GraphTransaction tx = client.database.begin()) {
      if (tx.verticesById(ids(0), tx.snapshot()).get(0) == null) {
        for (int pair = 0; pair < PAIRS; pair++) {
          for (String id : ids(pair)) {
            tx.addVertex(id, "large", Map.of(KEY, text(0)), Stamp.AT_COMMIT);
          }
        }
        tx.commit();
      }
    }
  }

  @Override
  public boolean run(Client client, Random random) {
    long due = nextNanos.get();
    long now = System.nanoTime();
    if (now - due < 0 || !nextNanos.compareAndSet(due, now + PAUSE_NANOS)) {
      return false;
    }
    int pair = random.nextInt(PAIRS);
    if (random.nextInt(3) == 0) {
      try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
        read(tx, pair);
        reads.incrementAndGet();
      }
    } else {
      write(client, pair);
    }
    return true;
  }

  private void write(Client client, int pair) {
    long number = numbers.incrementAndGet();
    String text = text(number);
    try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
      for (long key : deadlines.of(Step.READ, () -> tx.vertexKeys(ids(pair)))) {
        tx.setVertexProperty(key, KEY, text, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      }
      acknowledged.get(pair).put(deadlines.of(Step.COMMIT, tx::commit), number);
    } catch (GraphMetaException e) {
      if (e.code().category() == ErrorCode.Category.UNCERTAIN) {
        unknown.add(number);
      }
      throw e;
    }
  }

  /** The number of a pair in a snapshot. */
  private long read(GraphTransaction tx, int pair) {
    List<@Nullable VertexRecord> found =
        deadlines.of(Step.READ, () -> tx.verticesById(ids(pair), tx.snapshot()));
    String first = text(found.get(0));
    assertThat(text(found.get(1)).equals(first)).as("both of pair %d are of one", pair).isTrue();
    long number = Long.parseLong(first.substring(0, first.indexOf(':')));
    assertThat(first.equals(text(number)))
        .as("value %d of pair %d is whole", number, pair)
        .isTrue();
    return number;
  }

  private static String text(@Nullable VertexRecord vertex) {
    assertThat(vertex).isNotNull();
    assertThat(vertex.properties()).hasSize(1);
    return (String) vertex.properties().get(0).value();
  }

  @Override
  public void assertHolds(Client client) {
    try (GraphTransaction tx = client.database.begin()) {
      for (int pair = 0; pair < PAIRS; pair++) {
        long last =
            acknowledged.get(pair).entrySet().stream()
                .max(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .orElse(0L);
        long number = read(tx, pair);
        if (!unknown.contains(number)) {
          assertThat(number).as("the last of pair %d", pair).isEqualTo(last);
        }
      }
    }
  }

  @Override
  public String tally() {
    return String.format(
        "%d large values written, %d acknowledged, %d unknown, read %d times",
        2 * numbers.get(),
        2 * acknowledged.stream().mapToInt(Map::size).sum(),
        2 * unknown.size(),
        reads.get());
  }
}
