package io.graphmeta.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.graphmeta.config.DeclaredSetting;
import io.graphmeta.config.Setting;
import io.graphmeta.config.SettingDeclaration;
import io.graphmeta.config.SettingType;
import io.graphmeta.config.SettingUnit;
import io.graphmeta.gremlin.structure.ProviderSetting;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.stability.Experimental;
import io.graphmeta.stability.Internal;
import io.graphmeta.stability.Stability;
import io.graphmeta.traversal.Engine;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;

/**
 * The reference pages have each setting, and all that is marked as experimental or internal, as the
 * code has them. With {@code -Dgraphmeta.write-reference=true} the tables are written instead of
 * compared.
 */
final class ReferencePagesTest {
  private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "../docs");
  private static final Path CONFIGURATION = DOCS.resolve("reference/configuration.md");
  private static final String HEAD =
      """
      | Setting | Default | Takes | What it does |
      | --- | --- | --- | --- |
      """;

  @Test
  void settingsOfAGraph() throws IOException {
    for (Stability stability : Stability.values()) {
      String name = stability.name().toLowerCase(Locale.ROOT);
      expect(CONFIGURATION, name + " settings", table(Setting.class, stability));
    }
  }

  @Test
  void settingsOfTheProvider() throws IOException {
    expect(
        DOCS.resolve("reference/gremlin.md"),
        "settings",
        table(ProviderSetting.class, Stability.STABLE));
  }

  @Test
  void settingsOfAShard() throws IOException {
    expect(
        DOCS.resolve("reference/server.md"),
        "settings",
        table(ServerSetting.class, Stability.STABLE));
  }

  @Test
  void settingsOfANode() throws IOException {
    expect(
        DOCS.resolve("reference/node.md"), "settings", table(NodeSetting.class, Stability.STABLE));
  }

  @Test
  void settingsOfZooKeeper() throws IOException {
    expect(
        DOCS.resolve("reference/zookeeper.md"),
        "settings",
        table(ZooKeeperSetting.class, Stability.STABLE));
  }

  @Test
  void settingsWithoutATableForTheirMarkHaveNoMark() {
    assertThat(ProviderSetting.values()).allMatch(each -> Stability.of(each) == Stability.STABLE);
    assertThat(ServerSetting.values()).allMatch(each -> Stability.of(each) == Stability.STABLE);
    assertThat(NodeSetting.values()).allMatch(each -> Stability.of(each) == Stability.STABLE);
    assertThat(ZooKeeperSetting.values()).allMatch(each -> Stability.of(each) == Stability.STABLE);
  }

  @Test
  void allThatIsMarked() throws Exception {
    TreeSet<String> experimental = new TreeSet<>();
    TreeSet<String> internal = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.graphmeta")) {
      if (type.isAnnotatedWith(Experimental.class)) {
        experimental.add("- " + nameForUsers(type));
      }
      if (type.isAnnotatedWith(Internal.class)) {
        internal.add("- `" + type.getName() + "`, in Java");
      }
      for (JavaField field : type.getFields()) {
        if (field.isAnnotatedWith(Experimental.class)) {
          experimental.add("- " + nameForUsers(field));
        }
        if (field.isAnnotatedWith(Internal.class)) {
          internal.add("- " + nameForUsers(field));
        }
      }
    }
    Path page = DOCS.resolve("reference/stability.md");
    expect(page, "experimental", String.join("\n", experimental) + "\n");
    expect(page, "internal", String.join("\n", internal) + "\n");
  }

  @Test
  void eventsAndTheirFields() throws IOException {
    String page = Files.readString(DOCS.resolve("reference/events.md"));
    List<String> found = new ArrayList<>();
    for (JavaClass type : new ClassFileImporter().importPackages("io.graphmeta")) {
      if (!type.isAnnotatedWith(Name.class)) {
        continue;
      }
      String name = type.getAnnotationOfType(Name.class).value();
      found.add(name);
      String begin = "| `" + name + "` |";
      assertThat(page).contains(begin);
      int at = page.indexOf(begin);
      String row = page.substring(at, page.indexOf('\n', at));
      for (JavaField field : type.getFields()) {
        // The number of the shard is told once for all.
        String text = field.getName().equals("shard") ? page : row;
        assertThat(text).as(name).contains("`" + field.getName() + "`");
      }
    }
    assertThat(found).as("events").hasSizeGreaterThan(3);
  }

  @Test
  void experimentalPlacementsAreExperimentalValuesOfTheirSetting() throws Exception {
    List<String> stable = new ArrayList<>();
    List<String> experimental = new ArrayList<>();
    for (Field field : Placements.class.getFields()) {
      Placement placement = (Placement) field.get(null);
      (field.isAnnotationPresent(Experimental.class) ? experimental : stable).add(placement.name());
    }
    SettingType.Choice choice = (SettingType.Choice) Setting.PLACEMENT.declaration().type();
    assertThat(choice.stable()).containsExactlyInAnyOrderElementsOf(stable);
    assertThat(choice.experimental()).containsExactlyInAnyOrderElementsOf(experimental);
  }

  @Test
  void pagesThatExplainAChoiceSayWhatOfItIsExperimental() throws IOException {
    String traversals = Files.readString(DOCS.resolve("concepts/traversals.md"));
    for (Engine engine : Engine.values()) {
      String row = "| `" + engine.name().toLowerCase(Locale.ROOT) + "` |";
      assertThat(traversals)
          .contains(row + (Stability.of(engine) == Stability.EXPERIMENTAL ? " Experimental." : ""));
    }
    String placement = Files.readString(DOCS.resolve("concepts/placement.md"));
    for (String value :
        ((SettingType.Choice) Setting.PLACEMENT.declaration().type()).experimental()) {
      assertThat(placement).contains("| `" + value + "` (experimental) |");
    }
  }

  @Test
  void theNameOfASettingEndsWithItsUnit() {
    Stream.of(
            Setting.values(),
            ServerSetting.values(),
            NodeSetting.values(),
            ZooKeeperSetting.values(),
            ProviderSetting.values())
        .flatMap(Arrays::stream)
        .map(DeclaredSetting::declaration)
        .forEach(
            declaration -> {
              SettingUnit unit =
                  declaration.type() instanceof SettingType.Number number
                      ? number.unit()
                      : SettingUnit.THINGS;
              assertThat(unitOfName(declaration.key())).as(declaration.key()).isEqualTo(unit);
            });
  }

  private static SettingUnit unitOfName(String key) {
    return switch (key.substring(key.lastIndexOf('-') + 1)) {
      case "millis" -> SettingUnit.MILLISECONDS;
      case "bytes" -> SettingUnit.BYTES;
      case "chars" -> SettingUnit.CHARACTERS;
      default -> SettingUnit.THINGS;
    };
  }

  /** A marked type as users name it. */
  private static String nameForUsers(JavaClass type) {
    return type.isAnnotatedWith(Name.class)
        ? "event `" + type.getAnnotationOfType(Name.class).value() + "` of the Flight Recorder"
        : "`" + type.getName() + "`, in Java";
  }

  /** A marked constant as users name it where they choose it, else as Java has it. */
  private static String nameForUsers(JavaField field) throws ReflectiveOperationException {
    Object value = field.reflect().get(null);
    if (value instanceof DeclaredSetting setting) {
      return "setting `" + setting.key() + "`";
    }
    if (value instanceof Placement placement) {
      return "value `" + placement.name() + "` of the setting `" + Setting.PLACEMENT.key() + "`";
    }
    if (value instanceof Engine engine) {
      return "`g.with('engine', '" + engine.name().toLowerCase(Locale.ROOT) + "')`";
    }
    return "`" + field.getFullName() + "`, in Java";
  }

  private static <S extends Enum<S> & DeclaredSetting> String table(
      Class<S> settings, Stability stability) {
    StringBuilder table = new StringBuilder(HEAD);
    for (S setting : settings.getEnumConstants()) {
      if (Stability.of(setting) == stability) {
        SettingDeclaration declared = setting.declaration();
        String preset = declared.type().defaultValue();
        table.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(
                    declared.key(),
                    preset.isEmpty() ? "none" : "`" + preset + "`",
                    declared.type().range(),
                    declared.description()));
      }
    }
    return table.toString();
  }

  /** Compares what a page has between two comments, or writes it. */
  private static void expect(Path page, String name, String content) throws IOException {
    String begin = "<!-- " + name + ": written by ReferencePagesTest -->\n";
    String end = "<!-- end of " + name + " -->\n";
    String text = Files.readString(page);
    assertThat(text).contains(begin, end);
    String expected =
        text.substring(0, text.indexOf(begin) + begin.length())
            + content
            + text.substring(text.indexOf(end));
    if (Boolean.getBoolean("graphmeta.write-reference")) {
      Files.writeString(page, expected);
    }
    assertThat(page)
        .as("run this test with -Dgraphmeta.write-reference=true to write the page anew")
        .hasContent(expected);
  }
}
