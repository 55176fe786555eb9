package io.graphmeta.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.provenance.RecordRules.Met;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules one by one; times are milliseconds for readability. */
class RecordRulesTest {
  private static final long FILE = 1;
  private static final long MILLI = 1_000;

  // --- what counts as an access

  @Test
  void bytes_are_what_they_are() {
    assertThat(uses(posix().reads(3, 300)))
        .singleElement()
        .satisfies(
            use -> {
              assertThat(use.wrote()).isFalse();
              assertThat(use.evidence()).isEqualTo(Evidence.BYTES);
              assertThat(use.extentBytes()).isEqualTo(300);
            });
    assertThat(uses(posix().writes(2, 200))).singleElement().matches(FileUse::wrote);
  }

  @Test
  void a_stat_alone_is_no_access() {
    assertThat(uses(posix().opens(0))).isEmpty();
  }

  @Test
  void opened_without_bytes_is_a_read_unless_created_or_renamed() {
    assertThat(uses(posix()))
        .singleElement()
        .matches(use -> !use.wrote() && use.evidence() == Evidence.OPENED);
    assertThat(uses(posix().mode(0664)))
        .singleElement()
        .matches(use -> use.wrote() && use.evidence() == Evidence.CREATED);
    assertThat(uses(posix().renamedAway(1)))
        .singleElement()
        .matches(use -> use.wrote() && use.evidence() == Evidence.OPENED);
  }

  @Test
  void a_write_without_bytes_lasts_to_the_end_of_the_process() {
    FileUse use = RecordRules.uses(List.of(posix().mode(0664).build()), 500 * MILLI).get(0);
    assertThat(use.endMicros()).isEqualTo(500 * MILLI + RecordRules.LATE_MICROS);
  }

  @Test
  void an_opening_beside_bytes_through_another_interface_adds_nothing() {
    assertThat(
            RecordRules.uses(List.of(posix().build(), posix().stream().writes(1, 10).build()), 0))
        .singleElement()
        .matches(use -> use.wrote() && use.interfaces().equals("stdio"));
  }

  @Test
  void read_first_then_written_is_both_and_the_version_begins_with_the_write() {
    List<FileUse> uses =
        uses(posix().opens(2).reads(1, 100).readAt(10, 20).writes(1, 100).writeAt(60, 70));
    assertThat(uses).hasSize(2);
    assertThat(uses.get(0).startMicros()).isEqualTo(0 + MILLI);
    assertThat(uses.get(1).startMicros()).isEqualTo(60 * MILLI);
    assertThat(uses.get(1).opens()).isEqualTo(1);
  }

  @Test
  void written_first_then_read_reads_its_own_version() {
    List<FileUse> uses = uses(posix().reads(1, 100).readAt(60, 70).writes(1, 100).writeAt(10, 20));
    assertThat(uses.get(0).startMicros()).isEqualTo(60 * MILLI);
    assertThat(uses.get(1).startMicros()).isEqualTo(MILLI);
  }

  @Test
  void an_append_shows_by_offsets_beyond_the_bytes_without_seeks() {
    assertThat(uses(posix().writes(4, 400).maxWritten(1400).consecutive(3)).get(0).appended())
        .isTrue();
    assertThat(uses(posix().writes(4, 400).maxWritten(1400).consecutive(0)).get(0).appended())
        .isFalse();
    assertThat(uses(posix().writes(4, 400).maxWritten(400).consecutive(3)).get(0).appended())
        .isFalse();
    assertThat(uses(posix().stream().writes(4, 400).maxWritten(1400)).get(0).appended()).isTrue();
    assertThat(uses(posix().stream().writes(4, 400).maxWritten(1400).seeks(9)).get(0).appended())
        .isFalse();
  }

  // --- which version was met

  @Test
  void a_reader_meets_the_last_version_before_it() {
    List<Access> writes = List.of(write(2, 300, 310), write(1, 100, 110));
    assertThat(starts(met(writes, read(9, 400, 410)))).containsExactly(300L);
    assertThat(starts(met(writes, read(9, 200, 210)))).containsExactly(100L);
    assertThat(starts(met(writes, read(9, 50, 60)))).containsExactly(0L);
  }

  @Test
  void a_later_overwrite_does_not_change_the_past() {
    List<Access> writes = new ArrayList<>(List.of(write(1, 100, 110)));
    List<Long> before = starts(met(writes, read(9, 200, 210)));
    writes.add(0, write(2, 300, 310));
    assertThat(starts(met(writes, read(9, 200, 210)))).isEqualTo(before);
  }

