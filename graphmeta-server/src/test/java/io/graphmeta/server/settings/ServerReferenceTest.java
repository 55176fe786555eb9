package io.graphmeta.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference page of the server names each setting as the code has it. */
final class ServerReferenceTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../docs/reference/server.md");
  private static final String BEGIN = "<!-- settings: written by ServerReferenceTest -->\n";
  private static final String END = "<!-- end of settings -->\n";

  /** With {@code -Dgraphmeta.write-reference=true} the table is written instead of compared. */
  @Test
  void thePageHasEachSetting() throws IOException {
    StringBuilder table = new StringBuilder("| Setting | Default | Takes | What it does |\n");
    table.append("| --- | --- | --- | --- |\n");
    for (ServerSetting setting : ServerSetting.values()) {
      String byDefault =
          setting.defaultValue().isEmpty() ? "none" : "`" + setting.defaultValue() + "`";
      table.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(setting.key(), byDefault, setting.range(), setting.description()));
    }
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(end).as("the marks of the table").isGreaterThanOrEqualTo(begin);
    String expected = page.substring(0, begin) + table + page.substring(end);
    if (Boolean.getBoolean("graphmeta.write-reference")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(PAGE)
        .as("run this test with -Dgraphmeta.write-reference=true to write the table anew")
        .hasContent(expected);
  }
}
