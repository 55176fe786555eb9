package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
}
