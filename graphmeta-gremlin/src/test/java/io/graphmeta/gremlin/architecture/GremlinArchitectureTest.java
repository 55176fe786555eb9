package io.graphmeta.gremlin.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/**
 * The packages of the provider and the files within them: steps read through a port, and what lies
 * below the engine stays there.
 */
@AnalyzeClasses(
    packages = "io.graphmeta.gremlin",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
final class GremlinArchitectureTest {
  private static final String ROOT = "io.graphmeta.gremlin.";

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching("io.graphmeta.gremlin.(**)").should().beFreeOfCycles();

  /** No file depends on one that depends on it, directly or through others of its package. */
  @ArchTest
  static final ArchRule files_of_a_package_have_no_cycles =
      slices().assignedFrom(new Files()).should().beFreeOfCycles();

  /** A package depends on packages that stand below it. Steps read the graph through a port. */
  @ArchTest
  static final ArchRule packages_depend_downward_only =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("console")
          .definedBy(ROOT + "jsr223..")
          .layer("structure")
          .definedBy(ROOT + "structure..")
          .layer("service")
          .definedBy(ROOT + "service..")
          .layer("strategy")
          .definedBy(ROOT + "process.strategy..")
          .layer("plan")
          .definedBy(ROOT + "process.plan..")
          .layer("step")
          .definedBy(ROOT + "process.step..")
          .ensureAllClassesAreContainedInArchitectureIgnoring("io.graphmeta.gremlin")
          .whereLayer("console")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("structure")
          .mayOnlyBeAccessedByLayers("console")
          .whereLayer("service")
          .mayOnlyBeAccessedByLayers("structure")
          .whereLayer("strategy")
          .mayOnlyBeAccessedByLayers("structure", "service")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("strategy");

  @ArchTest
  static final ArchRule the_provider_uses_the_public_face_of_the_core =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.graphmeta.codec..",
              "io.graphmeta.node..",
              "io.graphmeta.placement..",
              "io.graphmeta.protocol..",
              "io.graphmeta.router..",
              "io.graphmeta.schema..",
              "io.graphmeta.shard..",
              "io.graphmeta.storage..",
              "io.graphmeta.transport..",
              "org.rocksdb..");

  /** A slice for each file: nested types belong to the file that has them. */
  private static final class Files implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getName();
      int nested = name.indexOf('$');
      return SliceIdentifier.of(
          type.getPackageName(), nested < 0 ? name : name.substring(0, nested));
    }

    @Override
    public String getDescription() {
      return "the files of each package";
    }
  }
}
