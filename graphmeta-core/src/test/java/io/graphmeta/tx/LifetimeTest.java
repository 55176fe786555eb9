package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.time.Stamp;
import org.junit.jupiter.api.Test;

class LifetimeTest {
  private static final byte[] BODY = {0};

  private static Lifetime ofRows(long[] begins, long... ends) {
    ElementPage.Builder page = new ElementPage.Builder(2, false);
    page.beginVertex(0, 1);
    page.addRow(RowKeys.BODY, 0, 1, 1, BODY, 1);
    page.beginVertex(1, 2);
    for (long begin : begins) {
      page.addRow(RowKeys.BODY, 0, begin, 100, BODY, 1);
    }
    page.addRow(7, 0, 3, 100, BODY, 1); // a property says nothing about the lifetime
    for (long end : ends) {
      page.addRow(RowKeys.BODY, 0, end, 100, RowValues.tombstone(), 1);
    }
    return Lifetime.ofHistory(page.build(null), 1);
  }

  @Test
  void lastsFromTheFirstBodyToTheFirstTombstone() {
    Lifetime lifetime = ofRows(new long[] {30, 10, 20}, 50, 40);
    assertThat(lifetime).isEqualTo(new Lifetime(10, 40, 30));
    assertThat(lifetime.contains(9)).isFalse();
    assertThat(lifetime.contains(10)).isTrue();
    assertThat(lifetime.contains(39)).isTrue();
    assertThat(lifetime.contains(40)).isFalse();
    assertThat(lifetime.contains(Stamp.MAX)).isFalse();
  }

  @Test
  void withoutATombstoneItLastsToThePresent() {
    assertThat(ofRows(new long[] {10})).isEqualTo(new Lifetime(10, Stamp.MAX, 10));
    assertThat(ofRows(new long[] {10}).contains(Stamp.MAX)).isTrue();
  }

  @Test
  void anElementWithoutABodyNeverWas() {
    assertThat(ofRows(new long[0])).isSameAs(Lifetime.NEVER);
    assertThat(Lifetime.NEVER.contains(Stamp.MIN)).isFalse();
    assertThat(Lifetime.NEVER.contains(Stamp.MAX)).isFalse();
  }

  @Test
  void anElementOfWhichTheEndAloneIsLeftWas() {
    Lifetime left = ofRows(new long[0], 20);
    assertThat(left).isNotSameAs(Lifetime.NEVER);
    assertThat(left.contains(19)).isFalse();
    assertThat(left.contains(20)).isFalse();
    assertThat(left.contains(Stamp.MAX)).isFalse();
  }
}
