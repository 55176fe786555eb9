package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.RequestGuard;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * The messages of HTTP requests. There are three forms: the parameters of a GET; a body of plain
 * JSON, as people write it; and a body that a driver has written, which is what a frame of a
 * WebSocket would hold.
 */
final class HttpMessages {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REQUEST_ID = "requestId";
  private static final String NO_SCRIPT = "it has no script";

  private HttpMessages() {}

  /**
   * The message of a request, for no processor. Its body is read to the end.
   *
   * @throws SerializationException if its body is not what its type says
   * @throws IllegalArgumentException if something in it is missing or of a wrong kind
   */
  static RequestMessage read(FullHttpRequest request, MessageFormats formats)
      throws SerializationException {
    RequestMessage message = readBody(request, formats);
    String session = request.headers().get(HttpReply.SESSION_HEADER);
    return session == null
        ? message
        : RequestMessage.from(message).addArg(RequestGuard.SESSION_TOKEN, session).create();
  }

  private static RequestMessage readBody(FullHttpRequest request, MessageFormats formats)
      throws SerializationException {
    if (request.method().equals(HttpMethod.GET)) {
      return ofParameters(new QueryStringDecoder(request.uri()).parameters());
    }
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, SerTokens.MIME_JSON);
    MessageSerializer<?> serializer = type.equals(SerTokens.MIME_JSON) ? null : formats.find(type);
    return serializer == null
        ? ofPlainJson(request.content().toString(StandardCharsets.UTF_8))
        : ofDriver(request.content(), serializer);
  }

  private static RequestMessage ofParameters(Map<String, List<String>> parameters) {
    String script = first(parameters, Tokens.ARGS_GREMLIN);
    if (script == null || script.isEmpty()) {
      throw new IllegalArgumentException(NO_SCRIPT);
    }
    String id = first(parameters, REQUEST_ID);
    RequestMessage.Builder message =
        RequestMessage.build(Tokens.OPS_EVAL)
            .addArg(Tokens.ARGS_GREMLIN, script)
            .addArg(Tokens.ARGS_BINDINGS, group(parameters, Tokens.ARGS_BINDINGS))
            .addArg(Tokens.ARGS_ALIASES, group(parameters, Tokens.ARGS_ALIASES));
    if (id != null) {
      message.overrideRequestId(UUID.fromString(id));
    }
    String language = first(parameters, Tokens.ARGS_LANGUAGE);
    if (language != null) {
      message.addArg(Tokens.ARGS_LANGUAGE, language);
    }
    return message.create();
  }

  private static @Nullable String first(Map<String, List<String>> parameters, String name) {
    List<String> values = parameters.getOrDefault(name, List.of());
    return values.isEmpty() ? null : values.get(0);
  }

  /** The parameters of names such as {@code bindings.x}, by the part behind the point. */
  private static Map<String, Object> group(Map<String, List<String>> parameters, String name) {
    String prefix = name + ".";
    Map<String, Object> group = new HashMap<>();
    parameters.forEach(
        (key, values) -> {
          if (key.startsWith(prefix)) {
            group.put(key.substring(prefix.length()), values.get(0));
          }
        });
    return group;
  }

  private static RequestMessage ofPlainJson(String body) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("its body is not JSON", e);
    }
    JsonNode script = json.get(Tokens.ARGS_GREMLIN);
    if (script == null) {
      throw new IllegalArgumentException(NO_SCRIPT);
    }
    RequestMessage.Builder message =
        RequestMessage.build(Tokens.OPS_EVAL)
            .addArg(Tokens.ARGS_GREMLIN, script.asText())
            .addArg(Tokens.ARGS_BINDINGS, map(json, Tokens.ARGS_BINDINGS))
            .addArg(Tokens.ARGS_ALIASES, map(json, Tokens.ARGS_ALIASES));
    JsonNode id = json.get(REQUEST_ID);
    if (id != null) {
      message.overrideRequestId(UUID.fromString(id.asText()));
    }
    JsonNode language = json.get(Tokens.ARGS_LANGUAGE);
    if (language != null) {
      message.addArg(Tokens.ARGS_LANGUAGE, language.asText());
    }
    return message.create();
  }

  private static Map<String, @Nullable Object> map(JsonNode json, String name) {
    JsonNode node = json.get(name);
    if (node == null) {
      return Map.of();
    }
    if (!node.isObject()) {
      throw new IllegalArgumentException("'" + name + "' is not a JSON object");
    }
    return map(node);
  }

  private static Map<String, @Nullable Object> map(JsonNode object) {
    Map<String, @Nullable Object> map = new HashMap<>();
    object.fields().forEachRemaining(field -> map.put(field.getKey(), value(field.getValue())));
    return map;
  }

  /** Whole numbers are longs, and all others doubles. */
  private static @Nullable Object value(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    if (node.isObject()) {
      return map(node);
    }
    if (node.isArray()) {
      List<@Nullable Object> list = new ArrayList<>(node.size());
      node.forEach(member -> list.add(value(member)));
      return list;
    }
    if (node.isFloatingPointNumber()) {
      return node.asDouble();
    }
    if (node.isIntegralNumber()) {
      return node.asLong();
    }
    return node.isBoolean() ? (Object) node.asBoolean() : node.asText();
  }

  /** As in a frame, the name of the mime type can come first, its length in a byte before it. */
  private static RequestMessage ofDriver(ByteBuf body, MessageSerializer<?> serializer)
      throws SerializationException {
    if (body.isReadable() && body.getByte(body.readerIndex()) != '{') {
      String named =
          body.readCharSequence(body.readUnsignedByte(), StandardCharsets.UTF_8).toString();
      if (!List.of(serializer.mimeTypesSupported()).contains(named)) {
        throw new IllegalArgumentException(
            "its body is of the type '" + Excerpt.of(named) + "', which is not that of its head");
      }
    }
    RequestMessage message = serializer.deserializeRequest(body);
    String op = message.getOp().isEmpty() ? Tokens.OPS_EVAL : message.getOp();
    RequestMessage.Builder plain =
        RequestMessage.build(op).overrideRequestId(message.getRequestId());
    message
        .getArgs()
        .forEach(
            (name, value) -> {
              if (value != null) {
                plain.addArg(name, value);
              }
            });
    return plain.create();
  }
}
