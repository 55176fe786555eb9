package io.graphmeta.server.ingest.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.ingest.JobAccount;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Records of PBS and LSF as their manuals show them and as sites have published them. */
class AccountingReaderTest {
  private static final String TORQUE =
      """
      06/06/2005 14:04:25;D;408.ign1.zeta2.org;requestor=guest@ign1.zeta2.org
      06/06/2005 14:04:44;Q;410.ign1.zeta2.org;queue=batch
      06/06/2005 14:06:06;S;407.ign1.zeta2.org;user=guest group=guest jobname=STDIN queue=batch ctime=1118087915 qtime=1118087915 etime=1118087915 start=1118088366 exec_host=ign1.zeta2.org/0 Resource_List.neednodes=ign1.zeta2.org Resource_List.nodect=1 Resource_List.nodes=1 Resource_List.walltime=00:16:40

      06/06/2005 14:07:17;E;407.ign1.zeta2.org;user=guest group=guest jobname=STDIN queue=batch ctime=1118087915 qtime=1118087915 etime=1118087915 start=1118088366 exec_host=ign1.zeta2.org/0 Resource_List.nodect=1 Resource_List.nodes=1 Resource_List.walltime=00:16:40 session=6365 end=1118088437 Exit_status=271 resources_used.cput=00:00:00
      """;

  private static final String PBS_PRO =
      """
      07/20/2026 14:00:01;L;license;floating license hour:0 day:0 month:0 max:0
      07/20/2026 14:00:01;E;1234[7].pbs01;user=alice group=hpc account="fluid dynamics" project=_pbs_project_default jobname='two words' queue=workq ctime=1784545000 qtime=1784545001 etime=1784545001 start=1784545010 exec_host=n1/0*64+n2/0*64 exec_vnode=(n1:ncpus=64)+(n2:ncpus=64) Resource_List.mpiprocs=128 Resource_List.ncpus=128 Resource_List.nodect=2 Resource_List.place=scatter Resource_List.select=2:ncpus=64:mpiprocs=64 session=0 end=1784552401 Exit_status=0 resources_used.cpupercent=99 run_count=1
      07/20/2026 14:00:02;E;1235.pbs01;user=bob jobname=x queue=workq ctime=1784545000 project=climate end=1784545100 Exit_status=-3
      """;

  private static final String LSF =
      """
      "JOB_FINISH" "5.1" 1089407406 699195 283 33554482 1 1089290023 0 0 1089406862 "raortega" "8nm" "" "" "" "lxplus015" "prog/step3c" "" "/log/b.txt" "/log/e.txt" "1089290023.699195" 0 1 "tbed0079" 64 3.3 "" "/afs/startEachset.pl 362 7 8" 277.210000 17.280000 0 0 -1 0 0 927804 87722 0 0 0 -1 0 0 0 0 0 -1 "" "default" 0 1 "" "" 0 310424 339112 "" "" ""
      "EVENT_ADRSV_FINISH" "10.1" 1644826549 1 2 3
      "JOB_FINISH" "10.1" 1527327585 7610 1000 33554438 2 1527326745 0 0 1527326746 "lsfadmin" "normal" "" "" "" "lsf-master" "/home/lsf" "" "" "" "10/1527326745.7610" 1 "pac" 3 "16*n1" "16*n1" "16*n2" 32 60.0 "a[3]" "sh -c ""sleep 1000\""" -1.000000 -1.000000 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "" "climate" 35328 1 "" "" 3 2048 0 "" "" "" "" 0 "" 0 "" -1 "/lsfadmin" "" "" "" -1 "" "" 5136 "" 1527326746 "" "" 2 1032 "0" 1033 "0" 0 0 0 2048 "select[type == any] order[r15s:pg] " "" -1 "" -1 0 "" 0 0 "" 839 "" 0 "" 0.000000 0.00 0.00 0.00 0.00 1 "lsf-pac" -1 0 0 0
      """;

