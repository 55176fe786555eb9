package io.graphmeta.gremlin.jsr223;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.apache.tinkerpop.gremlin.jsr223.GremlinPlugin;
import org.apache.tinkerpop.gremlin.jsr223.ImportCustomizer;
import org.junit.jupiter.api.Test;

final class TimeTravelTest {
  @Test
  void a_duration_is_counted_back_from_now() {
    for (String hour : new String[] {"1h", "60m", "PT1H", "3600s"}) {
      assertThat(Duration.between(TimeTravel.ago(hour), OffsetDateTime.now()))
          .as(hour)
          .isBetween(Duration.ofHours(1), Duration.ofMinutes(61));
    }
    assertThat(Duration.between(TimeTravel.ago("7d"), TimeTravel.ago("P6D")))
        .isBetween(Duration.ofHours(24), Duration.ofHours(25));
  }

  @Test
  void what_is_no_duration_is_named() {
    assertThatThrownBy(() -> TimeTravel.ago("soon"))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("'soon'")
        .hasMessageContaining("90m");
  }

  @Test
  void the_console_finds_the_plugin_and_its_imports() {
    GremlinPlugin plugin =
        StreamSupport.stream(ServiceLoader.load(GremlinPlugin.class).spliterator(), false)
            .filter(candidate -> candidate.getName().equals("graphmeta"))
            .findFirst()
            .orElseThrow();
    ImportCustomizer imports =
        (ImportCustomizer)
            Arrays.asList(plugin.getCustomizers("gremlin-groovy").orElseThrow()).get(0);
    assertThat(imports.getClassImports()).contains(TimeTravel.class);
    assertThat(imports.getMethodImports())
        .extracting(Method::getName)
        .containsExactlyInAnyOrder("asOf", "knownAt", "ago");
  }
}
