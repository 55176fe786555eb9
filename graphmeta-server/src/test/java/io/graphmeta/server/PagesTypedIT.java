package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.server.Launcher.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Types what the pages for users show into a shell, block after block of a page in one session, as
 * they stand. What a page shows as an answer must be what comes. A block that cannot be typed here
 * stands in a list, with the reason.
 */
final class PagesTypedIT {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();
  private static final Pattern BLOCK = Pattern.compile("```(sh|console)\n(.*?)```", Pattern.DOTALL);
  private static final int[] USUAL_PORTS = {8182, 8183};

  /** Beginnings of blocks, and why they are not typed. */
  private static final Map<String, String> NOT_TYPED = new LinkedHashMap<>();

  static {
    NOT_TYPED.put("mvn ", "it builds what this test runs, or is the build");
    NOT_TYPED.put("docker ", "no containers in the build; the Dockerfile copies the distribution");
    NOT_TYPED.put("graphmeta cluster ", "it takes several processes or machines: ClusterTryIT");
    NOT_TYPED.put("graphmeta class-archive", "LauncherIT runs it on a distribution of its own");
    NOT_TYPED.put(
        "graphmeta user add",
        "it asks for a password and needs a certificate: ServerIT, AccessTest");
    NOT_TYPED.put(
        "graphmeta lineage --db centre.db --format dot",
        "Graphviz is not installed; ExportsIT draws with it");
    NOT_TYPED.put("graphmeta load darshan --follow", "it goes on until it is ended: FollowIT");
    NOT_TYPED.put(
        "graphmeta demo --db campaign.db\ngraphmeta server --db campaign.db &\npython3",
        "PythonIT installs the package and types the page");
    NOT_TYPED.put("sacct ", "Slurm is not installed; the sample has its text");
    NOT_TYPED.put("jcmd ", "the number of the process is the reader's");
    NOT_TYPED.put("rm apache-tinkerpop", "the console of TinkerPop is not at hand");
    NOT_TYPED.put("pip ", "DriversIT installs and runs the driver");
    NOT_TYPED.put("npm ", "DriversIT installs and runs the driver");
    NOT_TYPED.put("go get ", "DriversIT installs and runs the driver");
    NOT_TYPED.put("graph and g are bound", "ConsoleIT types the session and compares it");
  }

  /**
   * What a reader of a page has done before, where the page begins with more than the distribution.
   */
  private static final Map<String, String> DONE_BEFORE =
      Map.of(
          "docs/start/console.md",
              "graphmeta demo --db centre.db\nserve graphmeta server --db served.db\n",
          "docs/operate/README.md", "graphmeta demo --db centre.db\n",
          "docs/operate/backup.md", "graphmeta demo --db centre.db\n",
          "docs/operate/retention.md", "graphmeta demo --db centre.db\n");

  /** Paths that stand for those of the reader, and what lies there in this test. */
  private static final Map<String, String> PLACES =
      Map.of(
          "/logs/2026/11",
          "sample/campaign/logs",
          "/path/of/a/file",
          "/proj/hx01/config/model.cfg");

  /**
   * What a session begins with: the files that the pages speak of, and the port of the server free
   * again.
   */
  private static final String BEGIN =
      """
      set -euo pipefail
      end() { kill $(jobs -p) 2>/dev/null && wait || true; }
      trap end EXIT
      serve() {
        end
        "$@" > served.log 2>&1 &
        until grep -q '^listening on' served.log; do kill -0 $! && sleep 0.1; done
      }
      """;

  @TempDir private Path directory;

  static Stream<Path> pages() throws IOException {
    return all().stream().filter(PagesTypedIT::hasBlocks);
  }

