package io.graphmeta.bench.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LayerTest {
  @Test
  void everyClassThatAnOperationCanPassIsInALayer() {
    Set<Layer> found = EnumSet.noneOf(Layer.class);
    int classes = 0;
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.graphmeta")) {
      String name = type.getName();
      if (!name.startsWith("io.graphmeta.bench.") && !name.startsWith("io.graphmeta.server.")) {
        found.add(Layer.ofClass(name));
        classes++;
      }
    }
    assertThat(classes).isGreaterThan(500);
    assertThat(found).isEqualTo(EnumSet.complementOf(EnumSet.of(Layer.TINKERPOP, Layer.OTHER)));
  }

  @Test
  void theLongestNameOfAPackageDecides() {
    assertThat(Layer.ofClass("io.graphmeta.shard.commits.CommitPipeline")).isEqualTo(Layer.COMMITS);
    assertThat(Layer.ofClass("io.graphmeta.shard.moves.EntryMoves")).isEqualTo(Layer.SHARD);
    assertThat(Layer.ofClass("io.graphmeta.shard.Shard")).isEqualTo(Layer.SHARD);
    assertThatThrownBy(() -> Layer.ofClass("io.graphmeta.sharded.Thing"))
        .hasMessageContaining("io.graphmeta.sharded.Thing is in no layer");
  }
}
