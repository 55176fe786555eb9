package io.graphmeta.server.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.users.PasswordCheck.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogInsTest {
  @TempDir private Path directory;
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = directory.resolve("users");
    UserFile.empty().with("ada", "correct horse".toCharArray()).write(file);
  }

  @Test
  void theFileHoldsNoPasswordsAndIsItsOwnersOnly() throws Exception {
    assertThat(Files.readString(file))
        .contains("ada:pbkdf2-sha512:210000:")
        .doesNotContain("horse");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.list(directory)).containsExactly(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> UserFile.read(file)).hasMessageContaining("600");
  }

  @Test
  void theSamePasswordHasAnotherHashEachTime() {
    char[] password = "correct horse".toCharArray();
    assertThat(PasswordHash.of(password)).isNotEqualTo(PasswordHash.of(password));
    assertThat(PasswordHash.parse(PasswordHash.of(password).text()).matches(password)).isTrue();
  }

  @Test
  void tellsRightFromWrong() throws Exception {
    LogIns logIns = new LogIns(file, clock::get);
    assertThat(logIns.check("ada", "correct horse".toCharArray(), "a")).isEqualTo(Outcome.WELCOME);
    assertThat(logIns.check("ada", "correct house".toCharArray(), "a")).isEqualTo(Outcome.WRONG);
    assertThat(logIns.check("ad", "correct horse".toCharArray(), "a")).isEqualTo(Outcome.WRONG);
    assertThat(logIns.check("nobody has this", "nobody has this".toCharArray(), "a"))
        .isEqualTo(Outcome.WRONG);
    assertThat(logIns.check("x", "nobody has this".toCharArray(), "a")).isEqualTo(Outcome.WRONG);
  }

  @Test
  void pausesAnAddressThatFailsAndNotTheOthers() throws Exception {
    LogIns logIns = new LogIns(file, clock::get);
    for (int i = 0; i < LogIns.MAX_FAILURES; i++) {
      assertThat(logIns.check("ada", "wrong wrong".toCharArray(), "a")).isEqualTo(Outcome.WRONG);
    }
    assertThat(logIns.check("ada", "correct horse".toCharArray(), "a")).isEqualTo(Outcome.PAUSED);
    assertThat(logIns.check("ada", "correct horse".toCharArray(), "b")).isEqualTo(Outcome.WELCOME);
    clock.addAndGet(TimeUnit.MINUTES.toNanos(10));
    assertThat(logIns.check("ada", "correct horse".toCharArray(), "a")).isEqualTo(Outcome.WELCOME);
  }

  @Test
  void seesChangesOfTheFile() throws Exception {
    LogIns logIns = new LogIns(file, clock::get);
    assertThat(logIns.check("ada", "correct horse".toCharArray(), "a")).isEqualTo(Outcome.WELCOME);
    UserFile.read(file).with("ada", "another horse".toCharArray()).write(file);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(logIns.check("ada", "correct horse".toCharArray(), "a")).isEqualTo(Outcome.WRONG);
    assertThat(logIns.check("ada", "another horse".toCharArray(), "a")).isEqualTo(Outcome.WELCOME);
  }

  @Test
  void refusesBadNamesPasswordsAndFiles() throws Exception {
    UserFile users = UserFile.read(file);
    assertThatThrownBy(() -> users.with("a:b", "correct horse".toCharArray()))
        .hasMessageContaining("'a:b'");
    assertThatThrownBy(() -> users.with("ada", "short".toCharArray()))
        .hasMessageContaining("5 characters");
    assertThatThrownBy(() -> users.without("eve")).hasMessageContaining("'eve'", "ada");
    Files.writeString(file, "ada:plain text\n");
    assertThatThrownBy(() -> UserFile.read(file)).hasMessageContaining("line 1");
  }
}
