package io.graphmeta.gremlin.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The packages of the provider: steps read through a port, and what lies below the engine stays
 * there.
 */
@AnalyzeClasses(
    packages = "io.graphmeta.gremlin",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
final class GremlinArchitectureTest {
  private static final String ROOT = "io.graphmeta.gremlin.";

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching("io.graphmeta.gremlin.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule steps_know_the_graph_through_their_port_alone =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "process.step..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT + "structure..", ROOT + "process.strategy..");

  @ArchTest
  static final ArchRule strategies_do_not_know_the_graph =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "process.strategy..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT + "structure..");

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
}
