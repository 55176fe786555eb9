package io.graphmeta.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.backup.FileOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StorePlaceTest {
  private static final String SAYS = "says";

  @TempDir private Path directory;

  private StorePlace place() {
    return new StorePlace(directory.resolve("shard-3"), store -> write(store, "marker", "3"));
  }

  private static void write(Path store, String file, String text) {
    try {
      Files.createDirectories(store);
      Files.writeString(store.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void store(String name, String says) {
    write(directory.resolve(name), SAYS, says);
  }

  private @Nullable String says() throws IOException {
    Path store = directory.resolve("shard-3");
    return Files.exists(store) ? Files.readString(store.resolve(SAYS)) : null;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatWasMadeTakesThePlaceWithItsMarkerAndTheIndexGoes() throws IOException {
    store("shard-3", "old");
    store("shard-3-index", "of the old one");
    write(place().making(), SAYS, "new");
    place().take();
    assertThat(says()).isEqualTo("new");
    assertThat(Files.readString(directory.resolve("shard-3/marker"))).isEqualTo("3");
    assertThat(names()).containsExactly("shard-3");
    assertThat(StorePlace.recover(directory)).containsExactly(3);
    place().clear();
    assertThat(names()).isEmpty();
    assertThat(StorePlace.recover(directory)).isEmpty();
  }

  /** What a process leaves that ends between two steps. */
  private record Left(List<String> stores, @Nullable String found, List<String> names) {}

  @Test
  void whatWasCutOffComesToOneEndOrTheOther() throws IOException {
    List<Left> all =
        List.of(
            new Left(
                List.of("shard-3=old", "shard-3.making=part"),
                "old",
                List.of("shard-3", "shard-3.making")),
            new Left(
                List.of("shard-3=old", "shard-3.made=new"),
                "old",
                List.of("shard-3", "shard-3.making")),
            new Left(List.of("shard-3.going=old", "shard-3.made=new"), "new", List.of("shard-3")),
            new Left(List.of("shard-3=new", "shard-3.going=old"), "new", List.of("shard-3")),
            new Left(List.of("shard-3.made=new"), "new", List.of("shard-3")),
            new Left(List.of("shard-3.making=part"), null, List.of("shard-3.making")),
            new Left(List.of("shard-3.going=old"), null, List.of()),
            new Left(
                List.of("shard-3=old", "shard-3.made=new", "shard-3.making=part"),
                "old",
                List.of("shard-3", "shard-3.making")));
    for (Left left : all) {
      place().clear();
      FileOperations.ON_DISK.deleteTree(directory.resolve("shard-3.making"));
      for (String each : left.stores()) {
        String[] store = each.split("=", -1);
        store(store[0], store[1]);
      }
      List<Integer> found = StorePlace.recover(directory);
      assertThat(found).as("%s", left).isEqualTo(left.found() == null ? List.of() : List.of(3));
      assertThat(says()).as("%s", left).isEqualTo(left.found());
      assertThat(names()).as("%s", left).isEqualTo(left.names());
      assertThat(StorePlace.recover(directory)).as("again, %s", left).isEqualTo(found);
    }
  }
}
