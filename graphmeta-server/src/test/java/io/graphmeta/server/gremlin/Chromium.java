package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The browser of the machine, where it has one. */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int PATIENCE_SECONDS = 120;

  private Chromium() {}

  /** What the browser made of a page, and what it said to the console. */
  record Page(String html, List<String> console) {}

  /** The program; empty if there is none. */
  static String find() {
    return find(NAMES);
  }

  /** The program by which Selenium drives it; empty if there is none. */
  static String findDriver() {
    return find(List.of("chromedriver"));
  }

  /** Ends a test where there is no browser to be driven. */
  static void assumeDriven() {
    assumeTrue(
        !find().isEmpty() && !findDriver().isEmpty(),
        "the pages need Chromium and chromedriver on the PATH");
  }

  private static String find(List<String> names) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .flatMap(place -> names.stream().map(name -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse("");
  }

  /** Opens a page and waits until it has nothing more to do. */
  static Page open(Path directory, String address, String... options) throws Exception {
    Path html = Files.createTempFile(directory, "page", ".html");
    Path said = Files.createTempFile(directory, "page", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(
                find(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--enable-logging=stderr",
                "--virtual-time-budget=20000",
                "--user-data-dir=" + Files.createTempDirectory(directory, "profile")));
    command.addAll(List.of(options));
    command.addAll(List.of("--dump-dom", address));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(html.toFile())
            .redirectError(said.toFile())
            .start();
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
    return new Page(
        Files.readString(html, StandardCharsets.UTF_8),
        Files.readAllLines(said, StandardCharsets.ISO_8859_1).stream()
            .filter(line -> line.contains("CONSOLE"))
            .toList());
  }
}