  @Test
  void what_lies_too_close_is_taken_both_ways_and_marked() {
    List<Access> writes = List.of(write(2, 300, 310), write(1, 100, 110));
    List<Met> met = met(writes, read(9, 285, 290));
    assertThat(starts(met)).containsExactly(300L, 100L);
    assertThat(met.get(0).doubts()).contains(Doubt.TIMES_TOO_CLOSE, Doubt.SEVERAL_VERSIONS);
    assertThat(starts(met(writes, read(9, 310, 330)))).containsExactly(300L, 100L);
    assertThat(starts(met(writes, read(9, 320, 330)))).containsExactly(300L);
  }

  @Test
  void within_one_process_the_order_is_exact() {
    List<Access> writes = List.of(write(2, 300, 310), write(1, 100, 110));
    assertThat(starts(met(writes, read(2, 290, 295)))).containsExactly(100L);
    assertThat(starts(met(writes, read(2, 305, 308)))).contains(300L);
  }

  @Test
  void a_reader_across_a_change_may_have_met_both() {
    List<Access> writes = List.of(write(2, 300, 310), write(1, 100, 110));
    List<Met> met = met(writes, read(9, 200, 400));
    assertThat(starts(met)).containsExactly(300L, 100L);
    assertThat(met)
        .allSatisfy(version -> assertThat(version.doubts()).contains(Doubt.SEVERAL_VERSIONS));
  }

  @Test
  void a_long_write_is_not_replaced_by_one_that_began_within_it() {
    List<Access> writes = List.of(write(2, 200, 210), write(1, 100, 500));
    assertThat(starts(met(writes, read(9, 600, 610)))).containsExactly(200L, 100L);
  }

  @Test
  void an_append_keeps_what_was_there() {
    List<Access> writes = List.of(access(2, 300, 310, 0, true, false), write(1, 100, 110));
    assertThat(starts(met(writes, read(9, 400, 410)))).containsExactly(300L, 100L);
  }

  @Test
  void reading_beyond_what_was_written_shows_older_content() {
    List<Access> writes =
        List.of(access(2, 300, 310, 100, false, true), access(1, 100, 110, 400, false, true));
    List<Met> met = met(writes, access(9, 400, 410, 400, false, true));
    assertThat(starts(met)).containsExactly(300L, 100L);
    assertThat(met.get(1).doubts()).contains(Doubt.READ_BEYOND_WRITTEN);
    // Through streams not all bytes are counted: no sign.
    List<Access> streams =
        List.of(access(2, 300, 310, 100, false, false), access(1, 100, 110, 400, false, false));
    assertThat(starts(met(streams, access(9, 400, 410, 400, false, true)))).containsExactly(300L);
  }

  @Test
  void sizes_are_summed_until_they_are_used_up() {
    List<Access> writes =
        List.of(
            access(4, 700, 710, 100, false, true),
            access(3, 500, 510, 200, false, true),
            access(2, 300, 310, 400, false, true),
            access(1, 100, 110, 900, false, true));
    assertThat(starts(met(writes, sized(100)))).containsExactly(700L);
    assertThat(starts(met(writes, sized(300)))).containsExactly(700L, 500L);
    assertThat(starts(met(writes, sized(700)))).containsExactly(700L, 500L, 300L);
    assertThat(starts(met(writes, sized(701)))).containsExactly(700L, 500L, 300L, 100L);
  }

  @Test
  void an_append_that_tells_where_it_began_tells_how_much_was_there() {
    Access append = beyond(access(3, 700, 710, 50, true, true), 350);
    List<Access> writes =
        List.of(
            append, access(2, 500, 510, 300, false, true), access(1, 100, 110, 900, false, true));
    assertThat(starts(met(writes, read(9, 800, 810)))).containsExactly(700L, 500L);
  }

  @Test
  void several_openings_of_one_process_can_all_be_appends() {
    Access twice = opened(access(2, 300, 400, 60, false, true), 2, 40);
    List<Access> writes = List.of(twice, access(1, 100, 110, 900, false, true));
    assertThat(starts(met(writes, sized(60)))).containsExactly(300L);
    assertThat(starts(met(writes, sized(61)))).containsExactly(300L, 100L);
  }

