package io.graphmeta.server.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.server.report.JobReport.Effect;
import io.graphmeta.server.report.JobReport.Program;
import io.graphmeta.server.report.JobReport.Use;
import io.graphmeta.server.report.JobReport.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of any kind are texts of the page and nothing else, read back by a parser of HTML. */
class ReportPageTest {
  private static final List<String> PIECES =
      List.of(
          "<script>alert(1)</script>",
          "</style>",
          "</title>",
          "</svg>",
          "<img src=x onerror=alert(1)>",
          "\"",
          "'",
          "\" onload=\"alert(1)",
          "&amp;",
          "&#60;",
          "&",
          "<!--",
          "-->",
          "]]>",
          "<![CDATA[",
          "javascript:alert(1)",
          "\u202e",
          "\u2028",
          "\n",
          "\r",
          "\t",
          "\u0001",
          "\u007f",
          "\ud83d\ude00",
          "/scratch/a b",
          "${x}",
          "{{x}}",
          "`",
          "%s",
          "<base href=//evil>",
          "<meta http-equiv=refresh>",
          "\u00e9");

  private static final Set<String> TAGS =
      Set.of(
          "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "bdi", "span",
          "div", "b", "section", "dl", "dt", "dd", "i", "svg", "rect", "line", "text", "table",
          "thead", "tbody", "tr", "th", "td", "time", "a", "ol", "li", "footer");

  @TempDir private Path directory;

  @Test
  void namesOfAnyKindAreTexts() throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      List<String> names = new ArrayList<>();
      JobReport report = report(random, names);
      String page = ReportPage.of(report);
      Document document = Jsoup.parse(page);
      List<String> found = document.select("bdi").stream().map(Element::wholeText).toList();
      assertThat(found).as("seed %s, page %s", seed, i).containsAll(names);
      for (Element element : document.getAllElements()) {
        boolean known = element == document || TAGS.contains(element.tagName());
        assertThat(known).as("seed %s, page %s: %s", seed, i, element.tagName()).isTrue();
        for (Attribute attribute : element.attributes()) {
          assertThat(attribute.getKey()).as("seed %s", seed).doesNotStartWith("on");
          if (attribute.getKey().equals("href")) {
            assertThat(attribute.getValue()).startsWith("#doubt-");
            assertThat(document.select(attribute.getValue())).hasSize(1);
          }
          assertThat(attribute.getKey()).isNotIn("src", "style", "srcset", "action", "xlink:href");
        }
      }
      requirePolicy(document);
    }
  }

  /** The policy allows the page's own style and nothing else. */
  private static void requirePolicy(Document document) throws Exception {
    String policy =
        document.select("head meta[http-equiv=Content-Security-Policy]").attr("content");
    String style = document.select("style").get(0).data();
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
    assertThat(policy)
        .isEqualTo(
            "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(digest)
                + "'; base-uri 'none'; form-action 'none'");
    assertThat(document.select("style")).hasSize(1);
    assertThat(style).doesNotContain("url(", "@import");
  }

  private static String name(Random random, List<String> names) {
    StringBuilder name = new StringBuilder("/n" + names.size());
    for (int i = 0; i < random.nextInt(5); i++) {
      name.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    names.add(name.toString());
    return name.toString();
  }

  private static JobReport report(Random random, List<String> names) {
    String job = "job:" + name(random, new ArrayList<>());
    List<Program> programs = new ArrayList<>();
    List<Use> uses = new ArrayList<>();
    List<Version> inputs = new ArrayList<>();
    List<Version> outputs = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < random.nextInt(4); i++) {
      long start = random.nextInt(5) == 0 ? 0 : 1_790_000_000_000_000L + random.nextInt(1_000_000);
      List<Long> spans = List.of(random.nextLong(1L << 40), 0L, random.nextLong(10));
      programs.add(
          new Program(
              job + "/" + i,
              name(random, new ArrayList<>()),
              name(random, names),
              start,
              random.nextInt(3) == 0 ? 0 : start + random.nextInt(10_000_000),
              random.nextInt(100),
              random.nextBoolean(),
              random.nextBoolean() ? 0.1 : 0,
              spans,
              spans));
    }
    for (int i = 0; i < random.nextInt(6); i++) {
      String file = name(random, names);
      uses.add(new Use(job + "/" + random.nextInt(4), file, i % 2 == 0, 1 + random.nextInt(), 3));
      (i % 2 == 0 ? outputs : inputs)
          .add(new Version(file, i * 1_000L, "current", name(random, names), doubts(random)));
      effects.add(
          new Effect(
              "x", "process", name(random, names), 5, "replaced", "read", i, doubts(random)));
    }
    return new JobReport(
        job,
        name(random, names),
        name(random, names),
        Map.of("State", name(random, names), "Directory", name(random, names)),
        programs,
        uses,
        inputs,
        outputs,
        effects,
        random.nextBoolean(),
        "as of <now>",
        "Made by & for a test.");
  }

  private static Set<Doubt> doubts(Random random) {
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    for (int i = 0; i < random.nextInt(3); i++) {
      doubts.add(Doubt.values()[random.nextInt(Doubt.values().length)]);
    }
    return doubts;
  }

  @Test
  void whatHtmlHasNoFormForIsReplaced() {
    List<String> names = new ArrayList<>();
    JobReport report = report(new Random(1), names);
    String page =
        ReportPage.of(
            new JobReport(
                "job:1",
                "a\0b\ud800c",
                "u",
                report.facts(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                false,
                "",
                ""));
    assertThat(Jsoup.parse(page).title()).isEqualTo("Job 1 a\ufffdb\ufffdc");
    assertThat(page).doesNotContain("\0");
  }

  @Test
  void tablesEndAtTheirLimit() {
    List<Version> many = new ArrayList<>();
    for (int i = 0; i < ReportPage.MAX_ROWS + 1_234; i++) {
      many.add(new Version("/f" + i, 0, "current", "", Set.of()));
    }
    String page =
        ReportPage.of(
            new JobReport(
                "job:1", "", "", Map.of(), List.of(), List.of(), many, List.of(), List.of(), true,
                "", ""));
    assertThat(page).contains("and 1,234 more versions", "Limits ended some of the lists");
    assertThat(Jsoup.parse(page).select("tbody tr")).hasSize(ReportPage.MAX_ROWS);
  }

  @Test
  void aFileIsWrittenWholeOrLeftAsItIs() throws IOException {
    Path file = Files.writeString(directory.resolve("out.html"), "before");
    ReportFile.write(file, "after");
    assertThat(file).hasContent("after");
    assertThatThrownBy(() -> ReportFile.write(directory.resolve("no/out.html"), "x"))
        .isInstanceOf(IOException.class);
    Path taken = Files.createDirectory(directory.resolve("taken"));
    Files.writeString(taken.resolve("inside"), "");
    assertThatThrownBy(() -> ReportFile.write(taken, "x"))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(AccessDeniedException.class);
    try (var left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("out.html", "taken");
    }
  }

  @Test
  void linksAndPipesStayWhatTheyAre() throws Exception {
    Path file = Files.writeString(directory.resolve("page.html"), "before");
    Path link = Files.createSymbolicLink(directory.resolve("link.html"), file);
    ReportFile.write(link, "after");
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("after");
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readString(pipe);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    ReportFile.write(pipe, "through");
    assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo("through");
    assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther()).isTrue();
  }
}
