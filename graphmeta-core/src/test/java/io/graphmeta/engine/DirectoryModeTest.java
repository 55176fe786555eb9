package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody but its owner enters a database, whoever opened it and with whatever mask. */
final class DirectoryModeTest {
  @TempDir private Path parent;

  private static void open(Path directory) {
    GraphDatabases.open(GraphMetaConfig.inDirectory(directory)).close();
  }

  private static String mode(Path directory) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
  }

  @Test
  void aDirectoryThatIsMadeIsForItsOwner() throws Exception {
    open(parent.resolve("new/graph"));
    assertThat(mode(parent.resolve("new/graph"))).isEqualTo("rwx------");
  }

  @Test
  void anEmptyDirectoryIsClosed() throws Exception {
    Path empty = Files.createDirectory(parent.resolve("empty"));
    Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rwxr-xr-x"));
    open(empty);
    assertThat(mode(empty)).isEqualTo("rwx------");
  }

  @Test
  void aDatabaseThatWasOpenedToOthersStaysSo() throws Exception {
    Path graph = parent.resolve("graph");
    open(graph);
    Files.setPosixFilePermissions(graph, PosixFilePermissions.fromString("rwxr-x---"));
    open(graph);
    assertThat(mode(graph)).isEqualTo("rwxr-x---");
  }
}
