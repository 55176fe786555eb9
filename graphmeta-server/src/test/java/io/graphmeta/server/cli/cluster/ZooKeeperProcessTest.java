package io.graphmeta.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper server as a child process. */
@Timeout(120)
final class ZooKeeperProcessTest {
  private static final Path JARS = Path.of(System.getProperty("basedir", "."), "target/zookeeper");

  @TempDir private Path directory;

  @Test
  void itAnswersAndIsQuietAndComesBackAtTheSamePort() throws Exception {
    try (ZooKeeperProcess zooKeeper = new ZooKeeperProcess(JARS, directory)) {
      zooKeeper.start();
      String hosts = zooKeeper.hosts();
      ProcessHandle first = zooKeeper.handle();
      assertThat(first.isAlive()).isTrue();
      zooKeeper.stop();
      assertThat(first.isAlive()).isFalse();
      zooKeeper.start();
      assertThat(zooKeeper.hosts()).isEqualTo(hosts);
      // It may say that the disk was slow, which is so on a busy machine.
      assertThat(Files.readAllLines(directory.resolve("zookeeper.log")))
          .filteredOn(line -> !line.contains("fsync-ing the write ahead log"))
          .isEmpty();
    }
  }

  @Test
  void itEndsWithItsParent() throws Exception {
    Path told = directory.resolve("told");
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                JARS.toAbsolutePath().toString(),
                directory.resolve("zookeeper").toString(),
                told.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("parent.log").toFile())
            .start();
    try {
      while (!Files.exists(told)) {
        assertThat(parent.isAlive()).isTrue();
        Thread.sleep(20);
      }
      ProcessHandle child =
          ProcessHandle.of(Long.parseLong(Files.readString(told).strip())).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      parent.destroyForcibly();
      child.onExit().get(30, TimeUnit.SECONDS);
    } finally {
      parent.destroyForcibly();
    }
  }

  /** A process that starts one, tells its number and waits. */
  static final class Parent {
    public static void main(String[] arguments) throws Exception {
      ZooKeeperProcess zooKeeper =
          new ZooKeeperProcess(Path.of(arguments[0]), Path.of(arguments[1]));
      zooKeeper.start();
      Path told = Path.of(arguments[2]);
      Path written = told.resolveSibling("written");
      Files.write(written, List.of(String.valueOf(zooKeeper.handle().pid())));
      Files.move(written, told);
      Thread.sleep(120_000);
    }
  }

  @Test
  void whatCannotBeStartedSaysWhere() {
    try (ZooKeeperProcess zooKeeper =
        new ZooKeeperProcess(directory.resolve("nothing"), directory)) {
      assertThatThrownBy(zooKeeper::start)
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              error -> assertThat(error.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
          .hasMessageContaining("nothing");
    }
  }
}