  @Test
  void pbsRecordsOfBothKindsAreRead() throws IOException {
    List<JobAccount> torque = read(PbsReader::new, TORQUE);
    assertThat(torque).hasSize(2);
    assertThat(torque.get(0))
        .isEqualTo(
            new JobAccount(
                "407",
                "guest",
                null,
                "STDIN",
                null,
                "batch",
                null,
                null,
                at(1118087915),
                at(1118088366),
                null,
                1L,
                null,
                null,
                null));
    assertThat(torque.get(1))
        .isEqualTo(
            new JobAccount(
                "407",
                "guest",
                null,
                "STDIN",
                null,
                "batch",
                "FAILED",
                "0:15",
                at(1118087915),
                at(1118088366),
                at(1118088437),
                1L,
                null,
                null,
                null));
    List<JobAccount> pro = read(PbsReader::new, PBS_PRO);
    assertThat(pro.get(0))
        .isEqualTo(
            new JobAccount(
                "1234_7",
                "alice",
                null,
                "two words",
                "fluid dynamics",
                "workq",
                "COMPLETED",
                "0:0",
                at(1784545000),
                at(1784545010),
                at(1784552401),
                2L,
                128L,
                null,
                null));
    assertThat(pro.get(1).account()).isEqualTo("climate");
    assertThat(pro.get(1).exitCode()).isEqualTo("-3:0");
    // Queued is next to submitted.
    String queued = PBS_PRO.replace("ctime=1784545000 qtime", "qtime");
    assertThat(read(PbsReader::new, queued).get(0).submit()).isEqualTo(at(1784545001));
    String unpaid = PBS_PRO.replace("account=\"fluid dynamics\" ", "").replace("=climate", "=NULL");
    assertThat(read(PbsReader::new, unpaid)).extracting(JobAccount::account).containsOnlyNulls();
    assertThat(pro).hasSize(2);
  }

  @Test
  void lsfRecordsOfOldAndNewVersionsAreRead() throws IOException {
    List<JobAccount> jobs = read(LsfReader::new, LSF);
    assertThat(jobs)
        .containsExactly(
            new JobAccount(
                "699195",
                "raortega",
                283L,
                null,
                "default",
                "8nm",
                "COMPLETED",
                "0:0",
                at(1089290023),
                at(1089406862),
                at(1089407406),
                1L,
                1L,
                "prog/step3c",
                "/afs/startEachset.pl 362 7 8"),
            new JobAccount(
                "7610_3",
                "lsfadmin",
                1000L,
                "a[3]",
                "climate",
                "normal",
                "FAILED",
                "138:0",
                at(1527326745),
                at(1527326746),
                at(1527327585),
                2L,
                2L,
                "/home/lsf",
                "sh -c \"sleep 1000\""));
    // Hosts with processors before their names and without, and a job that never started.
    String other =
        LSF.replace("\"16*n1\" \"16*n1\"", "\"n1\" \"8*n1\"")
            .replace("1527326746 \"lsfadmin\"", "0 \"lsfadmin\"");
    JobAccount cancelled = read(LsfReader::new, other).get(1);
    assertThat(cancelled.nodes()).isEqualTo(2);
    assertThat(cancelled.state()).isEqualTo("CANCELLED");
    assertThat(cancelled.start()).isNull();
  }

