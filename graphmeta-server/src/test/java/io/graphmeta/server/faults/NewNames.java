package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes elements under labels and property keys that nobody has used before, or that others are
 * using for the first time now, and reads what other clients have written under theirs. Each name
 * means the same to all clients, and none is defined twice.
 */
final class NewNames implements Work {
  /** How often a name is used until the next one is. */
  private static final int USES = 6;

  /** How many there are at most; then the last one is used. */
  private static final int MOST_NAMES = 1_000;

  private static final int BATCH = 200;

  /** What was acknowledged: two vertices, and an edge from the first to the second. */
  private record Written(int name, long number, EdgeKey edge, long stamp) {
    List<String> ids() {
      return List.of("from" + number, "to" + number);
    }
  }

  private final Deadlines deadlines;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicLong looks = new AtomicLong();
  private final List<Written> written = new CopyOnWriteArrayList<>();

  NewNames(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  @Override
  public void begin(Client client) {
    // Each write defines what it needs.
  }

  @Override
  public boolean run(Client client, Random random) {
    if (written.isEmpty() || random.nextInt(3) > 0) {
      write(client);
    } else {
      look(client, List.of(written.get(random.nextInt(written.size()))));
      looks.incrementAndGet();
    }
    return true;
  }

  private void write(Client client) {
    long number = numbers.incrementAndGet();
    int name = (int) Math.min(number / USES, MOST_NAMES);
    try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
      Map<String, Long> values = Map.of("key" + name, number);
      long from = tx.addVertex("from" + number, "kind" + name, values, Stamp.AT_COMMIT);
      long to = tx.addVertex("to" + number, "kind" + name, values, Stamp.AT_COMMIT);
      EdgeKey edge = tx.addEdge(null, from, "edge" + name, to, values, Stamp.AT_COMMIT);
      long stamp = deadlines.of(Step.COMMIT, tx::commit);
      if (written.size() < MOST_NAMES * USES) {
        written.add(new Written(name, number, edge, stamp));
      }
    } catch (GraphMetaException e) {
      if (e.code().category() == ErrorCode.Category.UNCERTAIN) {
        unknown.incrementAndGet();
      }
      throw e;
    }
  }

  /** Another client may begin a little before what was written; it sees all of it, or nothing. */
  private void look(Client client, List<Written> some) {
    try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
      List<String> ids = some.stream().flatMap(what -> what.ids().stream()).toList();
      List<EdgeKey> keys = some.stream().map(Written::edge).toList();
      List<@Nullable VertexRecord> vertices =
          deadlines.of(Step.READ, () -> tx.verticesById(ids, tx.snapshot()));
      List<@Nullable EdgeRecord> edges =
          deadlines.of(Step.READ, () -> tx.edges(keys, tx.snapshot()));
      for (int i = 0; i < some.size(); i++) {
        Written what = some.get(i);
        boolean isThere = tx.snapshot().knownAt() >= what.stamp();
        assertVertex(vertices.get(2 * i), what, isThere);
        assertVertex(vertices.get(2 * i + 1), what, isThere);
        assertEdge(edges.get(i), what, isThere);
      }
    }
  }

  private static void assertVertex(@Nullable VertexRecord vertex, Written what, boolean isThere) {
    assertThat(vertex != null).as("vertex of %s", what).isEqualTo(isThere);
    if (vertex != null) {
      assertThat(vertex.label()).as("%s", what).isEqualTo("kind" + what.name());
      assertValue(vertex.properties(), what);
    }
  }

  private static void assertEdge(@Nullable EdgeRecord edge, Written what, boolean isThere) {
    assertThat(edge != null).as("edge of %s", what).isEqualTo(isThere);
    if (edge != null) {
      assertThat(edge.label()).as("%s", what).isEqualTo("edge" + what.name());
      assertValue(edge.properties(), what);
    }
  }

  private static void assertValue(List<PropertyRecord> properties, Written what) {
    assertThat(properties).as("%s", what).hasSize(1);
    assertThat(properties.get(0).key()).as("%s", what).isEqualTo("key" + what.name());
    assertThat(properties.get(0).value()).as("%s", what).isEqualTo(what.number());
  }

  @Override
  public void assertHolds(Client client) {
    List<Written> all = List.copyOf(written);
    for (int from = 0; from < all.size(); from += BATCH) {
      look(client, all.subList(from, Math.min(all.size(), from + BATCH)));
    }
    assertDefinedOnce(client.database.vertexLabels());
    assertDefinedOnce(client.database.edgeLabels());
  }

  private static void assertDefinedOnce(List<String> names) {
    assertThat(new ArrayList<>(names)).as("names that are defined").doesNotHaveDuplicates();
  }

  @Override
  public String tally() {
    return String.format(
        "%d names of labels and keys written with, %d acknowledged, %d unknown, read %d times",
        Math.min(numbers.get() / USES, MOST_NAMES) + 1, written.size(), unknown.get(), looks.get());
  }
}
