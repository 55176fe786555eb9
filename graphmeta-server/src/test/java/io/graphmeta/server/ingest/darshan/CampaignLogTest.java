package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Facts of the campaign that its system calls tell (truth.json), apart from any reader of logs. */
class CampaignLogTest {

  /**
   * All renames of the campaign but the one by {@code mv}, whose system call Darshan doesn't see.
   */
  @Test
  void showsTheRenames() throws IOException {
    List<String> renames = new ArrayList<>();
    for (Path path : Fixtures.logsBelow(Fixtures.campaign().resolve("logs"))) {
      DarshanLog log = DarshanReader.read(path);
      for (FileRecord record : log.files()) {
        OptionalLong from = record.renamedFrom();
        if (from.isPresent()) {
          assertThat(record.renamesToHere()).isEqualTo(1);
          renames.add(
              log.job().jobId()
                  + " "
                  + log.nameOf(from.getAsLong()).orElseThrow()
                  + " "
                  + record.path().orElseThrow());
        }
      }
    }
    assertThat(renames)
        .containsExactlyInAnyOrder(
            "184300 /scratch/amira/sweep1/figure.svg.tmp /scratch/amira/sweep1/figure.svg",
            "184315 /home/amira/sedKRpMYu /home/amira/env.sh",
            "184330 /scratch/amira/sweep1/figure.svg.tmp /scratch/amira/sweep1/figure.svg",
            "184360 /scratch/amira/sweepC/figure.svg.tmp /scratch/amira/sweepC/figure.svg",
            "184394 /scratch/amira/sweep3/figure.svg.tmp /scratch/amira/sweep3/figure.svg");
  }

  /** Logs rescued from the processes of a job that was killed at its time limit. */
  @Test
  void readsRescuedLogs() throws IOException {
    List<Path> rescued = Fixtures.logsBelow(Fixtures.campaign().resolve("logs_partial"));

    assertThat(rescued).hasSize(2);
    for (Path path : rescued) {
      DarshanJob job = DarshanReader.read(path).job();
      assertThat(job.end()).isEmpty();
      assertThat(job.jobId()).isEqualTo(184413);
      assertThat(job.uid()).isEqualTo(20011);
      assertThat(job.start()).isBetween("2026-11-21T00:39:11Z", "2026-11-21T00:39:12Z");
    }
    FileRecord checkpoint =
        DarshanReader.read(rescued.get(0)).files().stream()
            .filter(record -> record.path().orElse("").equals("/scratch/amira/long/ckpt.dat"))
            .findFirst()
            .orElseThrow();
    assertThat(checkpoint.bytesWritten()).isPositive();
    assertThat(checkpoint.writeEndSeconds()).isPresent();
  }
}
