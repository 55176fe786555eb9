package io.graphmeta.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.PagedShards.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A failure names its seed; {@code -Dgraphmeta.seed=N} runs it alone. */
class FrontierStreamTest {
  private static final FrontierStream.Edges ALL =
      new FrontierStream.Edges(true, new int[0], ReadView.at(1), Detail.KEYS);

  private record Reached(int index, Element edge) {}

  @Test
  void edgesComeInTheOrderOfTheFrontierWhereverTheyLie() {
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 500 : given); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int shards = 1 + random.nextInt(4);
      PagedShards paged = new PagedShards(shards, 1 + random.nextInt(6));
      long[] vertices = vertices(shards, 1 + random.nextInt(8));
      List<Element> all = fill(paged, vertices, random);
      long[] frontier = random.longs(random.nextInt(12), 0, vertices.length).toArray();
      List<Reached> expected = new ArrayList<>();
      for (int i = 0; i < frontier.length; i++) {
        long vertex = vertices[(int) frontier[i]];
        frontier[i] = vertex;
        int index = i;
        all.stream()
            .filter(edge -> edge.owner() == vertex)
            .forEach(edge -> expected.add(new Reached(index, edge)));
      }
      assertThat(reached(paged, frontier)).as("seed %s", seed).isEqualTo(expected);
    }
  }

  private static long[] vertices(int shards, int count) {
    long[] vertices = new long[count];
    for (int i = 0; i < count; i++) {
      vertices[i] = VertexKeys.pack(1, i + 1, i % shards);
    }
    return vertices;
  }

  /** Edges at random; half of the vertices have all of theirs at home. */
  private static List<Element> fill(PagedShards shards, long[] vertices, SplittableRandom random) {
    List<Element> all = new ArrayList<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      long owner = vertices[random.nextInt(vertices.length)];
      all.add(new Element(owner, 1 + random.nextInt(2), random.nextInt(4) - 1, i));
    }
    all.sort(Element.ORDER);
    for (Element edge : all) {
      int home = VertexKeys.virtualNode(edge.owner());
      boolean split = VertexKeys.counter(edge.owner()) % 2 == 0;
      shards.on(split ? random.nextInt(shards.router().shards()) : home).add(edge);
    }
    return all;
  }

  private static List<Reached> reached(PagedShards shards, long[] frontier) {
    FrontierStream stream = new FrontierStream(shards.router(), frontier, ALL);
    List<Reached> found = new ArrayList<>();
    while (stream.next()) {
      Element edge = Element.at(stream.page(), stream.element(), true);
      found.add(new Reached(stream.index(), edge));
    }
    assertThat(stream.next()).as("behind the end").isFalse();
    return found;
  }

  @Test
  void splitVerticesOfOnePageCostOneBatchOnEachShard() {
    PagedShards shards = new PagedShards(4, 1000);
    long[] vertices = vertices(4, 40);
    fill(shards, vertices, new SplittableRandom(4));
    reached(shards, vertices);
    for (int shard = 0; shard < 4; shard++) {
      // As a home once, and once for the split vertices of each other home.
      assertThat(shards.requests(shard)).isBetween(1, 4);
    }
    assertThat(IntStream.range(0, 4).map(shards::requests).sum()).isGreaterThan(4);
  }

  @Test
  void aCallerThatStopsEarlyAsksOnlyTheFirstHome() {
    PagedShards shards = new PagedShards(3, 10);
    long[] vertices = vertices(3, 3);
    for (long vertex : vertices) {
      shards.on(VertexKeys.virtualNode(vertex)).add(new Element(vertex, 1, 7, 1));
    }
    FrontierStream stream = new FrontierStream(shards.router(), vertices, ALL);
    assertThat(stream.next()).isTrue();
    assertThat(shards.requests(0)).isEqualTo(1);
    assertThat(shards.requests(1)).isZero();
  }
}
