package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Follows every buffer while the tests of a class run, and fails if one was not given back. */
final class NoLeaks implements BeforeAllCallback, AfterAllCallback {
  private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
  private ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

  private static Logger detector() {
    return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    reports.start();
    detector().addAppender(reports);
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    assertThat(reports()).isEmpty();
    detector().detachAppender(reports);
    ResourceLeakDetector.setLevel(before);
  }

  /** What was lost so far. Buffers that were lost are told of when others are taken. */
  List<String> reports() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(20);
      for (int j = 0; j < 50; j++) {
        PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
      }
    }
    return List.copyOf(reports.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
