package io.graphmeta.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Set;

/** The packages of the server: their levels, the order of their files, and what is not used. */
@AnalyzeClasses(
    packages = ServerArchitectureTest.ROOT,
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ServerArchitectureTest {
  static final String ROOT = "io.graphmeta.server";

  /**
   * From the bottom to the top, by their names below the server's package. A package depends on its
   * own level and those below it.
   */
  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of(
              "settings",
              "metrics",
              "users",
              "ingest.darshan",
              "ingest.sacct",
              "ingest.trace",
              "export",
              "ingest.lines",
              "console",
              "report",
              "layout",
              "answers",
              "objects",
              "table"),
          Set.of("access", "ingest", "gremlin.rules", "membership", "replication", "picture"),
          Set.of("ingest.wire", "ingest.accounting", "net"),
          Set.of(
              "admin",
              "client",
              "cluster",
              "gremlin.backup",
              "gremlin.load",
              "gremlin.run",
              "gremlin.view"),
          Set.of("gremlin.wire"),
          Set.of("gremlin"),
          Set.of("cli.output", "cli.connection", "cli.pages"),
          Set.of("cli.index"),
          Set.of(
              "cli.lineage",
              "cli.load",
              "cli.health",
              "cli.backup",
              "cli.retention",
              "cli.server",
              "cli.cluster"),
          Set.of("cli.demo", "cli.report"),
          Set.of("cli.query"),
          Set.of("cli"),
          Set.of(""));

  @ArchTest
  static final ArchRule packages_depend_downward_only = classes().should(dependDownwardOnly());

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule files_of_a_package_have_no_cycles =
      slices().assignedFrom(new Files()).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothing_of_gremlin_server_is_used =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.tinkerpop.gremlin.server..")
          .because("the protocol is served by handlers of our own (ADR 0023)");

  @ArchTest
  static final ArchRule rules_and_evaluation_know_no_network =
      noClasses()
          .that()
          .resideInAnyPackage(ROOT + ".gremlin.rules", ROOT + ".gremlin.run")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..", "java.net..");

  private static ArchCondition<JavaClass> dependDownwardOnly() {
    return new ArchCondition<>("depend on their own level and those below only") {
      @Override
      public void check(JavaClass from, ConditionEvents events) {
        int level = levelOf(from);
        if (level < 0) {
          events.add(
              SimpleConditionEvent.violated(
                  from,
                  from.getPackageName()
                      + " has no level; add it to ServerArchitectureTest.LEVELS"));
          return;
        }
        for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
          if (levelOf(dependency.getTargetClass().getBaseComponentType()) > level) {
            events.add(SimpleConditionEvent.violated(from, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static int levelOf(JavaClass type) {
    String name = type.getPackageName();
    if (!(name + ".").startsWith(ROOT + ".")) {
      return -1;
    }
    String below = name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    for (int level = 0; level < LEVELS.size(); level++) {
      if (LEVELS.get(level).contains(below)) {
        return level;
      }
    }
    return -1;
  }

  /** A slice for each file: nested types belong to the file that has them. */
  private static final class Files implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getName();
      int nested = name.indexOf('$');
      return name.startsWith(ROOT + ".")
          ? SliceIdentifier.of(type.getPackageName(), nested < 0 ? name : name.substring(0, nested))
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "the files of each package";
    }
  }
}
