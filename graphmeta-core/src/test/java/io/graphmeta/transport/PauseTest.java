package io.graphmeta.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever pauses can rely on the time, whatever else wakes its thread. */
final class PauseTest {
  private final Transport transport = (shard, call) -> new CompletableFuture<>();

  private long pausedMicros(long micros) {
    long begin = System.nanoTime();
    transport.pause(micros);
    return (System.nanoTime() - begin) / 1000;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 50, 100, 700, 3_000})
  void noWakeUpForSomethingElseEndsIt(long micros) throws InterruptedException {
    LockSupport.unpark(Thread.currentThread());
    assertThat(pausedMicros(micros)).isGreaterThanOrEqualTo(micros);
    Thread paused = Thread.currentThread();
    Thread waker =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                LockSupport.unpark(paused);
              }
            });
    waker.start();
    try {
      assertThat(pausedMicros(micros)).isGreaterThanOrEqualTo(micros);
    } finally {
      waker.interrupt();
      waker.join();
    }
  }

  @Test
  void anInterruptStaysForWhoComesAfter() {
    Thread.currentThread().interrupt();
    assertThat(pausedMicros(1_000)).isGreaterThanOrEqualTo(1_000);
    assertThat(Thread.interrupted()).isTrue();
  }
}
