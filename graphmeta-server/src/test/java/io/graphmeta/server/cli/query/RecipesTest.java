package io.graphmeta.server.cli.query;

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
 * Runs all that the first pages of the documentation show, and compares what it prints with what
 * they say. With {@code -Dgraphmeta.write-reference=true} the answers are written into the pages
 * instead.
 */
class RecipesTest {
  private static final Path PAGES = Path.of("../docs/start").toAbsolutePath().normalize();
  private static final String SAMPLE = Path.of("src/main/sample").toAbsolutePath().toString();

  /** A query and what is printed for it, to the letter. */
  private static final Pattern RECIPE =
      Pattern.compile("```groovy\n(.*?)```\n\n```text\n(.*?)```\n", Pattern.DOTALL);

  private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  @TempDir static Path directory;

  @Test
  void recipesGiveTheAnswersThatTheyShow() throws IOException {
    String db = directory.resolve("recipes").toString();
    run("load", "sacct", SAMPLE + "/campaign/sacct.txt", "--db", db);
    run(
        "load",
        "darshan",
        SAMPLE + "/campaign/logs",
        SAMPLE + "/campaign/logs_partial",
        "--db",
        db);
    Path page = PAGES.resolve("recipes.md");
    String text = Files.readString(page);
    assertThat(count(text, "```groovy"))
        .as("queries, each with an answer")
        .isEqualTo(count(RECIPE, text));
    Answered answered = queries(text, db);
    assertThat(answered.count).isGreaterThanOrEqualTo(10);
    compare(page, answered.text);
  }

  /** A page with the answers of now, and how many there are. */
  private record Answered(String text, int count) {}

  private static Answered queries(String text, String db) {
    StringBuilder answered = new StringBuilder();
    Matcher recipe = RECIPE.matcher(text);
    int recipes = 0;
    while (recipe.find()) {
      String answer = run("query", "--db", db, recipe.group(1).strip());
      assertThat(answer).as(recipe.group(1)).isNotBlank();
      String block = "```groovy\n" + recipe.group(1) + "```\n\n```text\n" + answer + "```\n";
      recipe.appendReplacement(answered, Matcher.quoteReplacement(block));
      recipes++;
    }
    recipe.appendTail(answered);
    return new Answered(answered.toString(), recipes);
  }

  @Test
  void ownLogsAreLoadedAndAskedAsShown() throws IOException {
    Path page = PAGES.resolve("own-logs.md");
    Answered answered = commands(Files.readString(page));
    assertThat(answered.count).isGreaterThanOrEqualTo(6);
    compare(page, answered.text);
  }

  @Test
  void searchesFindWhatTheyShow() throws IOException {
    Path page = PAGES.resolve("searches.md");
    Answered commands = commands(Files.readString(page));
    Answered queries = queries(commands.text, directory.resolve("sample").toString());
    assertThat(commands.count).isGreaterThanOrEqualTo(8);
    assertThat(queries.count).isGreaterThanOrEqualTo(4);
    assertThat(count(queries.text, "```groovy")).isEqualTo(queries.count);
    compare(page, queries.text);
  }

  private static Answered commands(String text) {
    StringBuilder answered = new StringBuilder();
    Matcher console = CONSOLE.matcher(text);
    int commands = 0;
    while (console.find()) {
      StringBuilder session = new StringBuilder();
      for (String line : console.group(1).lines().filter(each -> each.startsWith("$ ")).toList()) {
        String answer = run(words(line));
        assertThat(answer).as(line).isNotBlank();
        session.append(line).append('\n').append(answer);
        commands++;
      }
      console.appendReplacement(
          answered, Matcher.quoteReplacement("```console\n" + session + "```\n"));
    }
    console.appendTail(answered);
    return new Answered(answered.toString(), commands);
  }

  /** The words of a line, with the paths of this test in the place of those of the page. */
  private static String[] words(String line) {
    assertThat(line).startsWith("$ graphmeta ");
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line.substring("$ graphmeta ".length()));
    while (word.find()) {
      if (word.group(3) == null) {
        words.add(word.group(1) != null ? word.group(1) : word.group(2));
        continue;
      }
      words.add(
          word.group(3)
              .replace("sample/campaign", SAMPLE + "/campaign")
              .replace("centre.db", directory.resolve("centre").toString())
              .replace("sample.db", directory.resolve("sample").toString()));
    }
    return words.toArray(String[]::new);
  }

  private static String run(String... arguments) {
    Cli answer = Cli.run(arguments);
    assertThat(answer.exitCode()).as("%s: %s", String.join(" ", arguments), answer.err()).isZero();
    return answer.out();
  }

  private static long count(String text, String word) {
    return Pattern.compile(word, Pattern.LITERAL).matcher(text).results().count();
  }

  private static long count(Pattern pattern, String text) {
    return pattern.matcher(text).results().count();
  }

  private static void compare(Path page, String answered) throws IOException {
    if (Boolean.getBoolean("graphmeta.write-reference")) {
      Files.writeString(page, answered);
    }
    assertThat(page)
        .as("run this test with -Dgraphmeta.write-reference=true to write the answers anew")
        .hasContent(answered);
  }
}
