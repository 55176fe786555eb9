package io.graphmeta.server.cli.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types what the page on exports shows, and compares what it prints with what the page says. With
 * {@code -Dgraphmeta.write-reference=true} the answers are written into the page instead.
 */
final class ExportsPageTest {
  private static final Path PAGE = Path.of("../docs/start/exports.md").toAbsolutePath().normalize();
  private static final String SAMPLE = Path.of("src/main/sample").toAbsolutePath().toString();
  private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final List<String> FILES =
      List.of("centre.db", "copy.db", "lineage.json", "ro-crate-metadata.json", "events.jsonl");

  @TempDir private Path directory;

  @Test
  void thePagePrintsWhatItShows() throws IOException {
    String text = Files.readString(PAGE);
    StringBuilder answered = new StringBuilder();
    Matcher console = CONSOLE.matcher(text);
    int commands = 0;
    while (console.find()) {
      StringBuilder session = new StringBuilder();
      for (String line : console.group(1).lines().filter(each -> each.startsWith("$ ")).toList()) {
        session.append(line).append('\n').append(typed(line));
        commands++;
      }
      console.appendReplacement(
          answered, Matcher.quoteReplacement("```console\n" + session + "```\n"));
    }
    console.appendTail(answered);
    assertThat(commands).isEqualTo(9);
    if (Boolean.getBoolean("graphmeta.write-reference")) {
      Files.writeString(PAGE, answered);
    }
    assertThat(PAGE)
        .as("run this test with -Dgraphmeta.write-reference=true to write the answers anew")
        .hasContent(answered.toString());
  }

  /** What is left on the screen. */
  private String typed(String line) throws IOException {
    assertThat(line).startsWith("$ graphmeta ");
    List<String> words = new ArrayList<>();
    for (String word : line.substring("$ graphmeta ".length()).split(" ")) {
      words.add(
          FILES.contains(word)
              ? directory.resolve(word).toString()
              : word.replace("sample/campaign", SAMPLE + "/campaign"));
    }
    int redirection = words.indexOf(">");
    List<String> command = redirection < 0 ? words : words.subList(0, redirection);
    Cli answer = Cli.run(command.toArray(String[]::new));
    assertThat(answer.exitCode()).as("%s: %s", line, answer.err()).isZero();
    if (redirection < 0) {
      return answer.out();
    }
    Files.writeString(Path.of(words.get(redirection + 1)), answer.out());
    return "";
  }
}
