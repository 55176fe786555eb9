package io.graphmeta.server.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.ReadView;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.provenance.folding.Presence;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures of the sample campaign, beside what the other forms of an answer tell. */
class DemoPictureTest {
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final String PROGRAM = "/home/amira/gscott/bin/gscott";

  @TempDir static Path directory;
  private static String db;

  @BeforeAll
  static void load() {
    System.setProperty("graphmeta.home", Path.of("src/main").toAbsolutePath().toString());
    db = directory.resolve("graph").toString();
    assertThat(Cli.run("demo", "--db", db).exitCode()).isZero();
  }

  @AfterAll
  static void forget() {
    System.clearProperty("graphmeta.home");
  }

  @Test
  void picture_text_and_service_tell_the_same() throws Exception {
    Path svg = directory.resolve("figure-rests-on.svg");
    Cli drawn = Cli.run("lineage", "--db", db, "--svg", svg.toString(), FIGURE);
    assertThat(drawn.err()).isEmpty();
    assertThat(drawn.out()).contains("112 elements in 22 boxes");
    String picture = Files.readString(svg);
    String text = Cli.run("lineage", "--db", db, FIGURE).out();
    FoldedLineage folded;
    try (GraphDatabase database = open();
        GraphTransaction tx = database.begin()) {
      folded = new Folding(80).fold(Overlay.of(backward(tx, tx.snapshot()), false));
    }
    assertThat(Pattern.compile("<g class=\"box ").matcher(picture).results()).hasSize(22);
    for (Box box : folded.boxes()) {
      LineageNode first = folded.overlay().lineage().nodes().get(box.members().get(0));
      boolean single = box.count() == 1;
      boolean isFile = box.kind() == Box.Kind.FILE || box.kind() == Box.Kind.PROGRAM;
      assertThat(picture)
          .contains(single ? ">" + box.name() + "<" : box.count() + " × " + box.name());
      assertThat(text)
          .contains(single && isFile ? first.id() : box.name().replaceAll("^\\S+ ", ""));
    }
    TreeSet<String> told = new TreeSet<>();
    Cli.run("lineage", "--db", db, "--json", FIGURE).lines().forEach(told::add);
    assertThat(told).hasSize(112);
  }

  @Test
  void the_picture_of_the_page_is_what_the_command_draws() throws Exception {
    Path svg = directory.resolve("page.svg");
    assertThat(Cli.run("lineage", "--db", db, "--svg", svg.toString(), FIGURE).exitCode()).isZero();
    Path page = Path.of("../docs/start/figures/figure-rests-on.svg");
    if (Boolean.getBoolean("graphmeta.write-reference")) {
      Files.copy(svg, page, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(page).hasSameTextualContentAs(svg);
  }

  @Test
  void what_cannot_be_drawn_is_refused() {
    Path svg = directory.resolve("none.svg");
    requireRefused("exclude each other", "--svg", svg.toString(), "--json", FIGURE);
    requireRefused("exclude each other", "--svg", svg.toString(), "--format", "dot", FIGURE);
    requireRefused("is a directory", "--svg", directory.toString(), FIGURE);
    requireRefused("from 10 to 2000", "--svg", svg.toString(), "--budget", "5", FIGURE);
    requireRefused("Nothing with the id '/none'", "--svg", svg.toString(), "/none");
    requireRefused("none", "--svg", directory.resolve("none/x.svg").toString(), FIGURE);
    assertThat(svg).doesNotExist();
    Cli serve = Cli.run("demo", "--serve", "--db", db);
    assertThat(serve.exitCode()).isNotZero();
    assertThat(serve.err()).contains("graphmeta server --db DIR");
  }

  private static void requireRefused(String words, String... arguments) {
    List<String> all = new ArrayList<>(List.of("lineage", "--db", db));
    all.addAll(List.of(arguments));
    Cli cli = Cli.run(all.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isNotZero();
    assertThat(cli.err()).contains(words);
  }

  @Test
  void a_step_back_shows_the_runs_with_the_spoilt_configuration() {
    try (GraphDatabase database = open();
        GraphTransaction tx = database.begin()) {
      FoldedLineage folded =
          new Folding(80).fold(Overlay.of(backward(tx, beforeItWasMended(tx)), false));
      assertThat(folded.boxes().stream().map(box -> box.count() + " " + box.name()))
          .contains("11 gscott", "6 gscott", "3 gscott");
    }
  }

  @Test
  void compared_eight_runs_are_new_nine_gone_and_eleven_kept() {
    try (GraphDatabase database = open();
        GraphTransaction tx = database.begin()) {
      Overlay overlay =
          Overlay.of(backward(tx, beforeItWasMended(tx)), backward(tx, tx.snapshot()), false);
      FoldedLineage folded = new Folding(80).fold(overlay);
      assertThat(runs(folded, Presence.NEW)).isEqualTo(8);
      assertThat(runs(folded, Presence.GONE)).isEqualTo(9);
      assertThat(runs(folded, Presence.KEPT)).isEqualTo(11);
    }
  }

  @Test
  void forty_runs_and_their_outputs_stay_a_picture() {
    try (GraphDatabase database = open();
        GraphTransaction tx = database.begin()) {
      Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
      List<FileEvent> changes = provenance.changes(PROGRAM);
      Lineage lineage =
          provenance.forward(PROGRAM, Stamp.endOfMicros(changes.get(0).startMicros()));
      assertThat(lineage.nodes()).hasSizeGreaterThan(2_900);
      FoldedLineage folded = new Folding(80).fold(Overlay.of(lineage, true));
      assertThat(folded.boxes()).hasSizeBetween(60, 80);
      assertThat(new Folding(20).fold(Overlay.of(lineage, true)).boxes()).hasSizeLessThan(40);
    }
  }

  private static GraphDatabase open() {
    return GraphDatabases.open(GraphMetaConfig.inDirectory(Path.of(db)));
  }

  private static Lineage backward(GraphTransaction tx, ReadView view) {
    return new Provenance(tx, view, LineageLimits.DEFAULT).backward(FIGURE);
  }

  private static ReadView beforeItWasMended(GraphTransaction tx) {
    List<FileEvent> changes =
        new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT).changes(FIGURE);
    long mended = changes.get(changes.size() - 1).startMicros();
    return tx.view(Stamp.startOfMicros(mended) - 1, null);
  }

  private static int runs(FoldedLineage folded, Presence presence) {
    return folded.boxes().stream()
        .filter(box -> box.kind() == Box.Kind.PROCESS && box.name().equals("gscott"))
        .filter(box -> box.presence() == presence)
        .mapToInt(Box::count)
        .sum();
  }
}
