package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** What is done to the bytes of a log. */
enum LogDamage {
  CUT {
    @Override
    byte[] apply(byte[] log, Random random) {
      return Arrays.copyOf(log, random.nextInt(log.length));
    }
  },
  FLIP {
    @Override
    byte[] apply(byte[] log, Random random) {
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        log[random.nextInt(log.length)] ^= (byte) (1 << random.nextInt(8));
      }
      return log;
    }
  },
  HEADER {
    @Override
    byte[] apply(byte[] log, Random random) {
      int at = 8 * random.nextInt(Math.min(log.length, 1328) / 8);
      long[] values = {
        0,
        -1,
        1,
        360,
        1328,
        log.length,
        log.length - 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        random.nextLong()
      };
      ByteBuffer.wrap(log)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(at, values[random.nextInt(values.length)]);
      return log;
    }
  },
  OVERWRITE {
    @Override
    byte[] apply(byte[] log, Random random) {
      int from = random.nextInt(log.length);
      byte[] noise = new byte[Math.min(log.length - from, 1 + random.nextInt(64))];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, log, from, noise.length);
      return log;
    }
  },
  MOVE {
    @Override
    byte[] apply(byte[] log, Random random) {
      int from = random.nextInt(log.length);
      int length = 1 + random.nextInt(log.length - from);
      System.arraycopy(log, from, log, random.nextInt(log.length - length + 1), length);
      return log;
    }
  };

  abstract byte[] apply(byte[] log, Random random);

  /**
   * Damages logs again and again, each time with a seed of its own: reading one ends in a log that
   * can be used, or in a {@link DarshanFormatException} that names the file and an offset in it.
   *
   * @param leastRefused so many at least have to be refused, or the damage does not reach anything
   */
  void requireRefusedOrRead(
      List<byte[]> logs,
      Path file,
      DarshanLimits limits,
      long firstSeed,
      int rounds,
      Duration atMost,
      int leastRefused) {
    Pattern message =
        Pattern.compile(
            "(?s)Darshan log " + Pattern.quote(file.toString()) + ", offset \\d+: .*expected.*");
    int[] refused = new int[1];
    assertTimeoutPreemptively(
        atMost,
        () -> {
          for (long seed = firstSeed; seed < firstSeed + rounds; seed++) {
            Random random = new Random(seed);
            byte[] bytes = apply(logs.get(random.nextInt(logs.size())).clone(), random);
            Files.write(file, bytes);
            try {
              useEverything(DarshanReader.read(file, limits));
            } catch (DarshanFormatException e) {
              refused[0]++;
              assertThat(e.getMessage()).as("seed %d", seed).matches(message);
              assertThat(e.file()).isEqualTo(file.toString());
              assertThat(e.offsetBytes()).as("seed %d", seed).isBetween(0L, (long) bytes.length);
            } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
              fail(this + " with seed " + seed + " raised " + e, e);
            }
          }
        });
    assertThat(refused[0])
        .as("damage that was noticed, first seed %d", firstSeed)
        .isGreaterThan(leastRefused);
  }

  private static void useEverything(DarshanLog log) {
    DarshanJob job = log.job();
    assertThat(job.startMicros()).isNotNegative();
    assertThat(job.endMicros()).isNotNegative();
    assertThat(job.slackMillis()).isNotNegative();
    assertThat(job.executable()).isNotNull();
    for (FileRecord record : log.files().subList(0, Math.min(100, log.files().size()))) {
      record.counterNames().forEach(record::counter);
      record.timerNames().forEach(record::timer);
      record.renamedFrom().ifPresent(log::nameOf);
      record.openStartSeconds().ifPresent(job::microsAt);
      record.closeEndSeconds().ifPresent(job::microsAt);
      assertThat(record.toString()).isNotEmpty();
    }
  }
}
