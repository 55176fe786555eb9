package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.QueryLimits;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.StrategyRules;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.Tree;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.io.Buffer;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryReader;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryWriter;
import org.apache.tinkerpop.gremlin.structure.io.binary.TypeSerializer;
import org.apache.tinkerpop.gremlin.structure.io.binary.TypeSerializerRegistry;
import org.apache.tinkerpop.gremlin.structure.io.binary.types.SimpleTypeSerializer;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.jspecify.annotations.Nullable;

/**
 * GraphBinary as a server can read it from anyone: memory is only taken for what has arrived,
 * nesting has an end, classes are those of strategies, and lambdas and graphs are refused. What is
 * written is TinkerPop's own.
 */
final class SafeBinaryTypes {
  private static final int MAX_INTEGER_BYTES = 4096;

  private final int maxNesting;
  private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
  private final TypeSerializerRegistry.Builder builder = TypeSerializerRegistry.build();

  private SafeBinaryTypes(int maxNesting) {
    this.maxNesting = maxNesting;
    try {
      register();
    } catch (IOException e) {
      throw new IllegalStateException("GraphBinary lacks a type that it must have", e);
    }
  }

  static TypeSerializerRegistry.Builder builder(int maxNesting) {
    return new SafeBinaryTypes(maxNesting).builder;
  }

  /** How a value is read in place of TinkerPop's way. */
  private interface Reading<T> {
    T read(Buffer buffer, GraphBinaryReader reader) throws IOException;
  }

  private void register() throws IOException {
    safe(String.class, SafeBinaryTypes::text);
    safe(ByteBuffer.class, (buffer, reader) -> ByteBuffer.wrap(bytes(buffer)));
    safe(BigInteger.class, SafeBinaryTypes::integer);
    safe(BigDecimal.class, SafeBinaryTypes::decimal);
    safe(Class.class, (buffer, reader) -> StrategyRules.requireUsable(text(buffer, reader)));
    safe(List.class, nested(SafeBinaryTypes::list));
    safe(Set.class, nested(SafeBinaryTypes::set));
    safe(Map.class, nested(SafeBinaryTypes::map));
    safe(Bytecode.class, nested(SafeBinaryTypes::bytecode));
    for (Class<?> predicate :
        new Class<?>[] {AndP.class, OrP.class, NotP.class, P.class, TextP.class}) {
      predicate(predicate);
    }
    refuse(Lambda.class, Refusal::lambda);
    for (Class<?> type :
        new Class<?>[] {
          Graph.class,
          Tree.class,
          BulkSet.class,
          Metrics.class,
          TraversalMetrics.class,
          InetAddress.class,
          Inet4Address.class,
          Inet6Address.class
        }) {
      refuse(
          type,
          () -> Refusal.invalid("A request cannot hold a value of type " + type.getSimpleName()));
    }
  }

  private <T> void safe(Class<T> type, Reading<? extends T> reading) throws IOException {
    builder.add(type, new SafeType<>(original(type), reading));
  }

  private <T> void refuse(Class<T> type, Supplier<Refusal> refusal) throws IOException {
    safe(
        type,
        (buffer, reader) -> {
          throw refusal.get();
        });
  }

  private static <T> TypeSerializer<T> original(Class<T> type) throws IOException {
    return TypeSerializerRegistry.INSTANCE.getSerializer(type);
  }

  /** TinkerPop's reading of a predicate, after a look at how many arguments it says it has. */
  private <T> void predicate(Class<T> type) throws IOException {
    TypeSerializer<T> original = original(type);
    safe(
        type,
        nested(
            (buffer, reader) -> {
              int start = buffer.readerIndex();
              text(buffer, reader);
              length(buffer);
              buffer.readerIndex(start);
              return original.readValue(buffer, reader, false);
            }));
  }

  private <T> Reading<T> nested(Reading<T> reading) {
    return (buffer, reader) -> {
      int[] level = depth.get();
      if (level[0] >= maxNesting) {
        throw Refusal.tooDeep(maxNesting);
      }
      level[0]++;
      try {
        return reading.read(buffer, reader);
      } finally {
        level[0]--;
      }
    };
  }

  /** A length or number of members; each takes a byte at least. */
  private static int length(Buffer buffer) {
    int length = buffer.readInt();
    if (length < 0 || length > buffer.readableBytes()) {
      throw Refusal.malformed(
          "A value says that it has "
              + length
              + " parts, but only "
              + buffer.readableBytes()
              + " bytes follow");
    }
    return length;
  }

  private static byte[] bytes(Buffer buffer) {
    byte[] bytes = new byte[length(buffer)];
    buffer.readBytes(bytes);
    return bytes;
  }

  private static String text(Buffer buffer, GraphBinaryReader reader) {
    return new String(bytes(buffer), StandardCharsets.UTF_8);
  }

  /** To write out a number takes more than its length in time. */
  private static BigInteger integer(Buffer buffer, GraphBinaryReader reader) {
    byte[] bytes = bytes(buffer);
    if (bytes.length > MAX_INTEGER_BYTES) {
      throw Refusal.invalid(
          "A number has " + bytes.length + " bytes; expected up to " + MAX_INTEGER_BYTES);
    }
    return new BigInteger(bytes);
  }

  private static BigDecimal decimal(Buffer buffer, GraphBinaryReader reader) {
    int scale = buffer.readInt();
    QueryLimits.requireScale(scale);
    return new BigDecimal(integer(buffer, reader), scale);
  }

  private static List<@Nullable Object> list(Buffer buffer, GraphBinaryReader reader)
      throws IOException {
    int length = length(buffer);
    List<@Nullable Object> list = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      list.add(reader.read(buffer));
    }
    return list;
  }

  private static Set<@Nullable Object> set(Buffer buffer, GraphBinaryReader reader)
      throws IOException {
    int length = length(buffer);
    Set<@Nullable Object> set = new LinkedHashSet<>();
    HashKeys keys = new HashKeys();
    for (int i = 0; i < length; i++) {
      set.add(keys.counted(reader.read(buffer)));
    }
    return set;
  }

  private static Map<@Nullable Object, @Nullable Object> map(
      Buffer buffer, GraphBinaryReader reader) throws IOException {
    int length = length(buffer);
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    HashKeys keys = new HashKeys();
    for (int i = 0; i < length; i++) {
      Object key = keys.counted(reader.read(buffer));
      map.put(key, reader.read(buffer));
    }
    return map;
  }

  private static Bytecode bytecode(Buffer buffer, GraphBinaryReader reader) throws IOException {
    Bytecode bytecode = new Bytecode();
    for (int steps = length(buffer); steps > 0; steps--) {
      bytecode.addStep(text(buffer, reader), list(buffer, reader).toArray());
    }
    for (int sources = length(buffer); sources > 0; sources--) {
      bytecode.addSource(text(buffer, reader), list(buffer, reader).toArray());
    }
    return bytecode;
  }

  /** Reads in our way and writes in TinkerPop's. */
  private static final class SafeType<T> extends SimpleTypeSerializer<T> {
    private final TypeSerializer<T> written;
    private final Reading<? extends T> reading;

    SafeType(TypeSerializer<T> written, Reading<? extends T> reading) {
      super(written.getDataType());
      this.written = written;
      this.reading = reading;
    }

    @Override
    protected T readValue(Buffer buffer, GraphBinaryReader reader) throws IOException {
      return reading.read(buffer, reader);
    }

    @Override
    protected void writeValue(T value, Buffer buffer, GraphBinaryWriter writer) throws IOException {
      written.writeValue(value, buffer, writer, false);
    }
  }
}
