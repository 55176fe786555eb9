package io.graphmeta.shard.commits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Answers that are given when a lock is free, with memory and without. */
final class AnsweringLockTest {
  private final List<String> given = new ArrayList<>();
  private final AtomicInteger freed = new AtomicInteger();
  private final AnsweringLock lock = new AnsweringLock(freed::incrementAndGet, () -> {});

  private final class Named extends AnsweringLock.Answer {
    private final String name;
    private int failures;

    Named(String name, int failures) {
      this.name = name;
      this.failures = failures;
    }

    @Override
    void give() {
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      if (failures-- > 0) {
        throw new OutOfMemoryError("of the test");
      }
      if (!isGiven()) {
        given.add(name);
      }
    }

    @Override
    boolean isGiven() {
      return given.contains(name);
    }
  }

  private void leave(Named... answers) {
    lock.lock();
    lock.lock();
    try {
      for (Named answer : answers) {
        lock.answerLater(answer);
        lock.answerLater(answer);
      }
    } finally {
      lock.unlock();
      assertThat(answers).noneMatch(AnsweringLock.Answer::isGiven);
      lock.unlock();
    }
  }

  @Test
  void answersAreGivenInTheirOrderWhenTheLockIsFree() {
    leave(new Named("a", 0), new Named("b", 1), new Named("c", 0));
    assertThat(given).containsExactly("a", "b", "c");
    assertThat(freed).hasValue(1);
  }

  @Test
  void answersThatCannotBeGivenAreGivenLater() {
    leave(new Named("a", 2), new Named("b", 4), new Named("c", 0), new Named("d", 3));
    assertThat(given).containsExactly("c");
    leave(new Named("e", 0));
    assertThat(given).containsExactlyInAnyOrder("c", "a", "d", "e");
    leave();
    assertThat(given).containsExactlyInAnyOrder("c", "a", "d", "e", "b");
    leave();
    assertThat(given).doesNotHaveDuplicates();
  }

  @Test
  void answersThatAreLeftAgainFollowWhatOthersLeft() {
    leave(new Named("a", 2));
    leave(new Named("b", 2), new Named("c", 2));
    assertThat(given).containsExactly("a");
    leave();
    assertThat(given).containsExactlyInAnyOrder("a", "b", "c");
  }
}
