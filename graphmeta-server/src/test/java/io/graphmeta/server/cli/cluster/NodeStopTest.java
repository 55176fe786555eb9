package io.graphmeta.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class NodeStopTest {
  private static final int ROUNDS = 20_000;
  private static final long MOST_MILLIS = 60_000;

  /** Who closes a node waits for others; an interrupt from the moment before would end that. */
  @Test
  void whoClosesIsNotInterrupted() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    Handed handed = new Handed();
    Thread asking = new Thread(() -> handed.askAll(both));
    asking.start();
    for (int round = 0; round < ROUNDS; round++) {
      NodeStop stop = new NodeStop();
      handed.stop = stop;
      both.await();
      stop.opened();
      assertThat(stop.await(MOST_MILLIS)).as("asked, round %d", round).isTrue();
      stop.ended();
      both.await();
      assertThat(Thread.interrupted()).as("interrupted, round %d", round).isFalse();
    }
    asking.join();
  }

  private static final class Handed {
    private volatile NodeStop stop = new NodeStop();

    void askAll(CyclicBarrier both) {
      try {
        for (int round = 0; round < ROUNDS; round++) {
          both.await();
          stop.askAndAwait();
          both.await();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void whoWaitsForOthersToOpenIsInterrupted() throws Exception {
    NodeStop stop = new NodeStop();
    Thread asking = new Thread(stop::askAndAwait);
    asking.start();
    assertThatThrownBy(() -> new CountDownLatch(1).await())
        .isInstanceOf(InterruptedException.class);
    assertThat(stop.isAsked()).isTrue();
    stop.ended();
    asking.join();
  }

  /** A second signal, or the end of the JVM itself, finds nobody who waits. */
  @Test
  void nobodyWaitsForWhatHasEnded() throws Exception {
    NodeStop stop = new NodeStop();
    stop.opened();
    stop.ended();
    stop.askAndAwait();
    assertThat(Thread.interrupted()).isFalse();
  }
}
