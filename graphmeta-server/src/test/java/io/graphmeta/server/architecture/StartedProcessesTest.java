package io.graphmeta.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.RunningCluster;
import java.util.Set;

/** The tests that start the nodes of a cluster run while no other does. */
@AnalyzeClasses(
    packages = ServerArchitectureTest.ROOT,
    importOptions = ImportOption.OnlyIncludeTests.class)
final class StartedProcessesTest {
  private static final Set<String> CLUSTERS =
      Set.of(
          RunningCluster.class.getName(),
          LocalCluster.class.getName(),
          ServerArchitectureTest.ROOT + ".faults.FaultyCluster");

  @ArchTest
  static final ArchRule nodes_have_the_machine =
      classes()
          .that(DescribedPredicate.describe("start nodes", StartedProcessesTest::startsNodes))
          .should()
          .beAnnotatedWith(RunsAlone.class);

  private static boolean startsNodes(JavaClass test) {
    return test.getSimpleName().endsWith("IT")
        && test.getDirectDependenciesFromSelf().stream()
            .anyMatch(each -> CLUSTERS.contains(each.getTargetClass().getName()));
  }
}
