package io.graphmeta.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.graphmeta.gremlin.jsr223.TimeTravel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/**
 * Nothing is left in the main code of any module that nothing calls. Fields, constructors without
 * parameters, which frameworks call by the name of the class, and what the compiler makes are not
 * looked at.
 */
final class UnusedCodeTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();
  private static final List<String> MODULES =
      List.of("graphmeta-core", "graphmeta-gremlin", "graphmeta-server", "graphmeta-bench");

  /** Classes whose methods are called by their names: the Gremlin Console imports them. */
  private static final Set<String> CALLED_BY_NAME = Set.of(TimeTravel.class.getName());

  @Test
  void everyMethodIsCalledByMainCodeOrByATest() {
    Set<String> unused = new TreeSet<>();
    int methods = 0;
    for (JavaClass type :
        new ClassFileImporter()
            .importPaths(
                MODULES.stream()
                    .map(module -> ROOT.resolve(module).resolve("target"))
                    .flatMap(
                        target ->
                            Stream.of(target.resolve("classes"), target.resolve("test-classes")))
                    .toList())) {
      if (isTest(type)
          || type.getPackageName().endsWith(".jmh_generated")
          || CALLED_BY_NAME.contains(type.getName())) {
        continue;
      }
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        methods++;
        if (isWritten(unit) && !isCalledFromOutside(unit) && !isUsed(unit)) {
          unused.add(unit.getFullName());
        }
      }
    }
    assertThat(methods).as("methods looked at").isGreaterThan(5_000);
    assertThat(unused).as("methods that nothing calls").isEmpty();
  }

  private static boolean isTest(JavaClass type) {
    return type.getSource().orElseThrow().getUri().getPath().contains("/test-classes/");
  }

  /** Whether a method stands in the source. */
  private static boolean isWritten(JavaCodeUnit unit) {
    JavaClass type = unit.getOwner();
    boolean made =
        unit.getModifiers().contains(JavaModifier.SYNTHETIC)
            || unit.getModifiers().contains(JavaModifier.BRIDGE)
            || unit.getName().equals("<clinit>");
    boolean ofEnum =
        type.isEnum() && (unit.getName().equals("values") || unit.getName().equals("valueOf"));
    boolean ofRecord =
        type.isRecord()
            && (unit.isConstructor()
                || unit.getParameters().isEmpty() && type.tryGetField(unit.getName()).isPresent());
    return !made
        && !ofEnum
        && !ofRecord
        && !(unit.isConstructor() && unit.getParameters().isEmpty());
  }

  /** Whether the JVM, the library of the command line or, as an override, anybody may call it. */
  private static boolean isCalledFromOutside(JavaCodeUnit unit) {
    return unit.getName().equals("main")
        || unit.isAnnotatedWith(Command.class)
        || unit instanceof JavaMethod method && overrides(method);
  }

  private static boolean overrides(JavaMethod method) {
    return Stream.concat(
            method.getOwner().getAllRawSuperclasses().stream(),
            method.getOwner().getAllRawInterfaces().stream())
        .flatMap(parent -> parent.getMethods().stream())
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && other.getParameters().size() == method.getParameters().size());
  }

  /** Whether another method calls it, or one of the same name of a subclass. */
  private static boolean isUsed(JavaCodeUnit unit) {
    return Stream.concat(
            unit.getAccessesToSelf().stream(),
            unit.getOwner().getAllSubclasses().stream()
                .flatMap(type -> type.getAccessesToSelf().stream())
                .filter(access -> access.getTarget().getName().equals(unit.getName())))
        .map(JavaAccess::getOrigin)
        .anyMatch(origin -> !origin.equals(unit));
  }
}
