package io.graphmeta.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/** The packages of the core: their levels, what is pure, and which of them never meet. */
@AnalyzeClasses(
    packages = "io.graphmeta",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
final class CoreArchitectureTest {
  private static final String ROOT = "io.graphmeta.";

  /** From the bottom to the top. A package depends on its own level and those below it. */
  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("error", "time", "metrics", "bytes", "config", "heap", "stability"),
          Set.of("model", "schema", "transfer"),
          Set.of("backup"),
          Set.of("plan", "archive"),
          Set.of("search"),
          Set.of("codec", "placement"),
          Set.of("storage", "search.lucene", "search.syntax"),
          Set.of("storage.rocksdb", "storage.memory", "protocol", "log"),
          Set.of("split", "transport", "frontier", "recording"),
          Set.of("adjacency"),
          Set.of("rows"),
          Set.of("stage.program"),
          Set.of("stage.flow"),
          Set.of("stage.results"),
          Set.of("stage.level"),
          Set.of("stage"),
          Set.of("router", "shard.moves", "shard.index", "shard.retention"),
          Set.of("shard.commits"),
          Set.of("shard"),
          Set.of("records"),
          Set.of("traversal", "move", "reads"),
          Set.of("tx"),
          Set.of("node"),
          Set.of("engine"),
          Set.of("provenance", "gtravel"),
          Set.of("provenance.folding"));

  /** No I/O, no clock, no thread: what is given in decides what comes out. */
  private static final String[] PURE = {
    ROOT + "model..",
    ROOT + "schema..",
    ROOT + "plan..",
    ROOT + "codec..",
    ROOT + "placement..",
    ROOT + "provenance.folding.."
  };

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching("io.graphmeta.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packages_depend_downward_only = classes().should(dependDownwardOnly());

  @ArchTest
  static final ArchRule shards_know_no_router =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "shard..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "router..")
          .because("they are the two ends of the transport")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule routers_know_no_shard =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "router..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "shard..")
          .because("they are the two ends of the transport")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule only_the_composition_root_chooses_an_adapter =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              ROOT + "node..",
              ROOT + "storage.rocksdb..",
              ROOT + "storage.memory..",
              ROOT + "search.lucene..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "storage.rocksdb..", ROOT + "storage.memory..", ROOT + "search.lucene..")
          .because("all others see the port");

  @ArchTest
  static final ArchRule pure_packages_do_no_io_and_know_no_thread =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.nio.file..", "java.nio.channels..", "java.net..", "org.slf4j..")
                  .or(inputOrOutput())
                  .or(threading()))
          .because("they are tested by the million, with nothing around them")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule pure_packages_know_no_clock_and_no_chance =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(java.util.UUID.class, "randomUUID")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.time.Clock.class)
          .allowEmptyShould(true);

  private static DescribedPredicate<JavaClass> inputOrOutput() {
    return resideInAnyPackage("java.io..")
        .and(not(type(java.io.Serializable.class)))
        .and(not(type(java.io.IOException.class)))
        .and(not(type(java.io.UncheckedIOException.class)))
        .and(not(type(java.io.ByteArrayInputStream.class)))
        .and(not(type(java.io.ByteArrayOutputStream.class)))
        .as("files and streams");
  }

  private static DescribedPredicate<JavaClass> threading() {
    return resideInAnyPackage("java.util.concurrent..")
        .or(simpleName("Thread"))
        .or(simpleName("ThreadLocal"))
        .as("threads and locks");
  }

  private static ArchCondition<JavaClass> dependDownwardOnly() {
    return new ArchCondition<>("depend on their own level and those below only") {
      @Override
      public void check(JavaClass from, ConditionEvents events) {
        int level = levelOf(from);
        if (level < 0) {
          events.add(
              SimpleConditionEvent.violated(
                  from,
                  from.getPackageName() + " has no level; add it to CoreArchitectureTest.LEVELS"));
          return;
        }
        for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
          int target = levelOf(dependency.getTargetClass().getBaseComponentType());
          if (target > level) {
            events.add(SimpleConditionEvent.violated(from, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static int levelOf(JavaClass type) {
    String name = type.getPackageName();
    for (int level = 0; level < LEVELS.size(); level++) {
      if (name.startsWith(ROOT) && LEVELS.get(level).contains(name.substring(ROOT.length()))) {
        return level;
      }
    }
    return -1;
  }
}
