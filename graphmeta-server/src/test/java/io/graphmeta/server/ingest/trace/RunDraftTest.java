package io.graphmeta.server.ingest.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.provenance.RecordRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run comes to: evidence by what is said of a version, and times of accesses. */
final class RunDraftTest {
  private static final long START = 1_763_000_000_000_000L;
  private static final long END = START + 10_000_000;

  private final RunDraft run = run("p");

  private static RunDraft run(String id) {
    RunDraft run = new RunDraft(id);
    run.happenedAt(START);
    run.endMicros = END;
    return run;
  }

  private static RunDraft.Version version(String name, Doubt... doubts) {
    RunDraft.Version version = new RunDraft.Version("/f", name);
    version.startMicros = START + 1_000_000;
    version.endMicros = START + 2_000_000;
    for (Doubt doubt : doubts) {
      version.doubts.add(doubt.word());
    }
    return version;
  }

  private FileUse written(RunDraft.Version version) {
    RunDraft writer = run("w");
    writer.wrote(version);
    return writer.finished().uses().get(0).use();
  }

  private static RunDraft.Version from(RunDraft.Version version, String source) {
    version.renamedFrom.add(source);
    return version;
  }

  private static RunDraft.Version printedBy(RunDraft.Version version, RunDraft printer) {
    version.printers.add(printer);
    return version;
  }

  @Test
  void evidenceFollowsFromWhatIsSaidOfTheVersion() {
    Map<Evidence, RunDraft.Version> said = new HashMap<>();
    said.put(Evidence.BYTES, version("1"));
    said.put(Evidence.CREATED, version("2", Doubt.CREATED_ONLY));
    said.put(Evidence.OPENED, version("3", Doubt.RENAMED_UNSEEN));
    said.put(Evidence.COPIED, version("4", Doubt.FROM_COMMAND_LINE));
    said.put(Evidence.PIPED, printedBy(version("5", Doubt.FROM_COMMAND_LINE), run));
    said.put(Evidence.RENAMED, from(version("6"), "/g"));
    said.put(Evidence.COMMAND_LINE, from(version("7", Doubt.FROM_COMMAND_LINE), "/g"));
    said.forEach(
        (evidence, version) -> {
          FileUse use = written(version);
          assertThat(use.evidence()).isEqualTo(evidence);
          assertThat(use.bytes()).as("%s", evidence).isEqualTo(evidence == Evidence.BYTES ? 1 : 0);
          assertThat(List.of(use.startMicros(), use.endMicros()))
              .containsExactly(START + 1_000_000, START + 2_000_000);
        });
    assertThat(written(version("8", Doubt.SEVERAL_OVERWRITES)).opens()).isEqualTo(2);
    assertThat(written(version("9")).opens()).isEqualTo(1);
  }

  @Test
  void anAppendContinuesAVersionWithoutOtherDoubts() {
    for (Doubt doubt : List.of(Doubt.TAKEN_AS_APPEND, Doubt.MAY_HAVE_KEPT)) {
      RunDraft.Version version = version("1", doubt);
      assertThat(written(version).appended()).isFalse();
      version.continues = true;
      assertThat(written(version).appended()).isEqualTo(doubt == Doubt.TAKEN_AS_APPEND);
    }
    RunDraft.Version version = version("1");
    version.continues = true;
    assertThat(written(version).appended()).isTrue();
  }

  @Test
  void aReadIsPutWhereTheRunSurelyMetTheVersion() {
    RunDraft.Version before = version("1");
    before.startMicros = START - 5_000_000;
    RunDraft.Version during = version("2");
    RunDraft.Version renamed = from(version("3"), "/g");
    RunDraft.Version late = version("4");
    late.startMicros = END + 5_000_000;
    late.endMicros = END + 6_000_000;
    RunDraft.Version atTheEnd = version("5");
    atTheEnd.startMicros = END - 1;
    RunDraft.Version initial = new RunDraft.Version("/f", "initial");
    List.of(before, during, renamed, late, atTheEnd, initial).forEach(run::read);
    assertThat(run.finished().uses())
        .extracting(use -> use.use().startMicros())
        .containsExactly(
            START,
            START + 1_000_000 + RecordRules.LATE_MICROS,
            START + 2_000_000 + RecordRules.LATE_MICROS,
            END + 5_000_000,
            END,
            START);
    // Of a run without an end nothing is too late.
    run.endMicros = 0;
    assertThat(run.finished().uses().get(3).use().startMicros())
        .isEqualTo(END + 5_000_000 + RecordRules.LATE_MICROS);
  }

  @Test
  void whatIsSaidTwiceCountsOnce() {
    TracedRun.Program program = new TracedRun.Program("exe:/bin/x", List.of("/bin/x"));
    run.program(program);
    run.program(new TracedRun.Program("exe:/bin/x", List.of("/bin/x")));
    assertThat(run.read(version("1"))).isTrue();
    assertThat(run.read(version("1"))).isFalse();
    assertThat(run.read(version("2"))).isTrue();
    assertThat(run.wrote(version("1"))).isTrue();
    assertThat(run.wrote(version("2"))).isTrue();
    assertThat(run.wrote(version("2"))).isFalse();
    run.happenedAt(START + 5);
    run.happenedAt(0);
    TracedRun finished = run.finished();
    assertThat(finished.startMicros()).isEqualTo(START);
    assertThat(finished.programs()).containsExactly(program);
    assertThat(finished.uses()).hasSize(4);
    assertThat(finished.name()).isEqualTo("x");
  }

  @Test
  void versionsOfSeveralWritersAreSeveral() {
    Map<String, RunDraft> runs = new HashMap<>();
    WrittenVersions versions = new WrittenVersions(runs);
    // Two processes opened the file in the same microsecond.
    RunDraft.Version one = versions.shared(version("1"), "a");
    assertThat(versions.shared(version("1"), "b")).isNotSameAs(one);
    assertThat(versions.shared(from(version("1"), "/g"), "a")).isSameAs(one);
    assertThat(one.renamedFrom).containsExactly("/g");
    versions.byThoseNotTold();
    assertThat(runs.keySet()).containsExactlyInAnyOrder("a", "b");
    assertThat(runs.get("a").finished().renames()).hasSize(1);
    assertThat(runs.get("b").startMicros).isEqualTo(START + 1_000_000);
  }

  @Test
  void limitsFollowTheHeap() {
    TraceLimits large = TraceLimits.forHeap(32L << 30);
    assertThat(large.maxDocumentBytes()).isEqualTo(256L << 20);
    assertThat(large.maxUses()).isEqualTo(1_000_000);
    TraceLimits small = TraceLimits.forHeap(240L << 20);
    assertThat(small.maxDocumentBytes()).isEqualTo(10L << 20);
    assertThat(small.maxUses()).isEqualTo(125_829);
  }
}
