package io.graphmeta.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/**
 * The files within a package: no file depends on one that depends on it, directly or through others
 * of the same package. So the files of a package can be read in one order.
 */
@AnalyzeClasses(
    packages = "io.graphmeta",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
final class ClassOrderTest {
  private static final String ROOT = "io.graphmeta.";

  @ArchTest
  static final ArchRule files_of_a_package_have_no_cycles =
      slices().assignedFrom(new Files()).should().beFreeOfCycles();

  /** A slice for each file: nested types belong to the file that has them. */
  private static final class Files implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      if (!name.startsWith(ROOT)) {
        return SliceIdentifier.ignore();
      }
      return SliceIdentifier.of(name, fileOf(type.getName()));
    }

    private static String fileOf(String type) {
      int nested = type.indexOf('$');
      return nested < 0 ? type : type.substring(0, nested);
    }

    @Override
    public String getDescription() {
      return "the files of each package";
    }
  }
}
