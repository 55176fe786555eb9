package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code that the page on drivers shows is that of the drivers' tests. */
final class DriversPageTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path PAGE = BASE.resolve("../docs/start/drivers.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?://|#) \\[example]\\n(.*?)\\n[ \\t]*(?://|#) \\[end]", Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "python/test_driver.py",
        "javascript/driver.test.js",
        "go/driver_test.go",
        "java/DriverTest.java"
      })
  void thePageShowsWhatIsTested(String file) throws IOException {
    String source = Files.readString(BASE.resolve("src/test/drivers").resolve(file));
    Matcher example = EXAMPLE.matcher(source);
    assertThat(example.find()).as("an example in " + file).isTrue();
    assertThat(Files.readString(PAGE)).contains(example.group(1).stripIndent().strip());
  }
}