  private static List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
    for (String section : List.of("docs/start", "docs/operate")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(section))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .sorted()
            .map(ROOT::relativize)
            .forEach(pages::add);
      }
    }
    return pages;
  }

  private static boolean hasBlocks(Path page) {
    try {
      return blocks(page).stream().anyMatch(block -> reason(block).isEmpty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> blocks(Path page) throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve(page)));
    while (block.find()) {
      blocks.add(block.group(2));
    }
    return blocks;
  }

  /** Why a block is not typed; empty if it is. */
  private static String reason(String block) {
    return NOT_TYPED.entrySet().stream()
        .filter(each -> block.startsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void whatThePageShowsIsWhatComes(Path page) throws Exception {
    List<String> expected = new ArrayList<>();
    String before = DONE_BEFORE.getOrDefault(page.toString(), "");
    StringBuilder script = new StringBuilder(BEGIN).append(before);
    boolean serves = before.contains("graphmeta server");
    for (String block : blocks(page)) {
      if (reason(block).isEmpty()) {
        serves |= block.contains("graphmeta server");
        script.append(typed(block, expected));
      }
    }
    assumeTrue(!serves || usualPortsAreFree(), "the ports 8182 and 8183 of the pages are taken");
    prepare();
    Path file = Files.writeString(directory.resolve("typed.sh"), script);
    Outcome outcome =
        new Launcher(directory).run(Path.of("/bin/bash"), environment(), "", file.toString());
    assertThat(outcome.exitCode())
        .as("%s: %s%n%s%n%s", page, outcome.errors(), outcome.output(), script)
        .isZero();
    Map<Integer, String> answers = answers(outcome.output());
    for (int number = 0; number < expected.size(); number++) {
      assertThat(answers.get(number)).as("%s", page).isEqualTo(expected.get(number));
    }
  }

  /** Else JUnit warns of links that lead out of its directory. */
  @AfterEach
  void removeLinks() throws IOException {
    for (String link : List.of("sample", "graphmeta", "graphmeta-server/target/graphmeta")) {
      Files.deleteIfExists(directory.resolve(link));
    }
  }

  /** A block as lines of a script, in which each answer that the page shows is marked. */
  private static String typed(String block, List<String> expected) {
    StringBuilder script = new StringBuilder();
    if (!block.startsWith("$ ")) {
      String joined = block.replaceAll("(?m)^(graphmeta server )", "serve $1");
      return places(joined) + "echo\n";
    }
    StringBuilder answer = new StringBuilder();
    for (String line : block.lines().toList()) {
      if (line.startsWith("$ ")) {
        if (!script.isEmpty()) {
          expected.add(answer.toString());
          answer.setLength(0);
        }
        script.append("echo '@@").append(expected.size()).append("'\n");
        script.append(places(line.substring(2))).append("\necho '@@'\n");
      } else {
        answer.append(line).append('\n');
      }
    }
    expected.add(answer.toString());
    return script.toString();
  }

  private static String places(String text) {
    String there = text;
    for (Map.Entry<String, String> place : PLACES.entrySet()) {
      there = there.replace(place.getKey(), place.getValue());
    }
    return there.replaceAll("(?<= )/logs(?= )", "sample/campaign/logs");
  }

  private static Map<Integer, String> answers(String output) {
    Map<Integer, String> answers = new LinkedHashMap<>();
    Matcher answer = Pattern.compile("@@(\\d+)\n(.*?)@@\n", Pattern.DOTALL).matcher(output);
    while (answer.find()) {
      answers.put(Integer.valueOf(answer.group(1)), answer.group(2));
    }
    return answers;
  }

  private static boolean usualPortsAreFree() {
    for (int port : USUAL_PORTS) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(socket.isBound()).isTrue();
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  /**
   * What the reader has: the distribution, unpacked or built, with its sample, a database, and
   * files of a centre.
   */
  private void prepare() throws Exception {
    Files.createSymbolicLink(directory.resolve("sample"), Launcher.HOME.resolve("sample"));
    Files.createSymbolicLink(directory.resolve("graphmeta"), Launcher.HOME);
    Files.createSymbolicLink(
        Files.createDirectories(directory.resolve("graphmeta-server/target")).resolve("graphmeta"),
        Launcher.HOME);
    Files.copy(Launcher.HOME.resolve("sample/campaign/sacct.txt"), directory.resolve("jobs.txt"));
  }

  private Map<String, String> environment() {
    return Map.of(
        "PATH", Launcher.HOME.resolve("bin") + ":" + System.getenv("PATH"),
        "HOME", directory.toString(),
        "XDG_RUNTIME_DIR", directory.toString());
  }

  @Test
  void eachReasonIsOneForABlock() throws Exception {
    TreeSet<String> unused = new TreeSet<>(NOT_TYPED.keySet());
    for (Path page : all()) {
      for (String block : blocks(page)) {
        unused.removeIf(block::startsWith);
      }
    }
    // The block about containers begins with the build of the distribution.
    unused.remove("docker ");
    assertThat(unused).isEmpty();
  }
}
