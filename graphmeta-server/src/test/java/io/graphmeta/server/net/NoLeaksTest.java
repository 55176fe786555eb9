package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

/** That a lost buffer is found at all. */
final class NoLeaksTest {
  @Test
  void aLostBufferIsReported() throws Exception {
    NoLeaks leaks = new NoLeaks();
    leaks.beforeAll(null);
    lose();
    assertThat(leaks.reports()).anyMatch(report -> report.contains("LEAK"));
    assertThatThrownBy(() -> leaks.afterAll(null)).isInstanceOf(AssertionError.class);
    new NoLeaks().afterAll(null);
  }

  private static void lose() {
    for (int i = 0; i < 100; i++) {
      ByteBuf lost = PooledByteBufAllocator.DEFAULT.directBuffer(64);
      assertThat(lost.refCnt()).isEqualTo(1);
    }
  }
}
