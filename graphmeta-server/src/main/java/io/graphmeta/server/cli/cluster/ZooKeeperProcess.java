package io.graphmeta.server.cli.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of ZooKeeper, alone, as a process of its own that only this machine reaches and that
 * ends with this one. It keeps its data, its configuration and what it prints in a directory. For
 * trying a cluster out; one that matters has three servers that somebody looks after. Used by one
 * thread at a time.
 */
public final class ZooKeeperProcess implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
  private static final int ATTEMPTS = 5;
  private static final int START_SECONDS = 60;
  private static final int STOP_SECONDS = 10;
  private static final int ANSWER_MILLIS = 1000;
  private static final int MAX_ANSWER_BYTES = 4096;
  private static final String QUIET =
      """
      <configuration>
        <appender name="STDERR" class="ch.qos.logback.core.ConsoleAppender">
          <target>System.err</target>
          <encoder><pattern>%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level %logger{0}: %msg%n</pattern></encoder>
        </appender>
        <!-- A question that comes while it starts is an error with a stack trace to it. -->
        <logger name="org.apache.zookeeper.server.ServerCnxn" level="OFF"/>
        <root level="WARN"><appender-ref ref="STDERR"/></root>
      </configuration>
      """;

  private final Path jars;
  private final Path directory;
  private final Map<String, String> settings;
  private final List<String> options;
  private int port;
  private @Nullable Process process;

  /**
   * One that is not started yet.
   *
   * @param jars the folder of what it runs on: {@code zookeeper} in the distribution
   * @param directory what it keeps; made if it is not there
   */
  public ZooKeeperProcess(Path jars, Path directory) {
    this(jars, directory, Map.of(), List.of());
  }

  /**
   * One with more settings of ZooKeeper, and more options of its JVM.
   *
   * @param settings lines of its configuration, beside those that are set here
   * @param options for its JVM
   */
  public ZooKeeperProcess(
      Path jars, Path directory, Map<String, String> settings, List<String> options) {
    this.jars = jars;
    this.directory = directory.toAbsolutePath();
    this.settings = Map.copyOf(settings);
    this.options = List.copyOf(options);
  }

  /**
   * Starts it and waits until it answers. The first time it takes a port that is free; when it is
   * started again, the same.
   *
   * @throws GraphMetaException {@code UNAVAILABLE} if it does not answer
   */
  public void start() {
    if (!Files.isDirectory(jars)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "There is no folder "
              + jars
              + " with the libraries of a ZooKeeper server; expected that of the distribution");
    }
    boolean again = port != 0;
    for (int attempt = 1; ; attempt++) {
      try {
        if (!again) {
          port = ChildProcess.freePort();
        }
        launch();
        if (answersInTime()) {
          return;
        }
      } catch (IOException e) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, "ZooKeeper cannot be started in " + directory + ": " + e, e);
      }
      stop();
      // Another process may have taken the port meanwhile.
      if (again || attempt == ATTEMPTS) {
        throw new GraphMetaException(
            ErrorCode.UNAVAILABLE,
            "ZooKeeper was started at " + hosts() + " and does not answer; see " + log());
      }
    }
  }

  /** Where it answers, as the settings of its clients take it. */
  public String hosts() {
    return HOST + ":" + port;
  }

  /** The process, which somebody may want to pause. */
  public ProcessHandle handle() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running.toHandle();
  }

  /** Stops it as a loss of its machine's power would; what it has acknowledged is on its disk. */
  public void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    process = null;
    running.destroyForcibly();
    try {
      if (!running.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        throw new GraphMetaException(
            ErrorCode.TIMEOUT, "ZooKeeper (process " + running.pid() + ") does not end; end it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop();
  }

  private Path log() {
    return directory.resolve("zookeeper.log");
  }

  private void launch() throws IOException {
    Files.createDirectories(directory);
    Path configuration = Files.write(directory.resolve("zoo.cfg"), configuration());
    Path logging = Files.writeString(directory.resolve("logback.xml"), QUIET);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(
        List.of("-Dlogback.configurationFile=" + logging, "-Dzookeeper.jmx.log4j.disable=true"));
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            jars.toAbsolutePath().resolve("*") + File.pathSeparator + ownClasses(),
            EndsWithParent.class.getName(),
            MAIN,
            configuration.toString()));
    process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
  }

  private List<String> configuration() {
    Map<String, String> all = new TreeMap<>();
    all.put("dataDir", directory.resolve("data").toString());
    all.put("clientPort", String.valueOf(port));
    all.put("clientPortAddress", HOST);
    all.put("tickTime", "1000");
    all.put("admin.enableServer", "false");
    all.put("4lw.commands.whitelist", "ruok,srvr");
    all.put("autopurge.purgeInterval", "24");
    all.put("maxCnxns", "1000");
    all.putAll(settings);
    return all.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
  }

  /** Where this class is, which is started there. */
  private static Path ownClasses() {
    try {
      return Path.of(
          EndsWithParent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean answersInTime() {
    Process running = process;
    long start = System.nanoTime();
    while (running != null
        && running.isAlive()
        && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(START_SECONDS)) {
      if (serves()) {
        return true;
      }
      try {
        if (running.waitFor(50, TimeUnit.MILLISECONDS)) {
          return false;
        }
      } catch (InterruptedException e) {
        stop();
        Thread.currentThread().interrupt();
        throw new GraphMetaException(
            ErrorCode.CANCELLED, "Interrupted while ZooKeeper was started", e);
      }
    }
    return false;
  }

  /** Whether it says that it serves, which is not yet so when it has opened its port. */
  private boolean serves() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(HOST, port), ANSWER_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      String answer =
          new String(
              socket.getInputStream().readNBytes(MAX_ANSWER_BYTES), StandardCharsets.US_ASCII);
      return answer.contains("Mode: standalone");
    } catch (IOException e) {
      return false;
    }
  }
}
