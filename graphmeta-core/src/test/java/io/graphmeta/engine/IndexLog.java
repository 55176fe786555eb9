package io.graphmeta.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** What is logged of indexes while it is open, in this process. Safe for use by many threads. */
final class IndexLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  /** The same in the output of a process without a configuration of its log. */
  static final Pattern LINE = Pattern.compile(".*(IndexFollower|IndexThread).*");

  private static final List<String> LOGGERS =
      List.of("io.graphmeta.shard.index.IndexFollower", "io.graphmeta.node.IndexThread");

  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

  /** Begins to listen, in the place of who listens else. */
  IndexLog() {
    start();
    for (String name : LOGGERS) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(this);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  /** Lines as a process without a configuration prints them. */
  List<String> lines() {
    return events.stream()
        .map(event -> event.getLevel() + " IndexFollower - " + event.getFormattedMessage())
        .toList();
  }

  /** Those that warn. */
  static List<String> warnings(List<String> lines) {
    return lines.stream().filter(line -> line.contains("WARN ")).toList();
  }

  /** Those that tell of an index that stays and is built from nothing. */
  static List<String> buildsOfKept(List<String> lines) {
    return lines.stream()
        .filter(line -> IndexedWrites.KEPT.stream().anyMatch(kept -> isBuild(line, kept)))
        .toList();
  }

  private static boolean isBuild(String line, String index) {
    return line.contains("Building index " + index + " ");
  }

  @Override
  public void close() {
    for (String name : LOGGERS) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      logger.detachAppender(this);
      logger.setLevel(null);
      logger.setAdditive(true);
    }
  }
}
