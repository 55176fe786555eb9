package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the members of a group are written into the placement. */
final class NodeMovesTest {
  @Test
  void thoseThatStayAreWhereTheyWere() {
    List<String> placed = List.of("a", "b", "c");
    assertThat(NodeMoves.inOrder(Set.of("c", "b", "d"), placed)).containsExactly("d", "b", "c");
    assertThat(NodeMoves.inOrder(Set.of("a", "b", "c"), placed)).isEqualTo(placed);
  }

  @Test
  void aShardThatHasFewerGrows() {
    assertThat(NodeMoves.inOrder(Set.of("c", "a"), List.of("c"))).containsExactly("c", "a");
    assertThat(NodeMoves.inOrder(Set.of("b"), List.of("a", "b"))).containsExactly("b");
  }

  @Test
  void whoStaysHasHeardOfTheLastChange() {
    List<String> stay = List.of("a", "b", "c");
    assertThat(NodeMoves.withoutEntry(stay, Map.of("a", 7L, "b", 9L, "c", 8L), 7)).isEmpty();
    assertThat(NodeMoves.withoutEntry(stay, Map.of("a", 6L, "c", 7L), 7)).containsExactly("a", "b");
  }
}
