package io.graphmeta.server.cli.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a query comes from, and the forms of its results. */
final class QueryFormatsTest {
  private static final String JOBS =
      "g.V().hasLabel('user').order().by('name').project('name','jobs').by('name').by(out('ran').count())";

  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  /** As much of a time as is there, so that one without its seconds is found, and refused. */
  private static final Pattern ISO_TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]*(Z|[+-]\\d\\d:\\d\\d)");

  private static final List<ChronoUnit> UNITS =
      List.of(
          ChronoUnit.MICROS,
          ChronoUnit.MILLIS,
          ChronoUnit.SECONDS,
          ChronoUnit.MINUTES,
          ChronoUnit.HOURS,
          ChronoUnit.DAYS);

  private static final String WHOLE = ".*T\\d\\d:\\d\\d:\\d\\d.*";

  @TempDir private static Path directory;

  private static String db;

  @BeforeAll
  static void load() {
    db = directory.resolve("db").toString();
    String sample = Path.of("src/main/sample/campaign").toAbsolutePath().toString();
    for (Cli load :
        List.of(
            Cli.run("load", "sacct", sample + "/sacct.txt", "--db", db),
            Cli.run("load", "darshan", sample + "/logs", "--db", db))) {
      assertThat(load.exitCode()).as(load.err()).isZero();
    }
  }

  private static Cli query(String... arguments) {
    List<String> words = new ArrayList<>(List.of("query", "--db", db));
    words.addAll(List.of(arguments));
    return Cli.run(words.toArray(String[]::new));
  }

  @Test
  void mapsAreRows() {
    assertThat(query("--format", "csv", JOBS).out())
        .matches("name,jobs\r\namira,\\d+\r\nbjorn,\\d+\r\nchen,\\d+\r\n");
    assertThat(query("--format", "table", JOBS).lines())
        .startsWith("name   jobs", "-----  ----")
        .hasSize(5);
  }

  @Test
  void elementsAndValuesAreRowsToo() {
    assertThat(query("--format", "csv", "g.V('job:184330')").out())
        .isEqualTo("id,label\r\njob:184330,job\r\n");
    assertThat(query("--format", "csv", "g.V('job:184330').inE('ran')").out())
        .matches(
            "id,label,out,in\r\n[^,]+,ran,user:amira,job:184330\r\n"
                .replace("user:amira", "[^,]+"));
    assertThat(query("--format", "csv", "g.V('job:184330').values('name')").out())
        .startsWith("result\r\n");
    assertThat(query("--format", "csv", "g.V('job:184330').valueMap('name','state')").out())
        .contains("COMPLETED")
        .doesNotContain("[");
    assertThat(query("--format", "table", "g.V().hasLabel('nothing')").out()).isEmpty();
  }

  @Test
  void jsonIsWhatItWas() {
    assertThat(query("--format", "json", JOBS).out())
        .isNotEmpty()
        .isEqualTo(query("--json", JOBS).out());
    assertThat(query("--format", "text", JOBS).out()).isEqualTo(query(JOBS).out());
  }

  /** Times of whole minutes, seconds and days among others: one form, and the moment itself. */
  @Test
  void timesHaveTheirSecondsInEveryForm() {
    Random random = new Random(SEED);
    for (ChronoUnit unit : UNITS) {
      Instant time = randomTime(random).truncatedTo(unit);
      String of = "g.inject(datetime('" + time + "'))";
      for (String gremlin :
          List.of(of, of + ".fold()", of + ".map(project('t').by())", of + ".group().unfold()")) {
        for (String format : List.of("text", "json", "table", "csv", "spreadsheet")) {
          String out = query("--format", format, gremlin).out();
          List<String> times = ISO_TIME.matcher(out).results().map(MatchResult::group).toList();
          assertThat(times)
              .as("seed %d: %s as %s: %s", SEED, gremlin, format, out)
              .isNotEmpty()
              .allMatch(each -> each.matches(WHOLE) && Instant.parse(each).equals(time));
        }
      }
    }
  }

  private static Instant randomTime(Random random) {
    return Instant.ofEpochSecond(
        random.nextLong(4_000_000_000L), 1_000 * random.nextInt(1_000_000));
  }

  @Test
  void queriesOfFilesAreThoseOfTheCommandLine() throws Exception {
    Path file = directory.resolve("jobs.gremlin");
    Files.writeString(file, JOBS.replace(").", ").\n  ") + "\n");
    assertThat(query("-f", file.toString()).out()).isEqualTo(query(JOBS).out());
    assertThat(query("--format", "csv", "--file", file.toString()).out())
        .isEqualTo(query("--format", "csv", JOBS).out());
  }

  @Test
  void whatCannotBeReadIsNamed() throws Exception {
    Path file = directory.resolve("empty.gremlin");
    Files.writeString(file, " \n");
    expect(query("-f", file.toString()), 2, "The query is empty");
    expect(query("-f", directory + "/no-such"), 1, directory + "/no-such");
    expect(query("-f", directory.toString()), 1, directory + " is a directory");
    Files.write(file, new byte[] {'g', (byte) 0xff});
    expect(query("-f", file.toString()), 1, "UTF-8");
    Files.write(file, new byte[(1 << 20) + 1]);
    expect(query("-f", file.toString()), 1, "1048576");
    expect(query("-f", file.toString(), "g.V()"), 2, "given twice");
    expect(query(), 2, "--file FILE");
    expect(query("--json", "--format", "csv", "g.V()"), 2, "exclude each other");
    expect(query("--profile", "--format", "csv", "g.V()"), 2, "--profile");
    expect(query("--format", "xml", "g.V()"), 2, "'xml'");
  }

  private static void expect(Cli answer, int exitCode, String words) {
    assertThat(answer.err()).contains(words);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.exitCode()).isEqualTo(exitCode);
  }
}
