package io.graphmeta.provenance.folding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What folding keeps of a lineage, and how it puts what is alike together. */
final class FoldingTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 300);

  @Test
  void everyElementIsInOneBoxOrBelongsToOne() {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      boolean forward = random.nextBoolean();
      Overlay overlay =
          random.nextBoolean()
              ? Overlay.of(random(random, forward), forward)
              : Overlay.of(random(random, forward), random(random, forward), forward);
      Folding folding = new Folding(Folding.MIN_BUDGET + random.nextInt(40));
      FoldedLineage folded = folding.fold(overlay);
      check(folded, folding.budget(), "seed " + seed);
      assertThat(folding.fold(overlay)).as("seed %d", seed).isEqualTo(folded);
    }
  }

  private static void check(FoldedLineage folded, int budget, String what) {
    Lineage lineage = folded.overlay().lineage();
    List<Integer> members = new ArrayList<>();
    Set<Integer> belong = new HashSet<>();
    for (Box box : folded.boxes()) {
      members.addAll(box.members());
      belong.addAll(box.members());
      belong.addAll(box.jobs());
      belong.addAll(box.users());
      belong.addAll(box.programs());
      belong.addAll(box.built());
      belong.addAll(surroundings(lineage, box.built()));
      assertThat(box.members())
          .as(what)
          .allMatch(member -> folded.overlay().presences().get(member) == box.presence());
    }
    assertThat(members).as(what).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(belong))
        .as(what)
        .isEqualTo(new TreeSet<>(lineage.nodes().stream().map(LineageNode::index).toList()));
    // Two kinds, three presences, and the starts.
    assertThat(folded.boxes()).as(what).hasSizeLessThanOrEqualTo(Math.max(budget, 8));
    assertThat(folded.links())
        .as(what)
        .allMatch(link -> link.from() != link.to())
        .doesNotHaveDuplicates();
  }

  /** Jobs, users and executables of what a program was built by. */
  private static Set<Integer> surroundings(Lineage lineage, List<Integer> built) {
    Set<Integer> found = new HashSet<>(built);
    for (int i = 0; i < 3; i++) {
      for (Lineage.Link link : lineage.links()) {
        for (int[] ends : new int[][] {{link.from(), link.to()}, {link.to(), link.from()}}) {
          String label = lineage.nodes().get(ends[1]).label();
          if (found.contains(ends[0])
              && Set.of(Vocabulary.JOB, Vocabulary.USER, Vocabulary.EXECUTABLE).contains(label)) {
            found.add(ends[1]);
          }
        }
      }
    }
    return found;
  }

  @Test
  void runsOfOneProgramAreOneBoxAndOneThatReadMoreIsNot() {
    LineageDraft draft = new LineageDraft();
    int start = draft.file("/r/summary.txt", 100);
    int sum = draft.process("job:99/1", "mawk -f agg.awk");
    draft.link(start, sum, Vocabulary.WROTE);
    int mesh = draft.file("/m/mesh.msh", 1);
    int spoilt = draft.file("/m/spoilt.cfg", 2);
    for (int run = 0; run < 12; run++) {
      int result = draft.file("/r/k0." + run + "/result.txt", 50 + run);
      int process = draft.process("job:" + run + "/1", "/bin/gscott -k 0." + run);
      draft.link(sum, result, Vocabulary.READ);
      draft.link(result, process, Vocabulary.WROTE);
      draft.link(process, mesh, Vocabulary.READ);
      if (run == 5) {
        draft.link(process, spoilt, Vocabulary.READ);
      }
    }
    FoldedLineage folded = new Folding(80).fold(Overlay.of(draft.lineage(), false));
    assertThat(folded.boxes().stream().map(box -> box.count() + " " + box.name()))
        .containsExactlyInAnyOrder(
            "1 summary.txt",
            "1 mawk",
            "1 mesh.msh",
            "1 spoilt.cfg",
            "11 result.txt",
            "11 gscott",
            "1 result.txt",
            "1 gscott");
    Box runs = box(folded, 11, "gscott");
    assertThat(folded.links())
        .contains(
            new BoxLink(
                box(folded, 1, "mesh.msh").index(),
                runs.index(),
                Vocabulary.READ,
                11,
                Presence.KEPT));
    assertThat(box(folded, 11, "result.txt").place()).isEqualTo("/r/k0.*");
    assertThat(runs.firstMicros()).isLessThan(runs.lastMicros());

    Set<String> opened = Set.of("job:3/1");
    FoldedLineage open = new Folding(80, opened).fold(Overlay.of(draft.lineage(), false));
    assertThat(open.boxes()).hasSize(folded.boxes().size() + 10);
    assertThat(open.boxes().stream().filter(box -> box.name().equals("gscott"))).hasSize(12);
  }

  @Test
  void howManyNeighboursOfAKindThereAreTellsNothingApart() {
    LineageDraft draft = new LineageDraft();
    int start = draft.file("/r/all.txt", 100);
    int join = draft.process("job:99/1", "cat");
    draft.link(start, join, Vocabulary.WROTE);
    for (int sum = 0; sum < 3; sum++) {
      int part = draft.file("/r/part" + sum + ".txt", 50 + sum);
      int process = draft.process("job:" + sum + "/1", "mawk -f agg.awk");
      draft.link(join, part, Vocabulary.READ);
      draft.link(part, process, Vocabulary.WROTE);
      for (int input = 0; input <= sum; input++) {
        draft.link(process, draft.file("/in/" + sum + "/" + input + ".dat", 1), Vocabulary.READ);
      }
    }
    FoldedLineage folded = new Folding(80).fold(Overlay.of(draft.lineage(), false));
    assertThat(folded.boxes().stream().map(box -> box.count() + " " + box.name()))
        .containsExactly("1 all.txt", "1 cat", "3 part*.txt", "3 mawk", "6 *.dat");
  }

  @Test
  void howAProgramWasBuiltIsInItsFile() {
    LineageDraft draft = new LineageDraft();
    int start = draft.file("/r/result.txt", 100);
    int run = draft.process("job:1/1", "/bin/gscott");
    int executable = draft.other("exe:/bin/gscott", Vocabulary.EXECUTABLE);
    int program = draft.file("/bin/gscott", 50);
    int linker = draft.process("job:2/1", "ld -o gscott");
    int object = draft.file("/src/gscott.o", 40);
    int job = draft.other("job:2", Vocabulary.JOB);
    draft.link(start, run, Vocabulary.WROTE);
    draft.link(run, executable, Vocabulary.EXE);
    draft.link(executable, program, Vocabulary.STORED_IN);
    draft.link(program, linker, Vocabulary.WROTE);
    draft.link(linker, object, Vocabulary.READ);
    draft.link(linker, job, Vocabulary.CONTAINS);
    Overlay overlay = Overlay.of(draft.lineage(), false);
    FoldedLineage folded = new Folding(80).fold(overlay);
    assertThat(folded.boxes()).hasSize(3);
    Box box = box(folded, 1, "gscott", Box.Kind.PROGRAM);
    assertThat(box.built()).containsExactly(linker, object);
    assertThat(folded.links())
        .extracting(BoxLink::relation)
        .containsExactlyInAnyOrder(Vocabulary.WROTE, Vocabulary.EXE);

    FoldedLineage open = new Folding(80, Set.of(box.key())).fold(overlay);
    assertThat(open.boxes()).hasSize(5).allMatch(each -> each.built().isEmpty());
    // As data it is followed like any other file.
    draft.link(run, program, Vocabulary.READ);
    assertThat(new Folding(80).fold(Overlay.of(draft.lineage(), false)).boxes()).hasSize(5);
  }

  @Test
  void tooManyFormsAreFoldedByDirectories() {
    LineageDraft draft = new LineageDraft();
    int start = draft.process("job:1/1", "tar czf all.tgz .");
    for (int letter = 'a'; letter <= 'z'; letter++) {
      for (int other = 'a'; other <= 'z'; other++) {
        String name = "" + (char) letter + (char) other;
        String path = "/data/" + (char) ('a' + other % 3) + "/" + name + "/" + name + ".dat";
        draft.link(start, draft.file(path, letter * 100L + other), Vocabulary.READ);
      }
    }
    FoldedLineage folded = new Folding(20).fold(Overlay.of(draft.lineage(), false));
    assertThat(folded.boxes()).hasSizeBetween(3, 20);
    assertThat(folded.boxes().stream().mapToInt(Box::count).sum()).isEqualTo(677);
    assertThat(folded.boxes().stream().map(Box::place)).contains("/data/a/*");
  }

  @Test
  void twoTimesAreOneGraph() {
    LineageDraft before = new LineageDraft();
    int start = before.file("/r/figure.svg", 10);
    int plot = before.process("job:1/1", "python3 plot.py");
    before.link(start, plot, Vocabulary.WROTE);
    before.link(plot, before.file("/r/plot.py", 1), Vocabulary.READ);
    before.link(plot, before.file("/r/old.txt", 2), Vocabulary.READ);
    LineageDraft after = new LineageDraft();
    start = after.file("/r/figure.svg", 20);
    plot = after.process("job:2/1", "python3 plot.py");
    after.link(start, plot, Vocabulary.WROTE);
    after.link(plot, after.file("/r/plot.py", 1), Vocabulary.READ);
    FoldedLineage folded =
        new Folding(80).fold(Overlay.of(before.lineage(), after.lineage(), false));
    assertThat(
            folded.boxes().stream()
                .map(box -> box.presence().word() + " " + box.name() + (box.isStart() ? "!" : "")))
        .containsExactlyInAnyOrder(
            "new figure.svg!",
            "new python3 plot.py",
            "kept plot.py",
            "gone figure.svg!",
            "gone python3 plot.py",
            "gone old.txt");
    assertThat(folded.links()).filteredOn(link -> link.presence() == Presence.GONE).hasSize(3);
    assertThat(folded.links()).filteredOn(link -> link.presence() == Presence.NEW).hasSize(2);
  }

  @Test
  void patternsTellWhatPathsShare() {
    assertThat(NameForm.pattern(List.of("/a/b"))).isEqualTo("/a/b");
    assertThat(NameForm.pattern(List.of("/a/k1/r1", "/a/k2/r1"))).isEqualTo("/a/k*/r1");
    assertThat(NameForm.pattern(List.of("/a/b", "/a/b/c"))).isEqualTo("/a/b/…");
    assertThat(NameForm.pattern(List.of("/x/end", "/y/z/end"))).isEqualTo("/…/end");
    assertThat(NameForm.pattern(List.of("aa", "a"))).isEqualTo("a*");
    assertThat(NameForm.program("python3 -u /x/plot.py -o y")).isEqualTo("python3 plot.py");
    assertThat(NameForm.program("/bin/sh -c 'x y'")).isEqualTo("sh");
    assertThat(NameForm.program("/opt/gscott -k 1")).isEqualTo("gscott");
    assertThat(NameForm.program("")).isEmpty();
  }

  @Test
  void budgetsOutOfRangeAreRefused() {
    for (int budget : new int[] {-1, 0, Folding.MIN_BUDGET - 1, Folding.MAX_BUDGET + 1}) {
      assertThatThrownBy(() -> new Folding(budget))
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining(String.valueOf(budget))
          .hasMessageContaining("from 10 to 2000");
    }
  }

  private static Box box(FoldedLineage folded, int count, String name) {
    return folded.boxes().stream()
        .filter(box -> box.count() == count && box.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Box box(FoldedLineage folded, int count, String name, Box.Kind kind) {
    return folded.boxes().stream()
        .filter(box -> box.count() == count && box.name().equals(name) && box.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  /** Links of all kinds between elements of all kinds; each element is reached from the start. */
  private static Lineage random(Random random, boolean forward) {
    LineageDraft draft = new LineageDraft();
    List<Integer> flow = new ArrayList<>();
    flow.add(draft.file("/start", 1 + random.nextInt(2)));
    int count = random.nextInt(60);
    for (int i = 0; i < count; i++) {
      int near = flow.get(random.nextInt(flow.size()));
      boolean ofFile = draft.isFile(near);
      int far;
      if (ofFile) {
        String program = List.of("gscott", "python3 a.py", "mawk").get(random.nextInt(3));
        far = draft.process("job:" + random.nextInt(40) + "/" + i % 3, program);
      } else {
        String name = List.of("a.txt", "b.txt", "u_1.dat", "u_2.dat").get(random.nextInt(4));
        far = draft.file("/d" + random.nextInt(3) + "/" + name, random.nextInt(30));
      }
      draft.link(near, far, random.nextBoolean() ? Vocabulary.READ : Vocabulary.WROTE);
      flow.add(far);
      if (!draft.isFile(far) && random.nextBoolean()) {
        int job = draft.other("job:" + random.nextInt(10), Vocabulary.JOB);
        draft.link(far, job, Vocabulary.CONTAINS);
        draft.link(job, draft.other("user:1", Vocabulary.USER), Vocabulary.RAN);
      }
      if (!draft.isFile(far) && !forward && random.nextInt(3) == 0) {
        int executable = draft.other("exe:gscott", Vocabulary.EXECUTABLE);
        draft.link(far, executable, Vocabulary.EXE);
        int file = draft.file("/bin/gscott", 3);
        draft.link(executable, file, Vocabulary.STORED_IN);
        flow.add(file);
      }
      if (random.nextInt(4) == 0) {
        int other = flow.get(random.nextInt(flow.size()));
        if (draft.isFile(other) != draft.isFile(near)) {
          draft.link(near, other, Vocabulary.READ);
        }
      }
    }
    return draft.lineage();
  }

  /** Collects the elements and links of a lineage; an element that is there is found again. */
  private static final class LineageDraft {
    private final List<LineageNode> nodes = new ArrayList<>();
    private final Set<Lineage.Link> links = new java.util.LinkedHashSet<>();

    int file(String path, long micros) {
      return add(path, Vocabulary.FILE, path, micros, "writer", LineageNode.Fate.CURRENT);
    }

    int process(String id, String commandLine) {
      return add(id, Vocabulary.PROCESS, commandLine, nodes.size() + 1, null, null);
    }

    int other(String id, String label) {
      return add(id, label, id, 0, null, null);
    }

    boolean isFile(int position) {
      return nodes.get(position).fate() != null;
    }

    private int add(
        String id,
        String label,
        String description,
        long micros,
        @Nullable String writer,
        LineageNode.@Nullable Fate fate) {
      for (LineageNode node : nodes) {
        boolean sameVersion = fate == null || node.versionMicros() == micros;
        if (node.id().equals(id) && node.label().equals(label) && sameVersion) {
          return node.index();
        }
      }
      int index = nodes.size();
      nodes.add(
          new LineageNode(
              index, -1, id, label, description, micros, 0, 0, "", Set.of(), writer, 0, fate));
      return index;
    }

    void link(int from, int to, String relation) {
      if (from != to) {
        links.add(new Lineage.Link(from, to, relation));
      }
    }

    Lineage lineage() {
      return new Lineage(nodes, List.copyOf(links), false);
    }
  }
}
