package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the distribution brings of others: nothing unnoticed, each with its licence; and the archive
 * of classes that the build has written.
 */
final class DistributionIT {
  private static final Pattern JAR =
      Pattern.compile("(?<name>.+?)-\\d[\\w.]*(?:-SNAPSHOT)?(?<platform>-[a-z]+-\\w+)?\\.jar");
  private static final Pattern TEXT_INSIDE =
      Pattern.compile("(META-INF/)?(licen[cs]e|copying)(\\.txt|\\.md)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern TEXT_BESIDE =
      Pattern.compile("\\| `(\\S+)` \\| .* \\| \\[.*]\\((.*)\\) \\|");

  private static List<Path> jars() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String folder : List.of("lib", "zookeeper")) {
      try (Stream<Path> files = Files.walk(Launcher.HOME.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
      }
    }
    return jars;
  }

  private static String name(Path jar) {
    Matcher matcher = JAR.matcher(jar.getFileName().toString());
    assertThat(matcher.matches()).as("%s is name-version.jar", jar).isTrue();
    return matcher.group("name");
  }

  /** A library that a dependency brings along is looked at before it goes out. */
  @Test
  void theLibrariesAreThoseOnTheList() throws Exception {
    Set<String> found = new TreeSet<>();
    for (Path jar : jars()) {
      found.add(name(jar));
    }
    List<String> listed;
    try (InputStream in = DistributionIT.class.getResourceAsStream("/distribution-jars.txt")) {
      listed =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(listed);
  }

  /** ZooKeeper's server brings metrics of its own, and is a process of its own. */
  @Test
  void whatOnlyZooKeepersServerNeedsIsOnNoOtherClassPath() throws Exception {
    Set<String> found = new TreeSet<>();
    for (Path jar : jars()) {
      if (!jar.startsWith(Launcher.HOME.resolve("zookeeper"))) {
        found.add(name(jar));
      }
    }
    assertThat(found)
        .contains("zookeeper", "zookeeper-jute")
        .doesNotContain("metrics-core", "snappy-java", "netty-tcnative-classes", "guava");
  }

  /** Where the cluster could not be rehearsed, it has no classes of nodes. */
  @Test
  void theArchiveOfClassesHasThoseOfCommandsAndOfNodesThatLead() throws Exception {
    String archive =
        new String(
            Files.readAllBytes(Launcher.HOME.resolve("lib/graphmeta.jsa")),
            StandardCharsets.ISO_8859_1);
    assertThat(archive.contains("io/graphmeta/server/cli/GraphMetaCommand")).isTrue();
    assertThat(archive.contains("org/apache/ratis/server/impl/LeaderStateImpl")).isTrue();
    assertThat(archive.contains("org/apache/ratis/grpc/server/GrpcLogAppender")).isTrue();
  }

  @Test
  void eachLibraryHasTheTextOfItsLicence() throws Exception {
    Path licenses = Launcher.HOME.resolve("licenses");
    TreeMap<String, Path> beside = new TreeMap<>();
    for (String line : Files.readAllLines(licenses.resolve("README.md"))) {
      Matcher matcher = TEXT_BESIDE.matcher(line);
      if (matcher.matches()) {
        beside.put(matcher.group(1), licenses.resolve(matcher.group(2)).normalize());
      }
    }
    List<String> without = new ArrayList<>();
    Set<String> unneeded = new TreeSet<>(beside.keySet());
    for (Path jar : jars()) {
      String name = name(jar);
      Path text = beside.get(name);
      if (text != null) {
        assertThat(text).as(name).isNotEmptyFile();
        unneeded.remove(name);
      } else if (!name.startsWith("graphmeta-") && !hasText(jar)) {
        without.add(name);
      }
    }
    assertThat(without).as("libraries without the text of a licence").isEmpty();
    assertThat(unneeded).as("texts for libraries that are not there").isEmpty();
  }

  private static boolean hasText(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().anyMatch(entry -> TEXT_INSIDE.matcher(entry.getName()).matches());
    }
  }

  @Test
  void theBillOfMaterialsNamesEachLibraryAndItsLicence() throws Exception {
    Path file = Launcher.HOME.resolve("sbom.cdx.json");
    assumeTrue(
        Files.exists(file), "Maven makes the bill of materials only when it is not offline (-o)");
    JsonNode bill = new ObjectMapper().readTree(file.toFile());
    assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
    Set<String> named = new TreeSet<>();
    List<String> unlicensed = new ArrayList<>();
    for (JsonNode component : bill.path("components")) {
      String name = component.path("name").asText();
      named.add(name + "-" + component.path("version").asText());
      if (component.path("licenses").isEmpty()) {
        unlicensed.add(name);
      }
    }
    assertThat(unlicensed).as("without a licence").isEmpty();
    List<String> unnamed = new ArrayList<>();
    for (Path jar : jars()) {
      String jarName = jar.getFileName().toString().replaceFirst("\\.jar$", "");
      if (!named.contains(jarName) && !jarName.startsWith("graphmeta-server-")) {
        unnamed.add(jarName);
      }
    }
    assertThat(unnamed).as("jars that it does not name").isEmpty();
  }
}
