package io.graphmeta.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents agree with the code and with one another. */
final class DocumentsTest {
  private static final Path ROOT = SourceTree.projectRoot();
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]+)(?:#[^)]*)?\\)");

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        links++;
        if (!Files.exists(page.resolveSibling(link.group(1)))) {
          broken.add(ROOT.relativize(page) + " -> " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).as("links found").isGreaterThan(10);
  }

  @Test
  void everyDecisionIsListed() throws IOException {
    Path directory = ROOT.resolve("docs/adr");
    String list = Files.readString(directory.resolve("README.md"));
    try (Stream<Path> records = Files.list(directory)) {
      assertThat(records.map(path -> path.getFileName().toString()))
          .filteredOn(name -> !name.equals("README.md"))
          .isNotEmpty()
          .allSatisfy(name -> assertThat(list).contains("(" + name + ")"));
    }
  }

  /** A package and a class of it, in one pair of back quotes or in two. */
  private static final Pattern CLASS = Pattern.compile("`([a-z][a-z0-9.]*)(?:\\.|` `)([A-Z]\\w+)`");

  @Test
  void classesThatTheArchitectureNamesAreThere() throws IOException {
    Set<String> files = new HashSet<>();
    for (Path file : SourceTree.javaFiles(ROOT)) {
      files.add(file.toString().replace('\\', '/'));
    }
    List<String> missing = new ArrayList<>();
    int named = 0;
    String page = Files.readString(ROOT.resolve("docs/internals/ARCHITECTURE.md"));
    for (MatchResult match : CLASS.matcher(page).results().toList()) {
      named++;
      String file = "/io/graphmeta/" + match.group(1).replace('.', '/') + "/" + match.group(2);
      if (files.stream().noneMatch(path -> path.endsWith(file + ".java"))) {
        missing.add(match.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).as("classes named").isGreaterThan(20);
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> walk = Files.walk(ROOT.resolve("docs"))) {
      walk.filter(path -> path.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }
}
