package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose directory it is, and who may have it. */
class NodeDirectoryTest {
  private static final UUID CLUSTER = new UUID(1, 2);

  @TempDir private Path temporary;

  private NodeDirectory open(String directory) {
    return NodeDirectory.open(temporary.resolve(directory), CLUSTER, "n1");
  }

  @Test
  void oneAtATimeHasIt() {
    UUID id;
    String lock;
    try (NodeDirectory first = open("d")) {
      id = first.id();
      lock = first.lock();
      assertThatThrownBy(() -> open("d"))
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_OPEN))
          .hasMessageContaining(temporary.resolve("d").toString());
    }
    try (NodeDirectory next = open("d")) {
      assertThat(next.id()).isEqualTo(id);
      assertThat(next.lock()).as("the same file, in the same run of the machine").isEqualTo(lock);
    }
  }

  /** A copy says that it is the same directory; it must not say that its process is the same. */
  @Test
  void aCopyHasAnotherLock() throws IOException {
    try (NodeDirectory first = open("d")) {
      Files.createDirectories(temporary.resolve("copy"));
      for (String file : new String[] {"node.properties", "node.lock"}) {
        Files.copy(temporary.resolve("d").resolve(file), temporary.resolve("copy").resolve(file));
      }
      try (NodeDirectory copy = open("copy")) {
        assertThat(copy.id()).isEqualTo(first.id());
        assertThat(copy.lock()).isNotEqualTo(first.lock());
      }
    }
  }
}
