package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The package for Python goes out with the rest. */
final class PythonPackageTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  /** A version that is not released is one of development in Python. */
  @Test
  void itHasTheVersionOfTheDistribution() throws IOException {
    String maven = found("../pom.xml", "\\n {2}<version>(.*)</version>");
    String python = found("src/main/python/graphmeta/__init__.py", "__version__ = \"(.*)\"");
    assertThat(python).isEqualTo(maven.replace("-SNAPSHOT", ".dev0"));
  }

  private static String found(String file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(BASE.resolve(file)));
    assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
    return matcher.group(1);
  }
}