  @Test
  void what_a_shell_opens_keeps_what_was_there_and_says_so() {
    List<Access> writes = List.of(write(2, 300, 310).as(Evidence.REDIRECTED), write(1, 100, 110));
    List<Met> met = met(writes, read(9, 400, 410));
    assertThat(starts(met)).containsExactly(300L, 100L);
    assertThat(met.get(1).doubts()).contains(Doubt.MAY_HAVE_KEPT);
    assertThat(RecordRules.doubtsOf(writes.get(0), true)).contains(Doubt.MAY_HAVE_KEPT);
    assertThat(RecordRules.doubtsOf(writes.get(0), false)).doesNotContain(Doubt.MAY_HAVE_KEPT);
  }

  @Test
  void what_was_removed_is_gone_for_all_who_come_after() {
    List<Access> writes = List.of(write(2, 300, 310).as(Evidence.REDIRECTED), write(1, 100, 110));
    List<Access> removals = List.of(write(7, 200, 210));
    assertThat(starts(RecordRules.met(writes, removals, read(9, 400, 410)))).containsExactly(300L);
    assertThat(starts(RecordRules.met(writes, removals, read(9, 150, 160)))).containsExactly(100L);
    List<Met> close = RecordRules.met(writes, List.of(write(7, 110, 115)), read(9, 150, 160));
    assertThat(starts(close)).containsExactly(100L);
    assertThat(close.get(0).doubts()).contains(Doubt.TIMES_TOO_CLOSE);
    // Who read it all the same met something that no log tells of.
    assertThat(starts(RecordRules.met(List.of(write(1, 100, 110)), removals, read(9, 400, 410))))
        .containsExactly(0L);
  }

  @Test
  void a_rename_has_no_time_of_its_own() {
    List<Access> writes = List.of(write(2, 300, 400).as(Evidence.RENAMED), write(1, 100, 110));
    assertThat(starts(met(writes, read(9, 350, 360)))).containsExactly(300L, 100L);
    assertThat(starts(met(writes, read(9, 450, 460)))).containsExactly(300L);
  }

  @Test
  void the_command_line_tells_that_what_was_opened_was_written() {
    FileActivity opened = posix().build();
    assertThat(RecordRules.uses(List.of(opened), 0, Evidence.PIPED, true))
        .singleElement()
        .matches(use -> use.wrote() && use.appended() && use.evidence() == Evidence.PIPED);
  }

  @Test
  void a_shell_that_opened_more_often_than_it_wrote_ran_programs_that_did() {
    FileUse echo = shellUse(posix().opens(1).writes(1, 10));
    assertThat(RecordRules.mayBeRedirection(echo)).isFalse();
    FileUse both = shellUse(posix().opens(2).writes(1, 10));
    assertThat(RecordRules.mayBeRedirection(both)).isTrue();
    assertThat(both.endMicros()).isEqualTo(500 * MILLI + RecordRules.LATE_MICROS);
  }

  private static FileUse shellUse(Activity activity) {
    return RecordRules.usesOfShell(List.of(activity.build()), 500 * MILLI).get(0);
  }

  @Test
  void whole_seconds_widen_what_is_too_close() {
    Access coarse = early(write(2, 300, 310), 1_000);
    List<Access> writes = List.of(coarse, write(1, 100, 110));
    assertThat(starts(met(writes, read(9, 1_000, 1_010)))).containsExactly(300L, 100L);
    assertThat(starts(met(writes, read(9, 1_330, 1_340)))).containsExactly(300L);
  }

