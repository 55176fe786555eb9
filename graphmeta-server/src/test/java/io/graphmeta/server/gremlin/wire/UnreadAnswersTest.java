package io.graphmeta.server.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.gremlin.rules.Refusal;
import org.junit.jupiter.api.Test;

/** How many bytes of answers may wait for browsers. */
final class UnreadAnswersTest {
  @Test
  void whatIsTooMuchIsRefusedAndNotCounted() {
    UnreadAnswers unread = new UnreadAnswers(1_000);
    unread.add(600);
    unread.add(400);
    assertThatThrownBy(() -> unread.add(1))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Answers of 1,000 bytes wait");
    assertThat(unread.bytes()).isEqualTo(1_000);
    unread.remove(600);
    unread.add(500);
    assertThat(unread.bytes()).isEqualTo(900);
  }

  @Test
  void oneAnswerOfTheLargestSizeAlwaysHasRoom() {
    UnreadAnswers unread = UnreadAnswers.ofMemory(Integer.MAX_VALUE);
    unread.add(Integer.MAX_VALUE);
    assertThat(unread.bytes()).isEqualTo(Integer.MAX_VALUE);
  }
}
