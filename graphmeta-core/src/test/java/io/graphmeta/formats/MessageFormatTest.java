package io.graphmeta.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.MessageText;
import io.graphmeta.protocol.RandomMessages;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The messages of {@code messages.txt} are read as what they were when they were written, and are
 * written as the same bytes. With {@code -Dgraphmeta.write-formats=true} the file gets messages of
 * each kind that has none; the bytes of those that are there stay.
 */
class MessageFormatTest {
  private static final String FILE = "messages.txt";
  private static final MessageCodec CODEC = new MessageCodec(1 << 20);
  private static final int MAX_BYTES = 200;
  private static final int SEEDS = 1000;

  /** What a message is made of: names of records, constants of enums. */
  private static final Pattern PART =
      Pattern.compile("[A-Z][A-Za-z]{2,}\\(|[A-Z]{2,}[A-Z_]+;|true|null");

  private static final String COMMENT =
      """
      Messages of version 1, at least one of each kind, each with its bytes and what these say.
      The bytes of an entry never change; see docs/internals/FORMATS.md.
      The build writes messages of new kinds: mvn -q -pl graphmeta-core test \\
          -Dtest=MessageFormatTest -Dgraphmeta.write-formats=true""";

  @Test
  void messagesAreReadAndWrittenAsEver() throws IOException {
    List<GoldenFile.Entry> entries = GoldenFile.read(FILE);
    if (GoldenFile.WRITES) {
      entries = withTextsOfThisBuild(entries);
      for (Class<?> kind : kinds()) {
        if (entries.stream().noneMatch(entry -> entry.name().equals(kind.getSimpleName()))) {
          entries.addAll(messagesOf(kind));
        }
      }
      GoldenFile.write(FILE, COMMENT, entries);
    }
    for (GoldenFile.Entry entry : entries) {
      Object message = decode(entry);
      assertThat(text(message)).as("what a %s says", entry.name()).isEqualTo(entry.text());
      assertThat(encode(message)).as("the bytes of a %s", entry.name()).isEqualTo(entry.bytes());
    }
    assertThat(entries.stream().map(GoldenFile.Entry::name).distinct())
        .as("kinds that have a message in %s", GoldenFile.DIRECTORY.resolve(FILE))
        .containsExactlyInAnyOrderElementsOf(kinds().stream().map(Class::getSimpleName).toList());
  }

  private static List<Class<?>> kinds() {
    return Stream.of(Request.class, Response.class)
        .<Class<?>>flatMap(side -> Stream.of(side.getPermittedSubclasses()))
        .toList();
  }

  private static boolean isRequest(String name) {
    return Stream.of(Request.class.getPermittedSubclasses())
        .anyMatch(kind -> kind.getSimpleName().equals(name));
  }

  private static Object decode(GoldenFile.Entry entry) {
    return isRequest(entry.name())
        ? CODEC.decodeCall(entry.bytes())
        : CODEC.decodeAnswer(entry.bytes());
  }

  private static byte[] encode(Object message) {
    return message instanceof Response answer
        ? CODEC.encodeAnswer(answer)
        : CODEC.encodeCall((Call) message);
  }

  private static String text(Object message) {
    return GoldenFile.inOneLine(MessageText.of(message));
  }

  private static List<GoldenFile.Entry> withTextsOfThisBuild(List<GoldenFile.Entry> entries) {
    List<GoldenFile.Entry> renewed = new ArrayList<>();
    for (GoldenFile.Entry entry : entries) {
      renewed.add(new GoldenFile.Entry(entry.name(), entry.bytes(), text(decode(entry))));
    }
    return renewed;
  }

  /** Short messages of a kind, which have among them whatever longer ones have in them. */
  private static List<GoldenFile.Entry> messagesOf(Class<?> kind) {
    List<GoldenFile.Entry> chosen = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      RandomMessages random = new RandomMessages(seed);
      Object message =
          Request.class.isAssignableFrom(kind) ? random.call(kind) : random.answer(kind);
      byte[] bytes = encode(message);
      String text = MessageText.of(message);
      if (bytes.length <= MAX_BYTES && hasOneOrder(message) && seen.addAll(parts(text))) {
        chosen.add(new GoldenFile.Entry(kind.getSimpleName(), bytes, text(message)));
      }
    }
    return chosen;
  }

  /** False if there is a set or map of several in a message, which may be written in any order. */
  private static boolean hasOneOrder(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.size() < 2;
    } else if (value instanceof Collection<?> values) {
      return (values instanceof List || values.size() < 2)
          && values.stream().allMatch(MessageFormatTest::hasOneOrder);
    } else if (value instanceof Record message) {
      return Stream.of(message.getClass().getRecordComponents())
          .allMatch(component -> hasOneOrder(componentOf(message, component)));
    }
    return true;
  }

  private static @Nullable Object componentOf(Record message, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(message);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(component + " cannot be read", e);
    }
  }

  private static Set<String> parts(String text) {
    Set<String> parts = new HashSet<>(Set.of("a message"));
    Matcher matcher = PART.matcher(text);
    while (matcher.find()) {
      parts.add(matcher.group());
    }
    return parts;
  }
}