  @Test
  void errorsNameLineValueAndWhatWasExpected() throws IOException {
    assertError(PbsReader::new, "\nhello", "line 2", "\"hello\"", "MM/DD/YYYY");
    assertError(PbsReader::new, "07/20/2026 14:00:01;E;x;end=1", "id \"x\"", "1234.server");
    assertError(PbsReader::new, "07/20/2026 14:00:01;E;1.s;end=soon", "end is \"soon\"", "number");
    assertError(PbsReader::new, "07/20/2026 14:00:01;E;1.s;user", "\"user\"", "KEY=VALUE");
    assertError(PbsReader::new, "07/20/2026 14:00:01;E;1.s;user=\"a", "quote at the end");
    assertError(PbsReader::new, "07/20/2026 14:00:01;E;1.s;user=a", "no time", "ctime");
    assertError(PbsReader::new, "07/20/2026 14:00:01;E;1.s;end=7258118401", "seconds since 1970");
    assertError(LsfReader::new, "JOB_FINISH", "in quotes first");
    assertThat(read(LsfReader::new, "\"JOB_FINISH2\" \"10.1\" 1\n \n")).isEmpty();
    assertError(LsfReader::new, LSF.replace(" 699195 ", " -1 "), "jobId is -1, expected 0 or more");
    assertError(LsfReader::new, "\"JOB_FINISH\" \"10.1\" 1", "3 fields", "field 23");
    assertError(
        LsfReader::new,
        LSF.replace("\" 0 1 \"tbed", "\" 99 1 \"tbed").lines().findFirst().orElseThrow(),
        "hosts");
    assertError(
        LsfReader::new,
        LSF.replace("\" 0 1 \"tbed", "\" 0 999 \"tbed").lines().findFirst().orElseThrow(),
        "numExHosts is 999");
    assertError(LsfReader::new, "\"JOB_FINISH\" \"10", "quote at the end");
    assertError(LsfReader::new, "x".repeat(AccountingReader.MAX_LINE_BYTES + 1), "1048577 bytes");
  }

  @Test
  void damagedFilesGiveErrorsWithLinesAndTheOtherLinesAreRead() throws IOException {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    int errors = 0;
    for (int i = 0; i < Integer.getInteger("graphmeta.accounting.rounds", 1_000); i++) {
      boolean pbs = random.nextBoolean();
      byte[] text = (pbs ? TORQUE + PBS_PRO : LSF + LSF).getBytes(StandardCharsets.UTF_8);
      byte[] damaged = damaged(text, random);
      InputStream in = new ByteArrayInputStream(damaged);
      try (AccountingReader reader = pbs ? new PbsReader(in, "f") : new LsfReader(in, "f")) {
        for (int step = 0; ; step++) {
          assertThat(step).as("seed %s, round %s", seed, i).isLessThan(damaged.length + 2);
          try {
            Optional<JobAccount> next = reader.next();
            if (next.isEmpty()) {
              break;
            }
            assertThat(next.get().number()).matches("\\d+(_\\d+)?");
          } catch (AccountingFormatException e) {
            errors++;
            assertThat(e.getMessage())
                .as("seed %s, round %s", seed, i)
                .matches("(?s)accounting f, line \\d+: .*expected .*")
                .hasSizeLessThan(700);
          }
        }
      }
    }
    assertThat(errors).isGreaterThan(100);
  }

  private static byte[] damaged(byte[] text, Random random) {
    byte[] damaged =
        random.nextInt(4) == 0
            ? java.util.Arrays.copyOf(text, random.nextInt(text.length))
            : text.clone();
    for (int i = 0; i < 1 + random.nextInt(8) && damaged.length > 0; i++) {
      byte[] odd = {'"', ' ', '\n', 0, (byte) 0xff, ';', '=', '9', '[', '-'};
      damaged[random.nextInt(damaged.length)] =
          random.nextBoolean() ? odd[random.nextInt(odd.length)] : (byte) random.nextInt(256);
    }
    return damaged;
  }

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  private static List<JobAccount> read(
      BiFunction<InputStream, String, AccountingReader> open, String text) throws IOException {
    List<JobAccount> accounts = new ArrayList<>();
    try (AccountingReader reader =
        open.apply(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "file")) {
      for (Optional<JobAccount> next = reader.next(); next.isPresent(); next = reader.next()) {
        accounts.add(next.get());
      }
    }
    return accounts;
  }

  private static void assertError(
      BiFunction<InputStream, String, AccountingReader> open, String text, String... parts) {
    assertThatThrownBy(() -> read(open, text))
        .isInstanceOf(AccountingFormatException.class)
        .hasMessageContainingAll(parts);
  }
}
