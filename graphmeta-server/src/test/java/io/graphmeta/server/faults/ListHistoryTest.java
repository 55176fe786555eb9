package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.faults.ListHistory.Outcome;
import io.graphmeta.server.faults.ListHistory.Read;
import io.graphmeta.server.faults.ListHistory.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * That the checker finds what is planted, each thing by its name, and nothing where all is well.
 */
class ListHistoryTest {
  private final ListHistory history = new ListHistory();

  /** A transaction of a history made by hand, with what is usual where nothing is said. */
  private final class Made {
    private final long number;
    private final long snapshot;
    private final List<Read> reads = new ArrayList<>();
    private final Set<String> appended = new LinkedHashSet<>();
    private long session;
    private long told;

    Made(long number, long snapshot) {
      this.number = number;
      this.snapshot = snapshot;
    }

    Made read(String list, String text) {
      reads.add(Read.of(list, text));
      return this;
    }

    Made append(String... lists) {
      appended.addAll(List.of(lists));
      return this;
    }

    Made after(long ownStamp, long anyStamp) {
      session = ownStamp;
      told = anyStamp;
      return this;
    }

    void ends(Outcome outcome, long stamp) {
      history.add(
          new Transaction(number, session, told, snapshot, outcome, stamp, reads, appended));
    }

    void committed(long stamp) {
      ends(Outcome.ACKNOWLEDGED, stamp);
    }
  }

  private Made transaction(long number, long snapshot) {
    return new Made(number, snapshot);
  }

  private void assertFinds(Map<String, String> lists, String... words) {
    List<String> violations = history.violations(lists);
    if (words.length == 0) {
      assertThat(violations).isEmpty();
    }
    for (String word : words) {
      assertThat(violations).anyMatch(violation -> violation.contains(word));
    }
  }

  @Test
  void whatIsWellIsWell() {
    transaction(1, 10).read("x", "").append("x").committed(20);
    transaction(2, 25).after(20, 20).read("x", "1;").read("y", "").append("x", "y").committed(30);
    transaction(3, 35).read("x", "1;2;").append("x").ends(Outcome.REFUSED, 0);
    transaction(4, 35).read("x", "1;2;").append("x", "y").ends(Outcome.UNKNOWN, 0);
    transaction(5, 36).read("y", "2;").append("y").ends(Outcome.UNKNOWN, 0);
    transaction(6, 50).read("x", "1;2;4;").read("y", "2;4;").ends(Outcome.ACKNOWLEDGED, 0);
    assertFinds(Map.of("x", "1;2;4;", "y", "2;4;"));
  }

  @Test
  void writeSkewIsAllowed() {
    transaction(1, 10).read("x", "").read("y", "").append("x").committed(20);
    transaction(2, 10).read("x", "").read("y", "").append("y").committed(21);
    assertFinds(Map.of("x", "1;", "y", "2;"));
  }

  @Test
  void whatWasAcknowledgedAndIsNotThere() {
    transaction(1, 10).append("x").committed(20);
    assertFinds(Map.of("x", ""), "is in 0 of its lists");
  }

  @Test
  void whatWasRefusedAndIsThere() {
    transaction(1, 10).append("x").ends(Outcome.REFUSED, 0);
    assertFinds(Map.of("x", "1;"), "is in 1 of its lists");
  }

  @Test
  void whatIsThereInPart() {
    transaction(1, 10).append("x", "y").ends(Outcome.UNKNOWN, 0);
    assertFinds(Map.of("x", "1;", "y", ""), "is in 1 of its lists");
  }

  @Test
  void whatNobodyAppendedAndWhatIsThereTwice() {
    transaction(1, 10).append("x").committed(20);
    assertFinds(Map.of("x", "1;9;1;"), "9 is in x, to which nobody", "1 is twice in x");
  }

  @Test
  void aReadOfWhatWasUndone() {
    transaction(1, 10).append("x").ends(Outcome.UNKNOWN, 0);
    transaction(2, 20).read("x", "1;").ends(Outcome.ACKNOWLEDGED, 0);
    assertFinds(Map.of("x", ""), "does not begin", "G1A");
  }

  @Test
  void aReadOfAnOrderThatNeverWas() {
    transaction(1, 10).append("x").committed(20);
    transaction(2, 20).append("x").committed(30);
    transaction(3, 30).read("x", "2;1;").ends(Outcome.ACKNOWLEDGED, 0);
    assertFinds(Map.of("x", "1;2;"), "does not begin");
  }

  @Test
  void aLostUpdate() {
    transaction(1, 10).read("x", "").append("x").committed(20);
    transaction(2, 10).read("x", "").append("x").committed(30);
    assertFinds(Map.of("x", "1;2;"), "G_SINGLE");
  }

  @Test
  void halfOfATransaction() {
    transaction(1, 10).append("x", "y").committed(20);
    transaction(2, 30).read("x", "1;").read("y", "").ends(Outcome.ACKNOWLEDGED, 0);
    assertFinds(Map.of("x", "1;", "y", "1;"), "G_SINGLE", "too little of y");
  }

  @Test
  void writesInOppositeOrders() {
    transaction(1, 10).append("x", "y").ends(Outcome.UNKNOWN, 0);
    transaction(2, 10).append("x", "y").ends(Outcome.UNKNOWN, 0);
    assertFinds(Map.of("x", "1;2;", "y", "2;1;"), "G0");
  }

  @Test
  void aCircleOfReads() {
    transaction(1, 10).read("y", "2;").append("x").ends(Outcome.UNKNOWN, 0);
    transaction(2, 10).read("x", "1;").append("y").ends(Outcome.UNKNOWN, 0);
    assertFinds(Map.of("x", "1;", "y", "2;"), "G1C");
  }

  @Test
  void readsBesideTheirSnapshot() {
    transaction(1, 10).append("x").committed(20);
    transaction(2, 20).append("x").committed(30);
    transaction(3, 25).read("x", "1;2;").ends(Outcome.ACKNOWLEDGED, 0);
    transaction(4, 35).read("x", "1;").ends(Outcome.ACKNOWLEDGED, 0);
    assertFinds(Map.of("x", "1;2;"), "too much of x", "too little of x");
  }

  @Test
  void stampsThatDoNotRise() {
    transaction(1, 10).append("x").committed(30);
    transaction(2, 10).append("x").committed(20);
    transaction(3, 40).append("y").committed(40);
    assertFinds(
        Map.of("x", "1;2;", "y", "3;"), "the stamps of x do not rise", "committed before it began");
  }

  @Test
  void whoDoesNotSeeWhatHeWasTold() {
    transaction(1, 10).append("x").committed(20);
    transaction(2, 15).after(20, 20).read("x", "").ends(Outcome.ACKNOWLEDGED, 0);
    transaction(3, 15).after(0, 20).read("x", "").ends(Outcome.ACKNOWLEDGED, 0);
    assertThat(history.staleMicros()).hasSize(2);
    assertThat(history.violations(Map.of("x", "1;")))
        .singleElement()
        .asString()
        .contains("number=2", "what its client had been told of");
  }
}
