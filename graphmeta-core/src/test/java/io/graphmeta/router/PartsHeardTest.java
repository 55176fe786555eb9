package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.PartState.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Participants of one transaction, each step of which happens at any moment: parts arrive or never
 * do, outcomes are found out from answers of different moments, and forgotten; meanwhile a client
 * asks, and its questions and their answers take any time. What it concludes is true.
 */
class PartsHeardTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.rounds", 20_000);
  private static final int MOST_QUESTIONS = 12;
  private static final int STEPS_BETWEEN = 8;

  /** A shard with its part, by the rules of intents. */
  private static final class Participant {
    /** Null before anything came. */
    private @Nullable PartState state;

    private final boolean arrives;
    private boolean wasHeld;
    private boolean committed;
    private boolean undone;

    /** What it has heard of the others, as long as it asks. */
    private @Nullable PartState[] heard = {};

    Participant(boolean arrives) {
      this.arrives = arrives;
    }

    void arrive() {
      if (arrives && state == null) {
        state = PartState.HELD;
        wasHeld = true;
      }
    }

    PartState asked() {
      if (state == null) {
        state = PartState.ABSENT;
      }
      return state;
    }

    boolean knows() {
      return state == PartState.ABSENT || state == PartState.COVERED || committed || undone;
    }

    /** Its watermark passes the stamp: what is not held, or undone, is covered. */
    void cover() {
      if (state == PartState.ABSENT || undone) {
        state = PartState.COVERED;
      }
    }
  }

  private final Random random;
  private final List<Participant> all = new ArrayList<>();

  PartsHeardTest() {
    random = new Random();
  }

  private static int draw(Random random, int most) {
    return random.nextInt(most);
  }

  @Test
  void whatAClientConcludesIsTrue() {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (int round = 0; round < ROUNDS; round++) {
      Outcome outcome = run(first + round);
      outcomes.merge(outcome, 1, Integer::sum);
    }
    System.out.println("first seed " + first + ": " + outcomes);
    assertThat(outcomes.keySet()).contains(Outcome.COMMITTED, Outcome.ABORTED);
  }

  private Outcome run(long seed) {
    random.setSeed(seed);
    all.clear();
    boolean whole = random.nextBoolean();
    int count = 2 + draw(random, 3);
    for (int i = 0; i < count; i++) {
      all.add(new Participant(whole || random.nextBoolean()));
    }
    if (draw(random, 4) > 0) {
      all.forEach(Participant::arrive); // only the answers were lost
    }
    PartsHeard heard = new PartsHeard(count);
    Outcome outcome = null;
    for (int question = 0; outcome == null && question < MOST_QUESTIONS; question++) {
      outcome = heard.round(answers(count));
    }
    // Whatever is left happens, and then all is decided.
    for (int i = 0; i < 100 * count; i++) {
      step();
    }
    String what = "-Dgraphmeta.seed=" + seed;
    boolean committed = all.stream().allMatch(each -> each.wasHeld);
    if (outcome == Outcome.COMMITTED) {
      assertThat(committed).as(what).isTrue();
    } else if (outcome == Outcome.ABORTED) {
      assertThat(committed).as(what).isFalse();
    }
    return outcome == null ? Outcome.UNKNOWN : outcome;
  }

  /** The answers of a round, between which anything happens; some never come. */
  private List<@Nullable PartState> answers(int count) {
    @Nullable PartState[] answers = new PartState[count];
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    for (int participant : order) {
      for (int i = draw(random, STEPS_BETWEEN); i > 0; i--) {
        step();
      }
      if (draw(random, 10) > 0) {
        answers[participant] = all.get(participant).asked();
      }
    }
    return Arrays.asList(answers);
  }

  private void step() {
    Participant one = all.get(draw(random, all.size()));
    switch (draw(random, 5)) {
      case 0 -> one.arrive();
      case 1, 2 -> findOut(one);
      case 3 -> one.cover();
      default -> {
        if (one.committed && all.stream().allMatch(Participant::knows)) {
          one.state = PartState.COVERED; // forgotten
        }
      }
    }
  }

  /** A participant that holds its part asks one of the others; at last it takes the outcome. */
  private void findOut(Participant one) {
    if (one.state != PartState.HELD) {
      return;
    }
    int self = all.indexOf(one);
    if (one.heard.length == 0) {
      one.heard = new PartState[all.size()];
      one.heard[self] = PartState.HELD;
    }
    for (int i = 0; i < one.heard.length; i++) {
      if (one.heard[i] == null) {
        one.heard[i] = all.get(i).asked();
        return;
      }
    }
    if (PartState.outcome(Arrays.asList(one.heard)) == Outcome.COMMITTED) {
      one.committed = true;
      one.state = PartState.COMMITTED;
    } else {
      one.undone = true;
      one.state = PartState.ABSENT;
    }
  }
}
