package io.graphmeta.router;

import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.PartState.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client has heard of the parts of a transaction whose answers it missed, in rounds of
 * questions to all participants. The answers of a round are of different moments, and any time may
 * lie between them: meanwhile the participants can find out the outcome by themselves and forget
 * it. So a part that was held when one was asked, and one that was covered when another was, tell
 * nothing together; unless the one is still held when it is asked after the other has answered.
 *
 * <p>Used by one thread.
 */
final class PartsHeard {
  private final boolean[] held;
  private boolean covered;

  /** Nothing was heard yet. */
  PartsHeard(int participants) {
    held = new boolean[participants];
  }

  /**
   * Takes the answers of a round in which every question was asked after all answers of the round
   * before had come.
   *
   * @param states the state at each participant, in the same order each time; null for one that did
   *     not answer
   * @return what became of the transaction; null if another round may tell
   */
  @Nullable Outcome round(List<@Nullable PartState> states) {
    if (states.contains(PartState.COMMITTED)) {
      return Outcome.COMMITTED;
    }
    if (states.contains(PartState.ABSENT)) {
      return Outcome.ABORTED;
    }
    for (int i = 0; i < held.length; i++) {
      held[i] |= states.get(i) == PartState.HELD;
    }
    if (allHeld()) {
      return Outcome.COMMITTED; // each was durable once, which is what decides
    }
    if (covered && states.contains(PartState.HELD)) {
      return Outcome.ABORTED; // nobody forgets a commit while one does not know of it
    }
    covered |= states.contains(PartState.COVERED);
    return states.stream().allMatch(state -> state == PartState.COVERED) ? Outcome.UNKNOWN : null;
  }

  private boolean allHeld() {
    for (boolean part : held) {
      if (!part) {
        return false;
      }
    }
    return true;
  }
}
