package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Resolves the pom of the page on embedding by Maven, with the libraries as they were packaged, and
 * compiles and runs its program with what comes of it, with the binding for logs and without.
 */
final class EmbeddingPageIT {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>graphmeta</artifactId>\\s*<version>([^<]+)</version>");

  @TempDir private Path directory;

  @Test
  void thePomAndTheProgramOfThePageWork() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/start/embedding.md"));
    String version = group(Files.readString(ROOT.resolve("pom.xml")), VERSION);
    Files.writeString(directory.resolve("pom.xml"), block(page, "xml", 0));
    Files.writeString(directory.resolve("logback.xml"), block(page, "xml", 1));
    Path program = Files.writeString(directory.resolve("Files.java"), block(page, "java", 0));
    assertThat(page).contains("<version>" + version + "</version>");

    Path repository = repository(version);
    String classPath = resolved(repository) + File.pathSeparator + directory;
    assertThat(classPath).contains("graphmeta-core-" + version + ".jar", "logback-classic");
    assertThat(jars(classPath)).as("versions as packaged").isSubsetOf(packaged());
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-Werror",
                "--release",
                "17",
                "-cp",
                classPath,
                program.toString());
    assertThat(compiled).as("exit code of the compiler").isZero();

    String expected = block(page, "text", 0);
    Outcome logged = run(java(classPath));
    assertThat(logged.output()).as(logged.errors()).isEqualTo(expected);
    assertThat(logged.errors()).as("warnings").isEmpty();
    delete(directory.resolve("files.db"));
    Outcome unbound = run(java(without(classPath, "logback")));
    assertThat(unbound.output()).isEqualTo(expected);
    assertThat(unbound.errors()).contains("SLF4J").doesNotContain("Exception");
    delete(repository);
  }

  @Test
  void gradleHasTheSameLibraries() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/start/embedding.md"));
    Matcher dependency =
        Pattern.compile(
                "<groupId>(.*)</groupId>\\s*<artifactId>(.*)</artifactId>\\s*<version>(.*)</version>")
            .matcher(block(page, "xml", 0).replaceFirst("(?s)^.*<dependencies>", ""));
    List<String> names = new ArrayList<>();
    while (dependency.find()) {
      names.add(
          "\""
              + dependency.group(1)
              + ":"
              + dependency.group(2)
              + ":"
              + dependency.group(3)
              + "\"");
    }
    assertThat(names).hasSize(2);
    assertThat(block(page, "kotlin", 0)).contains(names);
  }

  /**
   * A local repository with what the one of this build has, and GraphMeta as it was packaged: the
   * build installs nothing.
   */
  private Path repository(String version) throws IOException {
    Path usual = usualRepository();
    Path repository = directory.resolve("repository");
    Path io = Files.createDirectories(repository.resolve("io"));
    link(usual, repository, "io");
    link(usual.resolve("io"), io, "graphmeta");
    for (String module : List.of("graphmeta", "graphmeta-core", "graphmeta-gremlin")) {
      Path place =
          Files.createDirectories(io.resolve("graphmeta").resolve(module).resolve(version));
      Path sources = module.equals("graphmeta") ? ROOT : ROOT.resolve(module);
      String name = module + "-" + version;
      Files.copy(sources.resolve("pom.xml"), place.resolve(name + ".pom"));
      if (!sources.equals(ROOT)) {
        Files.copy(sources.resolve("target/" + name + ".jar"), place.resolve(name + ".jar"));
      }
    }
    return repository;
  }

  private static Path usualRepository() {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      int group = entry.indexOf("/org/slf4j/slf4j-api/");
      if (group > 0) {
        return Path.of(entry.substring(0, group));
      }
    }
    throw new AssertionError("slf4j-api is on the class path of each test");
  }

  private static void link(Path from, Path to, String except) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.filter(each -> !each.endsWith(except)).toList()) {
        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
      }
    }
  }

  private String resolved(Path repository) throws Exception {
    Path result = directory.resolve("classpath");
    String plugin = "org.apache.maven.plugins:maven-dependency-plugin";
    String pluginVersion =
        group(
            Files.readString(ROOT.resolve("pom.xml")),
            Pattern.compile("maven-dependency-plugin</artifactId>\\s*<version>([^<]+)<"));
    Outcome maven =
        run(
            List.of(
                "mvn",
                "-B",
                "-o",
                "-q",
                "-Dmaven.repo.local=" + repository,
                plugin + ":" + pluginVersion + ":build-classpath",
                "-Dmdep.outputFile=" + result));
    assertThat(maven.exitCode()).as(maven.output() + maven.errors()).isZero();
    return Files.readString(result).strip();
  }

  private static List<String> jars(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).getFileName().toString())
        .filter(name -> name.endsWith(".jar"))
        .toList();
  }

  private static List<String> packaged() throws IOException {
    try (Stream<Path> jars = Files.walk(ROOT.resolve("graphmeta-server/target/graphmeta/lib"))) {
      return jars.map(jar -> jar.getFileName().toString()).toList();
    }
  }

  private static List<String> java(String classPath) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(java, "-cp", classPath, "Files");
  }

  private static String without(String classPath, String part) {
    return String.join(
        File.pathSeparator,
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> !entry.contains(part))
            .toList());
  }

  /** Removes a directory with what is in it, and links without what they lead to. */
  private static void delete(Path place) throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private record Outcome(int exitCode, String output, String errors) {}

  private Outcome run(List<String> command) throws Exception {
    Path output = directory.resolve("output");
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("%s ends", command.get(0)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  private static String block(String page, String language, int which) {
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    for (int i = 0; i <= which; i++) {
      assertThat(block.find()).as("block %d of %s", i, language).isTrue();
    }
    return block.group(1);
  }

  private static String group(String text, Pattern pattern) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s", pattern).isTrue();
    return matcher.group(1);
  }
}
