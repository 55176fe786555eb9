package io.graphmeta.server.gremlin.wire;

import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONXModuleV2;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONXModuleV3;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * The forms of messages that are served, by mime type. All of them load no class and believe no
 * length that a message names.
 */
final class MessageFormats {
  private final Map<String, MessageSerializer<?>> serializers;
  private final MessageSerializer<?> binaryOfOlderDrivers;

  MessageFormats(int maxNesting) {
    this.serializers = serializers(maxNesting);
    this.binaryOfOlderDrivers =
        new GraphBinaryMessageSerializerV1(
            OlderDrivers.readable(SafeBinaryTypes.builder(maxNesting)));
  }

  /** The form of a mime type; null if it is not served. */
  @Nullable MessageSerializer<?> find(String mimeType) {
    return serializers.get(mimeType);
  }

  /** As {@link #find(String)}, for one of the {@linkplain OlderDrivers older drivers}. */
  @Nullable MessageSerializer<?> findForOlderDriver(String mimeType) {
    return mimeType.equals(SerTokens.MIME_GRAPHBINARY_V1) ? binaryOfOlderDrivers : find(mimeType);
  }

  /** What is answered in where a client names no form. */
  MessageSerializer<?> binary() {
    return Objects.requireNonNull(serializers.get(SerTokens.MIME_GRAPHBINARY_V1));
  }

  /** What messages of text are in. */
  MessageTextSerializer<?> json() {
    return (MessageTextSerializer<?>) Objects.requireNonNull(serializers.get(SerTokens.MIME_JSON));
  }

  /** Whether the body of an HTTP request can be of a type; its parameters do not count. */
  boolean servesBodiesOf(String contentType) {
    String type = withoutParameters(contentType);
    return serializers.keySet().stream().anyMatch(served -> withoutParameters(served).equals(type));
  }

  private static String withoutParameters(String mimeType) {
    int semicolon = mimeType.indexOf(';');
    return (semicolon < 0 ? mimeType : mimeType.substring(0, semicolon))
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  /** The mime types, for people. */
  String mimeTypes() {
    return String.join(", ", serializers.keySet().stream().sorted().toList());
  }

  private static Map<String, MessageSerializer<?>> serializers(int maxNesting) {
    GraphBinaryMessageSerializerV1 binary =
        new GraphBinaryMessageSerializerV1(SafeBinaryTypes.builder(maxNesting));
    GraphBinaryMessageSerializerV1 binaryAsText = new TextResults(binary);
    GraphSONMessageSerializerV3 json3 =
        new GraphSONMessageSerializerV3(json(GraphSONVersion.V3_0, maxNesting));
    Map<String, MessageSerializer<?>> serializers = new HashMap<>();
    for (MessageSerializer<?> serializer :
        List.of(
            json3,
            binary,
            binaryAsText,
            new GraphSONMessageSerializerV2(json(GraphSONVersion.V2_0, maxNesting)),
            new GraphSONUntypedMessageSerializerV3(json(GraphSONVersion.V3_0, maxNesting)),
            new GraphSONUntypedMessageSerializerV2(json(GraphSONVersion.V2_0, maxNesting)),
            new GraphSONUntypedMessageSerializerV1())) {
      for (String mimeType : serializer.mimeTypesSupported()) {
        serializers.putIfAbsent(mimeType, serializer);
      }
    }
    return Map.copyOf(serializers);
  }

  private static GraphSONMapper.Builder json(GraphSONVersion version, int maxNesting) {
    GraphSONMapper.Builder builder = GraphSONMapper.build().version(version);
    builder.addCustomModule(
        version == GraphSONVersion.V3_0 ? GraphSONXModuleV3.build() : GraphSONXModuleV2.build());
    builder.addCustomModule(new SafeJsonTypes(version));
    // A list of GraphSON is two levels of JSON, and a message lies around all.
    return builder.maxNestingDepth(4 * maxNesting + 8);
  }

  /** GraphBinary whose results are sent as text, for consoles. Requests are read as GraphBinary. */
  private static final class TextResults extends GraphBinaryMessageSerializerV1 {
    private final GraphBinaryMessageSerializerV1 safe;

    TextResults(GraphBinaryMessageSerializerV1 safe) {
      this.safe = safe;
      configure(Map.of(TOKEN_SERIALIZE_RESULT_TO_STRING, "true"), Map.of());
    }

    @Override
    public RequestMessage deserializeRequest(ByteBuf message) throws SerializationException {
      return safe.deserializeRequest(message);
    }

    @Override
    public RequestMessage deserializeRequest(String message) throws SerializationException {
      return safe.deserializeRequest(message);
    }
  }
}
