package io.graphmeta.bench;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All modules together: no cycles, and each library of others in one place. */
@AnalyzeClasses(packages = "io.graphmeta", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String ROOT = "io.graphmeta.";
  private static final String CLI = ROOT + "server.cli";
  private static final String CONSOLE = ROOT + "server.console";
  private static final String CLIENT = ROOT + "server.client";
  private static final String GREMLIN = ROOT + "gremlin";
  private static final String ENDPOINT = ROOT + "server.gremlin";
  private static final String NET = ROOT + "server.net";
  private static final String CLUSTER = ROOT + "server.cluster";
  private static final String REPLICATION = ROOT + "server.replication";
  private static final String MEMBERSHIP = ROOT + "server.membership";

  /** Packages of others, and where they may be used, sub-packages included. */
  private static final Map<String, List<String>> LIBRARIES = libraries();

  private static Map<String, List<String>> libraries() {
    Map<String, List<String>> allowed = new LinkedHashMap<>();
    allowed.put("java.", List.of("io.graphmeta"));
    allowed.put("javax.script.", List.of(CLI, CONSOLE, ENDPOINT));
    allowed.put("org.jspecify.", List.of("io.graphmeta"));
    allowed.put("com.google.errorprone.annotations.concurrent.", List.of("io.graphmeta"));
    allowed.put("org.slf4j.", List.of("io.graphmeta"));
    allowed.put("org.rocksdb.", List.of(ROOT + "storage.rocksdb"));
    allowed.put("org.apache.lucene.", List.of(ROOT + "search.lucene", ROOT + "search.syntax"));
    allowed.put("com.github.benmanes.caffeine.", List.of(ROOT + "shard"));
    allowed.put("org.apache.tinkerpop.", List.of(GREMLIN, CLI, CONSOLE, CLIENT, ENDPOINT));
    allowed.put("org.javatuples.", List.of(ROOT + "gremlin.process.plan")); // as TinkerPop has them
    allowed.put("org.apache.commons.configuration2.", List.of(GREMLIN, CLI, ENDPOINT));
    allowed.put("org.antlr.v4.", List.of(ENDPOINT));
    allowed.put("io.netty.", List.of(ENDPOINT, NET));
    allowed.put("net.jpountz.", List.of(NET));
    allowed.put("org.apache.ratis.", List.of(REPLICATION));
    allowed.put("software.amazon.awssdk.", List.of(ROOT + "server.objects"));
    allowed.put("org.apache.curator.", List.of(MEMBERSHIP));
    allowed.put("org.apache.zookeeper.", List.of(MEMBERSHIP));
    allowed.put("javax.security.auth.login.", List.of(MEMBERSHIP));
    allowed.put("jdk.jfr.", List.of(ROOT + "recording"));
    allowed.put("io.micrometer.", List.of(ROOT + "server.metrics"));
    allowed.put("com.sun.net.httpserver.", List.of(ROOT + "server.admin"));
    allowed.put("com.sun.management.", List.of(ENDPOINT));
    allowed.put("javax.management.", List.of(ENDPOINT));
    allowed.put("javax.crypto.", List.of(ROOT + "server.users"));
    allowed.put("javax.net.ssl.", List.of(ENDPOINT));
    allowed.put("org.apache.commons.compress.", List.of(ROOT + "server.ingest.darshan"));
    allowed.put("picocli.", List.of(CLI));
    // What other tools write is JSON, as is what the command line prints.
    allowed.put("com.fasterxml.jackson.", List.of(CLI, ROOT + "server.ingest.trace"));
    return allowed;
  }

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching("io.graphmeta.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule libraries_stay_in_their_place =
      classes().that().resideOutsideOfPackage(ROOT + "bench..").should(useLibrariesInPlaceOnly());

  @ArchTest
  static final ArchRule nothing_depends_on_the_command_line =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI + "..", ROOT + "bench..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CLI + "..");

  @ArchTest
  static final ArchRule the_provider_and_the_server_use_the_engine_and_not_its_inside =
      noClasses()
          .that()
          .resideInAnyPackage(GREMLIN + "..", ROOT + "server..")
          .and()
          // A transport, which knows what all transports know, and what puts nodes together.
          .resideOutsideOfPackages(NET + "..", CLUSTER + "..", REPLICATION + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "storage..",
              ROOT + "protocol..",
              ROOT + "transport..",
              ROOT + "router..",
              ROOT + "shard..",
              ROOT + "node..",
              ROOT + "codec..",
              ROOT + "placement..");

  private static ArchCondition<JavaClass> useLibrariesInPlaceOnly() {
    return new ArchCondition<>("use libraries of others only where these belong") {
      @Override
      public void check(JavaClass from, ConditionEvents events) {
        for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (!target.isPrimitive() && !isAllowed(from, target)) {
            events.add(SimpleConditionEvent.violated(from, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static boolean isAllowed(JavaClass from, JavaClass target) {
    String name = target.getName();
    if (name.startsWith(ROOT)) {
      return true;
    }
    for (Map.Entry<String, List<String>> library : LIBRARIES.entrySet()) {
      if (name.startsWith(library.getKey())) {
        return library.getValue().stream()
            .anyMatch(place -> (from.getPackageName() + ".").startsWith(place + "."));
      }
    }
    return false;
  }
}
