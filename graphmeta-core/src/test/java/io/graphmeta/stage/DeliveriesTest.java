package io.graphmeta.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.stage.level.Intake;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
  private final Deliveries delivered = new Deliveries(10);

  private static Request.Deliver message(int from, int number, int level, FrontierPart... parts) {
    return new Request.Deliver(new TraversalId(1, 1), level, from, number, List.of(parts));
  }

  private static FrontierPart vertices(int position, long... keys) {
    return FrontierPart.vertices(position, keys, new long[0]);
  }

  @Test
  void aMessageCountsOnceHoweverOftenItComes() {
    assertThat(delivered.add(message(1, 1, 0, vertices(0, 5, 6)))).isTrue();
    assertThat(delivered.add(message(1, 1, 0, vertices(0, 5, 6)))).isFalse();
    assertThat(delivered.add(message(2, 1, 0, vertices(0, 5)))).as("of another").isTrue();
    assertThat(delivered.size()).isEqualTo(3);
    assertThat(delivered.take(0)).hasSize(2);
    assertThat(delivered.size()).isZero();
    assertThat(delivered.add(message(1, 1, 0, vertices(0, 5, 6)))).as("taken before").isFalse();
    assertThat(delivered.take(0)).isEmpty();
  }

  @Test
  void eachLevelTakesItsOwn() {
    delivered.add(message(1, 1, 2, vertices(0, 5)));
    delivered.add(message(1, 2, 1, vertices(0, 6)));
    assertThat(delivered.take(0)).isEmpty();
    assertThat(delivered.take(1)).singleElement().extracting(FrontierPart::size).isEqualTo(1);
    assertThat(delivered.size()).isEqualTo(1);
    assertThat(delivered.take(2)).hasSize(1);
  }

  @Test
  void whatIsSentOnWithinALevelIsApart() {
    int part = Program.part(Program.position(3, 1), true);
    delivered.add(message(1, 1, 4, vertices(part, 5, 6)));
    delivered.add(message(1, 2, 5, vertices(0, 7)));
    assertThat(delivered.hasWithinLevel()).isTrue();
    assertThat(delivered.levelWithin()).isEqualTo(4);
    assertThat(delivered.take(4)).isEmpty();
    List<Intake.SentOn> taken = delivered.takeWithinLevel();
    assertThat(taken).singleElement().extracting(Intake.SentOn::level).isEqualTo(4);
    assertThat(taken.get(0).sender()).isEqualTo(Deliveries.sender(message(1, 1, 9)));
    assertThat(delivered.hasWithinLevel()).isFalse();
    assertThat(delivered.levelWithin()).isEqualTo(-1);
    assertThat(delivered.size()).isEqualTo(1);
  }

  @Test
  void theVerticesThatWaitForLevelsAreShown() {
    delivered.add(message(1, 1, 2, vertices(7, 5), vertices(8, 6)));
    delivered.add(message(1, 2, 2, vertices(Program.part(7, false), 9)));
    List<String> shown = new ArrayList<>();
    delivered.forEachVertices((position, keys) -> shown.add(position + ":" + keys[0]));
    assertThat(shown).containsExactlyInAnyOrder("7:5", "8:6");
  }

  @Test
  void moreThanAShardHoldsIsRefused() {
    delivered.add(message(1, 1, 0, vertices(0, 1, 2, 3, 4, 5, 6)));
    assertThatThrownBy(() -> delivered.add(message(1, 2, 0, vertices(0, 1, 2, 3, 4, 5))))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
    assertThat(delivered.size()).isEqualTo(6);
  }
}
