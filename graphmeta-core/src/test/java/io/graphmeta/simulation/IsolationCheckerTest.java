package io.graphmeta.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.simulation.IsolationChecker.Anomaly;
import io.graphmeta.simulation.IsolationChecker.Finding;
import io.graphmeta.simulation.IsolationChecker.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Histories made by hand, one for each anomaly, and some without any. */
final class IsolationCheckerTest {
  private static Member committed(String name) {
    return new Member(name, true);
  }

  private static List<Anomaly> anomalies(Member... history) {
    return IsolationChecker.check(Arrays.asList(history)).stream().map(Finding::anomaly).toList();
  }

  @Test
  void transactionsInARowAreFine() {
    Member first = committed("first");
    first.wrote("x", 1, 10);
    first.wrote("y", 2, 10);
    Member second = committed("second");
    second.read("x", 1);
    second.wrote("x", 3, 20);
    Member third = committed("third");
    third.read("x", 3);
    third.read("y", 2);
    third.read("z", null);
    assertThat(anomalies(first, second, third)).isEmpty();
  }

  @Test
  void concurrentReadersOfOneSnapshotAreFine() {
    Member writer = committed("writer");
    writer.wrote("x", 1, 10);
    Member before = committed("before");
    before.read("x", null);
    Member after = committed("after");
    after.read("x", 1);
    assertThat(anomalies(writer, before, after)).isEmpty();
  }

  @Test
  void writesInOppositeOrdersAreG0() {
    Member a = committed("a");
    a.wrote("x", 1, 10);
    a.wrote("y", 2, 40);
    Member b = committed("b");
    b.wrote("x", 3, 20);
    b.wrote("y", 4, 30);
    assertThat(anomalies(a, b)).containsExactly(Anomaly.G0);
  }

  @Test
  void readingWhatWasNotCommittedIsG1a() {
    Member aborted = new Member("aborted", false);
    aborted.wrote("x", 1, 10);
    Member reader = committed("reader");
    reader.read("x", 1);
    assertThat(anomalies(aborted, reader)).containsExactly(Anomaly.G1A);
    Member dreamer = committed("dreamer");
    dreamer.read("x", "never written");
    assertThat(anomalies(dreamer)).containsExactly(Anomaly.G1A);
  }

  @Test
  void readingWhatItsWriterReplacedIsG1b() {
    Member writer = committed("writer");
    writer.wrote("x", 1, 10);
    writer.wrote("x", 2, 10);
    Member reader = committed("reader");
    reader.read("x", 1);
    assertThat(anomalies(writer, reader)).containsExactly(Anomaly.G1B);
    Member itself = committed("itself");
    itself.wrote("y", 3, 30);
    itself.read("y", 3);
    itself.wrote("y", 4, 30);
    assertThat(anomalies(itself)).isEmpty();
  }

  @Test
  void readingEachOthersWritesIsG1c() {
    Member a = committed("a");
    a.wrote("x", 1, 10);
    a.read("y", 2);
    Member b = committed("b");
    b.wrote("y", 2, 20);
    b.read("x", 1);
    assertThat(anomalies(a, b)).containsExactly(Anomaly.G1C);
  }

  @Test
  void aLostUpdateIsGSingle() {
    Member first = committed("first");
    first.wrote("x", 1, 10);
    Member a = committed("a");
    a.read("x", 1);
    a.wrote("x", 2, 20);
    Member b = committed("b");
    b.read("x", 1);
    b.wrote("x", 3, 30);
    assertThat(anomalies(first, a, b)).containsExactly(Anomaly.G_SINGLE);
  }

  @Test
  void halfOfATransactionReadIsGSingle() {
    Member writer = committed("writer");
    writer.wrote("x", 1, 10);
    writer.wrote("y", 2, 10);
    Member reader = committed("reader");
    reader.read("x", 1);
    reader.read("y", null);
    assertThat(anomalies(writer, reader)).containsExactly(Anomaly.G_SINGLE);
  }

  @Test
  void twoReadersThatDisagreeAreForbidden() {
    // A cycle with two anti-dependencies that are not next to each other: a long fork.
    Member x = committed("x");
    x.wrote("x", 1, 10);
    Member y = committed("y");
    y.wrote("y", 2, 11);
    Member a = committed("a");
    a.read("x", 1);
    a.read("y", null);
    Member b = committed("b");
    b.read("x", null);
    b.read("y", 2);
    assertThat(anomalies(x, y, a, b)).containsExactly(Anomaly.G_SINGLE);
  }

  @Test
  void writeSkewIsG2Item() {
    Member a = committed("a");
    a.read("x", null);
    a.read("y", null);
    a.wrote("x", 1, 10);
    Member b = committed("b");
    b.read("x", null);
    b.read("y", null);
    b.wrote("y", 2, 11);
    assertThat(anomalies(a, b)).containsExactly(Anomaly.G2_ITEM);
  }

  @Test
  void aSerialHistoryOfAnyLengthIsFineAndQuicklyTold() {
    SplittableRandom random = new SplittableRandom(7);
    int keys = 50;
    Object[] newest = new Object[keys];
    List<Member> history = new ArrayList<>();
    for (int t = 0; t < 100_000; t++) {
      Member member = committed("t" + t);
      for (int op = 0; op < 3; op++) {
        int key = random.nextInt(keys);
        member.read("k" + key, newest[key]);
        if (random.nextBoolean()) {
          newest[key] = t * 10 + op;
          member.wrote("k" + key, newest[key], t + 1);
        }
      }
      history.add(member);
    }
    assertThat(IsolationChecker.check(history)).isEmpty();
  }
}
