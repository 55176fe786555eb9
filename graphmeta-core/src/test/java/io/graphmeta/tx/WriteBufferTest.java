package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WriteBufferTest {
  private static PendingElement element(String id) {
    PendingElement element = new PendingElement(true, id, "file");
    element.addBody(Stamp.AT_COMMIT, id, new HashMap<>());
    return element;
  }

  /** The index of new edges is made when it is first asked for, before or behind any write. */
  @Test
  void newEdgesAreFoundFromBothEnds() {
    long first = Long.getLong("graphmeta.seed", 1);
    for (long seed = first; seed < first + 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WriteBuffer writes = new WriteBuffer(1 << 20);
      List<EdgeKey> expected = new ArrayList<>();
      int asking = random.nextInt(40);
      for (int i = 0; i < 40; i++) {
        if (i == asking) {
          writes.newEdges(0, true);
        }
        if (random.nextInt(3) > 0 || expected.isEmpty()) {
          EdgeKey key = new EdgeKey(random.nextInt(4), 1, random.nextInt(4), i);
          writes.createEdge(key, element(null), List.of());
          expected.add(key);
        } else {
          writes.cancelEdge(expected.remove(random.nextInt(expected.size())));
        }
      }
      writes.existingEdge(new EdgeKey(0, 1, 1, 99), null, "read");
      for (long vertex = 0; vertex < 4; vertex++) {
        long of = vertex;
        assertThat(writes.newEdges(vertex, true))
            .as("seed %s", seed)
            .containsExactlyElementsOf(expected.stream().filter(e -> e.out() == of).toList());
        assertThat(writes.newNeighbours(vertex, false))
            .as("seed %s", seed)
            .containsExactly(
                expected.stream().filter(e -> e.in() == of).mapToLong(EdgeKey::out).toArray());
      }
      assertThat(writes.newEdgeKeys()).as("seed %s", seed).containsExactlyElementsOf(expected);
      assertThat(writes.hasNewEdges()).isEqualTo(!expected.isEmpty());
    }
  }

  @Test
  void idsLeadToTheElementsThatHaveThem() {
    WriteBuffer writes = new WriteBuffer(1 << 20);
    writes.createVertex(1, element("a"), new long[] {7, 8});
    writes.createVertex(2, element("a"), new long[] {7, 8});
    writes.createVertex(3, element(null), new long[0]);
    assertThat(writes.verticesWithId("a")).containsExactly(1L, 2L);
    assertThat(writes.earlierVertices("a")).containsExactly(7, 8);
    writes.cancelVertex(1);
    assertThat(writes.verticesWithId("a")).containsExactly(2L);
    writes.cancelVertex(2);
    assertThat(writes.verticesWithId("a")).isEmpty();
    assertThat(writes.vertexIds()).isEmpty();
    assertThat(writes.isEmpty()).isFalse();
    writes.cancelVertex(3);
    assertThat(writes.isEmpty()).isTrue();
  }

  @Test
  void anElementThatHasEndedIsNotNew() {
    WriteBuffer writes = new WriteBuffer(1 << 20);
    EdgeKey edge = new EdgeKey(1, 1, 2, 3);
    writes.createEdge(edge, element("e"), List.of());
    assertThat(writes.newEdge(edge)).isNotNull();
    writes.endEdge(edge, 50);
    assertThat(writes.newEdge(edge)).isNull();
    assertThat(writes.endOfEdge(edge)).isEqualTo(50);
    writes.createVertex(1, element("a"), new long[0]);
    writes.existingVertex(1, "a", "file").delete(Stamp.AT_COMMIT);
    assertThat(writes.newVertex(1)).isNull();
    assertThat(writes.existingVertex(2, "b", "file").isCreated()).isFalse();
    assertThat(writes.newVertex(2)).isNull();
  }

  @Test
  void aWriteThatWouldTakeTooMuchIsNotCounted() {
    WriteBuffer writes = new WriteBuffer(1000);
    writes.charge(600);
    assertThatThrownBy(() -> writes.charge(401)).hasMessageContaining("more than 1000 bytes");
    writes.charge(400);
    assertThatThrownBy(() -> writes.requireRoom(1)).hasMessageContaining("more than 1000 bytes");
  }

  /** Elements with and without ids are created and cancelled, some of them ended or deleted. */
  @Test
  void onlyWhatIsThereIsNewAndHasItsId() {
    long first = Long.getLong("graphmeta.seed", 1);
    for (long seed = first; seed < first + 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WriteBuffer writes = new WriteBuffer(1 << 20);
      Map<EdgeKey, PendingElement> edges = new LinkedHashMap<>();
      Map<Long, PendingElement> vertices = new LinkedHashMap<>();
      for (int i = 1; i <= 30; i++) {
        String id = random.nextInt(3) == 0 ? null : "id" + random.nextInt(4);
        EdgeKey edge = new EdgeKey(1, 1, 2, i);
        edges.put(edge, element(id));
        writes.createEdge(edge, edges.get(edge), List.of(new EdgeKey(9, 1, 9, i)));
        vertices.put((long) i, element(id));
        writes.createVertex(i, vertices.get((long) i), new long[] {100 + i});
        if (id != null) {
          assertThat(writes.earlierEdges(id)).containsExactly(new EdgeKey(9, 1, 9, i));
          assertThat(writes.earlierVertices(id)).containsExactly(100 + i);
        }
        if (random.nextInt(2) == 0) {
          EdgeKey goes = List.copyOf(edges.keySet()).get(random.nextInt(edges.size()));
          edges.remove(goes);
          writes.cancelEdge(goes);
          long leaves = List.copyOf(vertices.keySet()).get(random.nextInt(vertices.size()));
          vertices.remove(leaves);
          writes.cancelVertex(leaves);
        }
      }
      assertThat(writes.edges()).as("seed %s", seed).isEqualTo(edges);
      assertThat(writes.vertices()).as("seed %s", seed).isEqualTo(vertices);
      assertThat(writes.hasNewEdges()).as("seed %s", seed).isEqualTo(!edges.isEmpty());
      assertThat(writes.edgeIds()).as("seed %s", seed).isEqualTo(byId(edges));
      assertThat(writes.vertexIds()).as("seed %s", seed).isEqualTo(byId(vertices));
      for (int id = 0; id < 4; id++) {
        assertThat(writes.edgesWithId("id" + id))
            .as("seed %s", seed)
            .isEqualTo(byId(edges).getOrDefault("id" + id, List.of()));
      }
      edges.forEach((key, edge) -> assertThat(writes.newEdge(key)).isSameAs(edge));
      vertices.forEach((key, vertex) -> assertThat(writes.newVertex(key)).isSameAs(vertex));
      vertices.forEach((key, vertex) -> assertThat(writes.vertex(key)).isSameAs(vertex));
      edges.keySet().forEach(writes::cancelEdge);
      assertThat(writes.hasNewEdges()).as("seed %s", seed).isFalse();
    }
  }

  private static <K> Map<String, List<K>> byId(Map<K, PendingElement> elements) {
    Map<String, List<K>> byId = new HashMap<>();
    elements.forEach(
        (key, element) -> {
          if (element.givenId() != null) {
            byId.computeIfAbsent(element.givenId(), any -> new ArrayList<>()).add(key);
          }
        });
    return byId;
  }

  @Test
  void anElementThatIsThereIsNotNewAndIsHeldOnce() {
    WriteBuffer writes = new WriteBuffer(1 << 20);
    EdgeKey key = new EdgeKey(1, 1, 2, 3);
    PendingElement edge = writes.existingEdge(key, "e", "read");
    assertThat(writes.existingEdge(key, "e", "read")).isSameAs(edge);
    assertThat(writes.edge(key)).isSameAs(edge);
    assertThat(edge.label()).isEqualTo("read");
    assertThat(writes.newEdge(key)).isNull();
    assertThat(writes.hasNewEdges()).isFalse();
    assertThat(writes.newEdgeKeys()).isEmpty();
    assertThat(writes.edgesWithId("e")).isEmpty();
  }
}
