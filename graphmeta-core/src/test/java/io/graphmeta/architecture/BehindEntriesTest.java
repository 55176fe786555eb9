package io.graphmeta.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What runs behind an entry that is in the store, before its committers are told, takes no memory:
 * an error thrown there would tell them that nothing was done. Followed through all calls of our
 * own classes; what is behind an interface is not followed, so that what may fail is called through
 * one, by code that catches what it throws.
 */
@AnalyzeClasses(
    packages = "io.graphmeta",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
final class BehindEntriesTest {
  private static final List<String> ROOTS =
      List.of(
          "io.graphmeta.log.LocalLog.tellOf",
          "io.graphmeta.log.LocalLog.enter",
          "io.graphmeta.shard.TellingLog.ordered",
          "io.graphmeta.shard.TellingLog.applied",
          "io.graphmeta.shard.commits.GroupEntry.wasAppended",
          "io.graphmeta.shard.commits.ResolvedStamp.stayBelow(io.graphmeta.shard.commits.CommitGroup)",
          "io.graphmeta.shard.commits.CommitPipeline.settle",
          "io.graphmeta.shard.commits.CommitPipeline.letGo",
          "io.graphmeta.shard.commits.AnsweringLock.answerLater");

  @ArchTest
  static void whatRunsBehindAnEntryTakesNoMemory(JavaClasses classes) {
    Set<String> found = new HashSet<>();
    Deque<JavaCodeUnit> open = new ArrayDeque<>();
    for (JavaClass each : classes) {
      for (JavaCodeUnit unit : each.getCodeUnits()) {
        ROOTS.stream()
            .filter(root -> root.equals(name(unit)) || root.equals(unit.getFullName()))
            .peek(found::add)
            .forEach(root -> open.add(unit));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(ROOTS);

    List<String> taking = new ArrayList<>();
    Set<JavaCodeUnit> seen = new HashSet<>(open);
    while (!open.isEmpty()) {
      JavaCodeUnit unit = open.remove();
      unit.getConstructorCallsFromSelf().stream()
          .filter(call -> !call.getTargetOwner().isAssignableTo(Throwable.class))
          .forEach(call -> taking.add(call.getDescription()));
      unit.getMethodReferencesFromSelf().stream()
          .filter(made -> !isStatic(made.getTarget().resolveMember()))
          .forEach(made -> taking.add(made.getDescription()));
      unit.getConstructorReferencesFromSelf().forEach(made -> taking.add(made.getDescription()));
      unit.getAccessesFromSelf().stream()
          .filter(JavaAccess::isDeclaredInLambda)
          .forEach(made -> taking.add(made.getDescription()));
      unit.getMethodCallsFromSelf().stream()
          .map(call -> call.getTarget().resolveMember())
          .flatMap(Optional::stream)
          .filter(called -> called.getOwner().getPackageName().startsWith("io.graphmeta"))
          .filter(called -> !called.getOwner().isAssignableTo(Throwable.class))
          .filter(seen::add)
          .forEach(open::add);
    }
    assertThat(taking).as("places that take memory").isEmpty();
  }

  /** What keeps nothing is made once. */
  private static boolean isStatic(Optional<? extends JavaMember> member) {
    return member.isPresent() && member.get().getModifiers().contains(JavaModifier.STATIC);
  }

  private static String name(JavaMember member) {
    return member.getOwner().getName() + "." + member.getName();
  }
}
