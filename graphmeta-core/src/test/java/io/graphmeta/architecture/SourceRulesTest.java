package io.graphmeta.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import io.graphmeta.architecture.SourceTree.SourceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What every source file of every module keeps to. A failure lists each place. */
final class SourceRulesTest {
  /** Where threads work for others, who must have their answer whatever is thrown (ADR 0018). */
  private static final Set<String> ANSWERING_PACKAGES =
      Set.of(
          "io.graphmeta.log",
          "io.graphmeta.node",
          "io.graphmeta.server.net",
          "io.graphmeta.server.replication",
          "io.graphmeta.shard",
          "io.graphmeta.shard.commits",
          "io.graphmeta.shard.moves",
          "io.graphmeta.stage",
          "io.graphmeta.stage.level",
          "io.graphmeta.storage.rocksdb",
          "io.graphmeta.transport");

  private static final int MAX_FILE_LINES = 800;
  private static final int MAX_METHOD_LINES = 70;

  /** Tests that are switched off. Raise it only together with a reason at the test. */
  private static final int DISABLED_TESTS = 0;

  /** Words that say nothing about a purpose, as a whole part of a name. */
  private static final Pattern EMPTY_WORD =
      Pattern.compile(
          "(?:^|(?<=[a-z0-9_]))(?:[Uu]tils?|[Uu]tilities|[Cc]ommons?|[Hh]elpers?|[Mm]anagers?)"
              + "(?![a-z])");

  private static final Set<String> PRINTING_PACKAGES =
      Set.of("io.graphmeta.server.cli", "io.graphmeta.bench");

  private static List<SourceFile> files = List.of();

  @BeforeAll
  static void parse() {
    files = SourceTree.ofProject().files();
    assertThat(files).as("sources found").hasSizeGreaterThan(20);
  }

  @Test
  void filesAreShort() {
    List<String> found = new ArrayList<>();
    for (SourceFile file : files) {
      if (file.lines().size() > MAX_FILE_LINES) {
        found.add(file + " has " + file.lines().size() + " lines");
      }
    }
    assertThat(found).as("files above %d lines", MAX_FILE_LINES).isEmpty();
  }

  @Test
  void methodsAreShort() {
    List<String> found = new ArrayList<>();
    forEachMethod(
        (file, method) -> {
          SourcePositions positions = file.trees().getSourcePositions();
          if (method.getBody() == null) {
            return;
          }
          // From the brace to the brace, so that Javadoc and long parameter lists do not count.
          long first = file.lineAt(positions.getStartPosition(file.tree(), method.getBody()));
          long last = file.lineAt(positions.getEndPosition(file.tree(), method.getBody()));
          if (last - first + 1 > MAX_METHOD_LINES) {
            found.add(file + ":" + first + " " + method.getName() + " " + (last - first + 1));
          }
        });
    assertThat(found).as("methods above %d lines", MAX_METHOD_LINES).isEmpty();
  }

  @Test
  void namesSayWhatAThingIsFor() {
    Set<String> found = new TreeSet<>();
    for (SourceFile file : files) {
      for (String part : packageOf(file).split("\\.")) {
        if (EMPTY_WORD.matcher(part).find()) {
          found.add("package " + packageOf(file));
        }
      }
    }
    forEachClass(
        (file, type) -> {
          if (EMPTY_WORD.matcher(type.getSimpleName()).find()) {
            found.add("class " + type.getSimpleName() + " in " + file);
          }
        });
    forEachMethod(
        (file, method) -> {
          if (EMPTY_WORD.matcher(method.getName()).find() && !isAnnotated(method, "Override")) {
            found.add("method " + method.getName() + " in " + file);
          }
        });
    assertThat(found).isEmpty();
  }

