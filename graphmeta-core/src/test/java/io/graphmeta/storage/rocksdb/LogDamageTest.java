package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damages the logs of stores at random, and compares what opens with what was promised. Either all
 * that was promised is there, and of the rest a beginning, or the store is refused as damaged. An
 * end that was not synced never keeps a store from opening.
 *
 * <p>{@code -Dgraphmeta.log-damage.rounds=N} sets how often, {@code -Dgraphmeta.seed=S} the first
 * seed.
 */
@Timeout(7200)
class LogDamageTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.log-damage.rounds", 8);

  @TempDir private Path temporary;

  /** What happens to the files of a store that was left. */
  enum Event {
    /** The power fails: of what was not synced any part may be gone. */
    POWER_LOSS,
    /** Files of a store whose process was killed are damaged. */
    DAMAGE,
    /** As DAMAGE, and the file that says how far the log was synced is old or gone. */
    DAMAGE_AND_NO_SYNCED_FILE,
    /** Files of a store that was closed are damaged. */
    DAMAGE_WHEN_CLOSED
  }

  private enum Outcome {
    OPENED,
    REFUSED
  }

  @ParameterizedTest
  @EnumSource(Event.class)
  void eitherAllThatWasPromisedIsThereOrTheStoreIsRefused(Event event) throws Exception {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (long seed = first; seed < first + ROUNDS; seed++) {
      try {
        outcomes.merge(
            round(event, new Random(seed), temporary.resolve("s" + seed)), 1, Integer::sum);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            event + " with -Dgraphmeta.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
    System.out.println(event + " from seed " + first + ": " + outcomes);
    if (event == Event.POWER_LOSS) {
      assertThat(outcomes).containsOnlyKeys(Outcome.OPENED);
    } else if (ROUNDS >= 8) {
      assertThat(outcomes).as("damage is refused at times").containsKey(Outcome.REFUSED);
    }
  }

  /** Some runs of one store, each with an end of its own. */
  private static Outcome round(Event event, Random random, Path base) throws Exception {
    LoggedStore store = new LoggedStore(base, random);
    for (int run = 0; run < 3; run++) {
      store.run(event == Event.DAMAGE_WHEN_CLOSED);
      long promised;
      if (event == Event.POWER_LOSS) {
        store.losePower();
        promised = store.synced();
      } else {
        store.damage(event == Event.DAMAGE_AND_NO_SYNCED_FILE);
        promised =
            event == Event.DAMAGE_AND_NO_SYNCED_FILE ? store.syncedAsClaimed() : store.synced();
      }
      try {
        store.reopen();
      } catch (GraphMetaException e) {
        assertThat(event).as("opens by itself: " + e.getMessage()).isNotEqualTo(Event.POWER_LOSS);
        assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.CORRUPTION);
        assertThat(e.getMessage()).contains("damaged", base.getFileName().toString());
        store.assertOpensIfAllowed();
        return Outcome.REFUSED;
      }
      store.assertHoldsABeginning(promised);
    }
    store.close();
    return Outcome.OPENED;
  }
}
