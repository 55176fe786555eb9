package io.graphmeta.server.users;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks log-ins against a file of users, which it reads again when it has changed.
 *
 * <p>A wrong name takes as long as a wrong password. After {@value #MAX_FAILURES} failures from one
 * address, all from there fail without a look for a while, twice as long each time. What was right
 * is remembered for a few minutes as a keyed digest that means nothing outside of this process, so
 * that each request over HTTP need not derive a key.
 */
public final class LogIns implements PasswordCheck {
  static final int MAX_FAILURES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(LogIns.class);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int MAX_PAUSE_DOUBLINGS = 6;
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final int MAX_REMEMBERED = 1000;
  private static final int MAX_ADDRESSES = 10_000;

  private final Path file;
  private final LongSupplier clock;
  private final PasswordHash nobody = PasswordHash.of("nobody has this".toCharArray());
  private final byte[] key = new byte[32];

  @GuardedBy("this")
  private final Map<ByteBuffer, Remembered> remembered = bounded(MAX_REMEMBERED);

  @GuardedBy("this")
  private final Map<String, Failures> failures = bounded(MAX_ADDRESSES);

  @GuardedBy("this")
  private UserFile users;

  @GuardedBy("this")
  private @Nullable FileTime read;

  private record Remembered(PasswordHash hash, long untilNanos) {}

  private record Failures(int count, long pausedUntilNanos) {}

  /**
   * Log-ins against a file.
   *
   * @throws GraphMetaException if it is not a file of users
   */
  public LogIns(Path file) throws IOException {
    this(file, System::nanoTime);
  }

  LogIns(Path file, LongSupplier nanoClock) throws IOException {
    this.file = file;
    this.clock = nanoClock;
    this.users = UserFile.read(file);
    this.read = Files.getLastModifiedTime(file);
    new SecureRandom().nextBytes(key);
  }

  private static <K, V> Map<K, V> bounded(int size) {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > size;
      }
    };
  }

  @Override
  public Outcome check(String name, char[] password, String address) {
    PasswordHash hash;
    ByteBuffer digest = digest(name, password);
    synchronized (this) {
      readAgain();
      hash = users.hash(name);
      Remembered known = remembered.get(digest);
      if (known != null && known.hash().equals(hash) && clock.getAsLong() < known.untilNanos()) {
        return Outcome.WELCOME;
      }
      Failures failed = failures.get(address);
      if (failed != null
          && failed.count() >= MAX_FAILURES
          && clock.getAsLong() < failed.pausedUntilNanos()) {
        return Outcome.PAUSED;
      }
    }
    boolean right = (hash == null ? nobody : hash).matches(password);
    synchronized (this) {
      if (right && hash != null) {
        failures.remove(address);
        remembered.put(digest, new Remembered(hash, clock.getAsLong() + REMEMBERED_NANOS));
        return Outcome.WELCOME;
      }
      Failures before = failures.getOrDefault(address, new Failures(0, 0));
      int count = before.count() + 1;
      int doublings = Math.min(MAX_PAUSE_DOUBLINGS, Math.max(0, count - MAX_FAILURES));
      failures.put(
          address, new Failures(count, clock.getAsLong() + (FIRST_PAUSE_NANOS << doublings)));
      return Outcome.WRONG;
    }
  }

  @GuardedBy("this")
  private void readAgain() {
    try {
      FileTime changed = Files.getLastModifiedTime(file);
      if (!changed.equals(read)) {
        users = UserFile.read(file);
        read = changed;
      }
    } catch (IOException | GraphMetaException e) {
      LOG.warn("The users stay as they were: {}", e.getMessage());
    }
  }

  private ByteBuffer digest(String name, char[] password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(name.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      mac.update(new String(password).getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(mac.doFinal());
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("This Java has no HmacSHA256", e);
    }
  }
}