  /**
   * The true history with each recorded time late by up to the tolerance: the version truly read is
   * always found.
   */
  @Test
  void the_version_truly_met_is_always_among_those_found() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      List<Access> writes = new ArrayList<>();
      long time = 1_000_000;
      int count = 1 + random.nextInt(5);
      long[] begins = new long[count];
      for (int i = 0; i < count; i++) {
        time += 1 + random.nextInt(60_000);
        begins[i] = time;
        long end = time + random.nextInt(10_000);
        long late = random.nextInt(19_000);
        writes.add(at(100 + i, time + late, end + late));
        time = end;
      }
      long readStart = 1_000_000 + random.nextInt(250_000);
      long readEnd = readStart + random.nextInt(30_000);
      long late = random.nextInt(19_000);
      writes.sort(RecordRules.NEWEST_FIRST);
      List<Long> found =
          met(writes, at(9, readStart + late, readEnd + late)).stream()
              .map(met -> met.write() == null ? -1L : met.write().process() - 100)
              .toList();
      for (long moment : new long[] {readStart, (readStart + readEnd) / 2, readEnd}) {
        long truth = -1;
        for (int i = 0; i < count; i++) {
          truth = begins[i] <= moment ? i : truth;
        }
        assertThat(found).as("seed %d, round %d", seed, round).contains(truth);
      }
    }
  }

  // --- builders

  private static List<Long> starts(List<Met> met) {
    return met.stream()
        .map(version -> version.write() == null ? 0 : version.write().startMicros() / MILLI)
        .collect(Collectors.toList());
  }

  private static Access write(long process, long start, long end) {
    return access(process, start, end, 0, false, false);
  }

  private static Access read(long process, long start, long end) {
    return access(process, start, end, 0, false, false);
  }

  private static Access access(
      long process, long start, long end, long extent, boolean appended, boolean exact) {
    return new Access(
        new EdgeKey(process, 0, FILE, start),
        process,
        FILE,
        start * MILLI,
        end * MILLI,
        0,
        extent,
        1,
        1,
        extent,
        Evidence.BYTES,
        appended,
        exact,
        0);
  }

  private static Access sized(long extent) {
    return access(9, 800, 810, extent, false, true);
  }

  /** The same write, up to another offset. */
  private static Access beyond(Access access, long extent) {
    return opened(access, 1, extent);
  }

  private static Access opened(Access access, long opens, long extent) {
    return new Access(
        access.edge(),
        access.process(),
        access.file(),
        access.startMicros(),
        access.endMicros(),
        0,
        access.bytes(),
        opens,
        opens,
        extent,
        access.evidence(),
        access.appended(),
        access.exactExtent(),
        0);
  }

  private static Access at(long process, long startMicros, long endMicros) {
    return new Access(
        new EdgeKey(process, 0, FILE, startMicros),
        process,
        FILE,
        startMicros,
        endMicros,
        0,
        0,
        1,
        1,
        0,
        Evidence.BYTES,
        false,
        false,
        0);
  }

  private static Access early(Access access, long millis) {
    return new Access(
        access.edge(),
        access.process(),
        access.file(),
        access.startMicros(),
        access.endMicros(),
        millis * MILLI,
        0,
        1,
        1,
        0,
        Evidence.BYTES,
        false,
        false,
        0);
  }

  private static List<FileUse> uses(Activity activity) {
    return RecordRules.uses(List.of(activity.build()), 0);
  }

  private static Activity posix() {
    return new Activity();
  }

  /** One file as an instrument counts it: opened at millisecond 1, unless said otherwise. */
  private static final class Activity {
    private boolean stream;
    private long opens = 1;
    private long reads;
    private long bytesRead;
    private long writes;
    private long bytesWritten;
    private long maxWritten;
    private long consecutive;
    private long seeks;
    private long mode;
    private long renamedAway;
    private long readStart;
    private long readEnd;
    private long writeStart;
    private long writeEnd;

    Activity stream() {
      stream = true;
      return this;
    }

    Activity opens(long value) {
      opens = value;
      return this;
    }

    Activity reads(long calls, long bytes) {
      reads = calls;
      bytesRead = bytes;
      return readAt(2, 3);
    }

    Activity readAt(long startMillis, long endMillis) {
      readStart = startMillis * MILLI;
      readEnd = endMillis * MILLI;
      return this;
    }

    Activity writes(long calls, long bytes) {
      writes = calls;
      bytesWritten = bytes;
      maxWritten = bytes;
      return writeAt(2, 3);
    }

    Activity writeAt(long startMillis, long endMillis) {
      writeStart = startMillis * MILLI;
      writeEnd = endMillis * MILLI;
      return this;
    }

    Activity maxWritten(long extent) {
      maxWritten = extent;
      return this;
    }

    Activity consecutive(long value) {
      consecutive = value;
      return this;
    }

    Activity seeks(long value) {
      seeks = value;
      return this;
    }

    Activity mode(long value) {
      mode = value;
      return this;
    }

    Activity renamedAway(long value) {
      renamedAway = value;
      return this;
    }

    FileActivity build() {
      long last = Math.max(Math.max(readEnd, writeEnd), 4 * MILLI);
      return new FileActivity(
          stream,
          opens,
          reads,
          writes,
          seeks,
          consecutive,
          bytesRead,
          bytesWritten,
          Math.max(0, bytesRead - 1),
          Math.max(0, maxWritten - 1),
          mode,
          renamedAway,
          MILLI,
          last,
          readStart,
          readEnd,
          writeStart,
          writeEnd);
    }
  }

  /** What a reader can have met of a file that nobody removed. */
  private static List<Met> met(List<Access> writes, Access reader) {
    return RecordRules.met(writes, List.of(), reader);
  }
}
