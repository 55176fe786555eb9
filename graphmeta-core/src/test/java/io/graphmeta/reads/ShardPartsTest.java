package io.graphmeta.reads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShardPartsTest {
  @Test
  void eachPositionGoesToOneShard() {
    ShardParts parts = ShardParts.of(3, 5, position -> position % 2);
    assertThat(parts.only()).isEqualTo(-1);
    assertThat(parts.positions(0)).containsExactly(0, 2, 4);
    assertThat(parts.positions(1)).containsExactly(1, 3);
    assertThat(parts.positions(2)).isEmpty();
    assertThat(parts.part(List.of("a", "b", "c", "d", "e"), 1)).containsExactly("b", "d");
    assertThat(ShardParts.of(3, 5, position -> 2).only()).isEqualTo(2);
  }

  /** Another thread may learn that what is asked for was moved. */
  @Test
  void placesThatChangeMeanwhileAreTakenAsTheyWere() {
    int[] asked = new int[1];
    ShardParts parts = ShardParts.of(2, 4, position -> asked[0]++ < 2 ? 0 : 1);
    assertThat(parts.positions(0)).containsExactly(0, 1);
    assertThat(parts.positions(1)).containsExactly(2, 3);
  }
}
