package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.Response.ReplicaState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a shard has lost its majority, and with which replica it can go on. */
final class LostMajorityTest {
  private static final List<String> THREE = List.of("a", "b", "c");

  private static ReplicaState state(long lastTerm, long last, String... members) {
    return new ReplicaState(0, lastTerm, lastTerm, last, last - 1, last - 2, 77, List.of(members));
  }

  private static Optional<LostMajority> look(
      List<String> replicas, Set<String> gone, Map<String, ReplicaState> told) {
    return LostMajority.of(4, 0, replicas, replicas, gone, told);
  }

  @Test
  void aMajorityThatIsLeftIsNotGivenUp() {
    ReplicaState c = state(3, 9, "a", "b", "c");
    assertThat(look(THREE, Set.of("a"), Map.of("b", c, "c", c))).isEmpty();
    assertThat(look(THREE, Set.of(), Map.of("c", c))).as("silent, and not lost").isEmpty();
    assertThat(look(List.of("c"), Set.of("a", "b"), Map.of("c", state(3, 9, "c")))).isEmpty();
  }

  @Test
  void theOneThatIsLeftGoesOn() {
    LostMajority lost =
        look(THREE, Set.of("a", "b", "x"), Map.of("c", state(3, 9, "a", "b", "c"))).orElseThrow();
    assertThat(lost.keeps()).isEqualTo("c");
    assertThat(lost.lost()).containsExactly("a", "b");
    assertThat(lost.settled()).isEqualTo(77);
    assertThat(lost.problem()).isEmpty();
  }

  @Test
  void ofSeveralTheOneWithTheLaterTermAndTheLongerLogGoesOn() {
    List<String> five = List.of("a", "b", "c", "d", "e");
    String[] members = five.toArray(String[]::new);
    Set<String> gone = Set.of("c", "d", "e");
    assertThat(
            look(five, gone, Map.of("a", state(3, 900, members), "b", state(4, 10, members)))
                .orElseThrow()
                .keeps())
        .as("a longer log of an earlier term may never have been agreed on")
        .isEqualTo("b");
    assertThat(
            look(five, gone, Map.of("a", state(4, 11, members), "b", state(4, 10, members)))
                .orElseThrow()
                .keeps())
        .isEqualTo("a");
  }

  @Test
  void whoMayHaveMoreAndIsSilentIsWaitedForOrNamed() {
    List<String> five = List.of("a", "b", "c", "d", "e");
    LostMajority lost =
        look(five, Set.of("c", "d", "e"), Map.of("a", state(4, 11, "a", "b", "c", "d", "e")))
            .orElseThrow();
    assertThat(lost.keeps()).isEmpty();
    assertThat(lost.problem()).startsWith("b may have more of it");
  }

  @Test
  void withoutAnyReplicaThereIsOnlyABackup() {
    LostMajority lost = look(THREE, Set.of("a", "b", "c"), Map.of()).orElseThrow();
    assertThat(lost.keeps()).isEmpty();
    assertThat(lost.problem()).contains("backup");
    assertThat(lost.settled()).isZero();
  }

  /** The placement follows the group, and may be behind it. */
  @Test
  void theGroupKnowsItsMembersAndNotThePlacement() {
    Map<String, ReplicaState> told =
        Map.of("c", state(3, 9, "a", "b", "c"), "d", state(3, 20, "a", "b", "d"));
    LostMajority lost =
        LostMajority.of(4, 0, THREE, List.of("a", "b", "d"), Set.of("a", "b"), told).orElseThrow();
    assertThat(lost.keeps()).as("c was replaced by d").isEqualTo("d");
    LostMajority silent =
        LostMajority.of(
                4, 0, THREE, List.of("a", "b", "d"), Set.of("a", "b"), Map.of("c", told.get("c")))
            .orElseThrow();
    assertThat(silent.problem()).startsWith("d may have more of it");
  }

  /** Who is about to be taken in, or is of a former generation, is nobody to go on with. */
  @Test
  void whoHasNoSayIsNotLeft() {
    Map<String, ReplicaState> told =
        Map.of("c", state(3, 9, "a", "b", "c"), "d", state(3, 20, "a", "b", "c"));
    assertThat(
            LostMajority.of(4, 0, THREE, List.of("a", "b", "d"), Set.of("a", "b"), told)
                .orElseThrow()
                .keeps())
        .isEqualTo("c");
    assertThat(
            LostMajority.of(4, 1, THREE, THREE, Set.of("a", "b"), Map.of("c", told.get("c")))
                .orElseThrow()
                .problem())
        .contains("no replica of it is left");
  }
}
