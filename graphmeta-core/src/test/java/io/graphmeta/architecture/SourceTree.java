package io.graphmeta.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java sources of all modules, parsed but not compiled. */
final class SourceTree {
  private final List<SourceFile> files;

  private SourceTree(List<SourceFile> files) {
    this.files = files;
  }

  /** One parsed file. */
  record SourceFile(Path path, List<String> lines, CompilationUnitTree tree, Trees trees) {
    boolean isTest() {
      return path.toString().replace('\\', '/').contains("/src/test/");
    }

    /** The line, from 1, at an offset of the tree. */
    long lineAt(long offset) {
      return tree.getLineMap().getLineNumber(offset);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  List<SourceFile> files() {
    return files;
  }

  static SourceTree ofProject() {
    Path root = projectRoot();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager sources = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  sources,
                  null,
                  List.of("-proc:none"),
                  null,
                  sources.getJavaFileObjectsFromPaths(javaFiles(root)));
      Trees trees = Trees.instance(task);
      List<SourceFile> parsed = new ArrayList<>();
      for (CompilationUnitTree tree : task.parse()) {
        Path path = Path.of(tree.getSourceFile().toUri());
        parsed.add(new SourceFile(root.relativize(path), Files.readAllLines(path), tree, trees));
      }
      return new SourceTree(parsed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory that holds all modules, found upward from where the tests run. */
  static Path projectRoot() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(directory.resolve(".mvn"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("No directory above the tests holds .mvn");
      }
    }
    return directory;
  }

  static List<Path> javaFiles(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(path -> Files.exists(path.resolve("pom.xml"))).toList()) {
        for (String sources : List.of("src/main/java", "src/test/java")) {
          Path directory = module.resolve(sources);
          if (Files.isDirectory(directory)) {
            try (Stream<Path> walk = Files.walk(directory)) {
              walk.filter(path -> path.toString().endsWith(".java")).sorted().forEach(found::add);
            }
          }
        }
      }
    }
    return found;
  }
}
