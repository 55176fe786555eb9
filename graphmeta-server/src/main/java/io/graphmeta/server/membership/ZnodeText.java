package io.graphmeta.server.membership;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of a znode: lines of a key and a value, in UTF-8, the first of which is its format.
 * Keys that are not known are passed over, so that later builds can add some. Anything else that is
 * not as expected is an error with the path of the znode. Not safe for use by many threads.
 */
final class ZnodeText {
  /** The format of what earlier builds can read. */
  static final int FORMAT = 1;

  /** The format of what has replicas. */
  static final int REPLICATED_FORMAT = 2;

  /** The format of what has lost replicas, and the highest that this build reads. */
  static final int RECOVERED_FORMAT = 3;

  /** ZooKeeper itself takes no more than a megabyte. */
  static final int MAX_BYTES = 1 << 18;

  private static final String FORMAT_KEY = "format";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,127}");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final String path;
  private final Map<String, String> values;

  private ZnodeText(String path, Map<String, String> values) {
    this.path = path;
    this.values = values;
  }

  /** What is to be written to a path. */
  static ZnodeText forPath(String path) {
    return forPath(path, FORMAT);
  }

  /** As above, in another format. */
  static ZnodeText forPath(String path, int format) {
    return new ZnodeText(path, new LinkedHashMap<>(Map.of(FORMAT_KEY, String.valueOf(format))));
  }

  /**
   * What was read of a path.
   *
   * @throws GraphMetaException {@code CORRUPTION} if it is not of this form, {@code NEWER_FORMAT}
   *     if a later build wrote it
   */
  static ZnodeText of(String path, byte[] content) {
    ZnodeText text = new ZnodeText(path, new LinkedHashMap<>());
    for (String line : text.decode(content).split("\n", -1)) {
      int end = line.indexOf('=');
      if (line.isEmpty()) {
        continue;
      }
      if (end < 0 || !isKey(line.substring(0, end))) {
        throw text.corruption("the line '" + shown(line) + "'", "a key, '=' and a value");
      }
      if (text.values.isEmpty() && !line.startsWith(FORMAT_KEY + "=")) {
        throw text.corruption("the first line '" + shown(line) + "'", "its format");
      }
      if (text.values.put(line.substring(0, end), line.substring(end + 1)) != null) {
        throw text.corruption("the key '" + line.substring(0, end) + "' twice", "each key once");
      }
    }
    long format = text.number(FORMAT_KEY, 1, Long.MAX_VALUE);
    if (format > RECOVERED_FORMAT) {
      throw new GraphMetaException(
          ErrorCode.NEWER_FORMAT,
          "The znode "
              + path
              + " has format "
              + format
              + "; this build reads up to "
              + RECOVERED_FORMAT
              + ": use the build that wrote it, or a later one");
    }
    return text;
  }

  private String decode(byte[] content) {
    if (content.length > MAX_BYTES) {
      throw corruption(content.length + " bytes", "at most " + MAX_BYTES);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw corruption("bytes that are no UTF-8", "text");
    }
  }

  /** Whether a text can be a key. */
  static boolean isKey(String key) {
    return KEY.matcher(key).matches();
  }

  /** Whether a text can be a value. */
  static boolean isValue(String value) {
    return value.length() <= 4096
        && !CONTROL.matcher(value).find()
        && StandardCharsets.UTF_8.newEncoder().canEncode(value);
  }

  ZnodeText with(String key, Object value) {
    values.put(key, value.toString());
    return this;
  }

  /**
   * The bytes to be written.
   *
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if they are too many to be read again
   */
  byte[] bytes() {
    StringBuilder text = new StringBuilder();
    values.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The znode "
              + path
              + " would have "
              + bytes.length
              + " bytes; at most "
              + MAX_BYTES
              + " are written: give fewer settings");
    }
    return bytes;
  }

  /** All keys and values. */
  Map<String, String> values() {
    return values;
  }

  /** A value of any text. */
  String text(String key) {
    return value(key, ZnodeText::isValue, "a line of text", Function.identity());
  }

  /** As {@link #number}, or another number where the key is not there. */
  long number(String key, long min, long max, long absent) {
    return values.containsKey(key) ? number(key, min, max) : absent;
  }

  /** A value that is a whole number within bounds, both included. */
  long number(String key, long min, long max) {
    return value(
        key,
        value ->
            WHOLE_NUMBER.matcher(value).matches()
                && Long.parseLong(value) >= min
                && Long.parseLong(value) <= max,
        "a whole number from " + min + " to " + max,
        Long::parseLong);
  }

  /** A value that is a UUID. */
  UUID uuid(String key) {
    return value(key, value -> UUID_FORM.matcher(value).matches(), "a UUID", UUID::fromString);
  }

  private <T> T value(
      String key, Predicate<String> form, String expected, Function<String, T> made) {
    @Nullable String value = values.get(key);
    if (value == null) {
      throw corruption("no '" + key + "'", expected);
    }
    if (!form.test(value)) {
      throw corruption("'" + key + "' as '" + shown(value) + "'", expected);
    }
    return made.apply(value);
  }

  /** What is wrong with the content. */
  GraphMetaException corruption(String found, String expected) {
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "The znode "
            + path
            + " has "
            + found
            + "; expected "
            + expected
            + ". Put back what GraphMeta wrote there, or remove it if it was not written by"
            + " GraphMeta");
  }

  private static String shown(String text) {
    String clean = CONTROL.matcher(text).replaceAll("?");
    return clean.length() > 60 ? clean.substring(0, 60) + "..." : clean;
  }
}