  @Test
  void everyPackageOfTheProductIsDescribedAndNullMarked() {
    Set<Path> described = new TreeSet<>();
    Set<Path> all = new TreeSet<>();
    for (SourceFile file : files) {
      if (file.isTest()) {
        continue;
      }
      Path directory = file.path().getParent();
      all.add(directory);
      if (file.path().endsWith("package-info.java")) {
        String text = String.join("\n", file.lines());
        if (text.startsWith("/**") && text.contains("\n@NullMarked\npackage ")) {
          described.add(directory);
        }
      }
    }
    all.removeAll(described);
    assertThat(all).as("packages without a package-info of Javadoc and @NullMarked").isEmpty();
  }

  @Test
  void nothingIsLeftForLater() {
    // In parts, so that this file does not find itself.
    Pattern marker = Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME)\\b");
    assertThat(places(marker, file -> true)).isEmpty();
  }

  @Test
  void onlyTheCommandLinePrints() {
    Pattern printing = Pattern.compile("System\\.(?:out|err)\\b|\\.printStack" + "Trace\\(");
    assertThat(
            places(
                printing,
                file ->
                    !file.isTest()
                        && PRINTING_PACKAGES.stream().noneMatch(packageOf(file)::startsWith)))
        .isEmpty();
  }

  @Test
  void nothingSwallowsErrorsOfTheJvm() {
    List<String> found = new ArrayList<>();
    for (SourceFile file : files) {
      if (file.isTest() || ANSWERING_PACKAGES.contains(packageOf(file))) {
        continue;
      }
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitCatch(CatchTree node, @Nullable Void nothing) {
          if (node.getParameter().getType().toString().equals("Throwable")) {
            found.add(place(file, node));
          }
          return super.visitCatch(node, nothing);
        }
      }.scan(file.tree(), null);
    }
    assertThat(found).as("catch of Throwable").isEmpty();
  }

  @Test
  void disabledTestsAreCountedAndSayWhy() {
    List<String> disabled = new ArrayList<>();
    List<String> unexplained = new ArrayList<>();
    for (SourceFile file : files) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitAnnotation(AnnotationTree node, @Nullable Void nothing) {
          String name = node.getAnnotationType().toString();
          name = name.substring(name.lastIndexOf('.') + 1);
          if (name.equals("Disabled") || name.equals("Ignore")) {
            disabled.add(place(file, node));
            if (node.getArguments().isEmpty()) {
              unexplained.add(place(file, node));
            }
          }
          return super.visitAnnotation(node, nothing);
        }
      }.scan(file.tree(), null);
    }
    assertThat(unexplained).as("tests switched off without a reason").isEmpty();
    assertThat(disabled).as("tests switched off").hasSize(DISABLED_TESTS);
  }

  private static List<String> places(Pattern pattern, Predicate<SourceFile> where) {
    List<String> found = new ArrayList<>();
    for (SourceFile file : files) {
      if (!where.test(file)) {
        continue;
      }
      for (int line = 0; line < file.lines().size(); line++) {
        if (pattern.matcher(file.lines().get(line)).find()) {
          found.add(file + ":" + (line + 1) + " " + file.lines().get(line).strip());
        }
      }
    }
    return found;
  }

  private static String place(SourceFile file, com.sun.source.tree.Tree node) {
    long offset = file.trees().getSourcePositions().getStartPosition(file.tree(), node);
    return file + ":" + file.lineAt(offset);
  }

  private static String packageOf(SourceFile file) {
    return String.valueOf(file.tree().getPackageName());
  }

  private static boolean isAnnotated(MethodTree method, String annotation) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(node -> node.getAnnotationType().toString().equals(annotation));
  }

  private static void forEachMethod(BiConsumer<SourceFile, MethodTree> action) {
    for (SourceFile file : files) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitMethod(MethodTree node, @Nullable Void nothing) {
          action.accept(file, node);
          return super.visitMethod(node, nothing);
        }
      }.scan(file.tree(), null);
    }
  }

  private static void forEachClass(BiConsumer<SourceFile, ClassTree> action) {
    for (SourceFile file : files) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitClass(ClassTree node, @Nullable Void nothing) {
          action.accept(file, node);
          return super.visitClass(node, nothing);
        }
      }.scan(file.tree(), null);
    }
  }
}
