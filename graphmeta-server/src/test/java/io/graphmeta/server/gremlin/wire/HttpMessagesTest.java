package io.graphmeta.server.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms in which a request comes over HTTP. */
final class HttpMessagesTest {
  private static final UUID ID = new UUID(1, 2);

  private final MessageFormats formats = new MessageFormats(64);

  private RequestMessage get(String query) throws Exception {
    return HttpMessages.read(
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/gremlin?" + query),
        formats);
  }

  private RequestMessage post(String type, ByteBuf body) throws Exception {
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/gremlin", body);
    request.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    return HttpMessages.read(request, formats);
  }

  private RequestMessage post(String body) throws Exception {
    return post("application/json", Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
  }

  @Test
  void aGetHasParameters() throws Exception {
    RequestMessage message =
        get("gremlin=g.V(x)&bindings.x=a%20b&aliases.g=g&language=gremlin-lang&requestId=" + ID);
    assertThat(message.getOp()).isEqualTo("eval");
    assertThat(message.getRequestId()).isEqualTo(ID);
    assertThat(message.getArgs())
        .isEqualTo(
            Map.of(
                "gremlin",
                "g.V(x)",
                "bindings",
                Map.of("x", "a b"),
                "aliases",
                Map.of("g", "g"),
                "language",
                "gremlin-lang"));
  }

  @Test
  void plainJsonHasLongsDoublesAndWhatIsMadeOfThem() throws Exception {
    RequestMessage message =
        post(
            "{\"gremlin\":\"g\",\"bindings\":{\"i\":1,\"d\":1.5,\"t\":true,\"n\":null,"
                + "\"l\":[1,\"a\",[2]],\"m\":{\"k\":{\"v\":3}}}}");
    assertThat(message.getOp()).isEqualTo("eval");
    Map<String, Object> bindings = Map.of("i", 1L, "d", 1.5, "t", true);
    assertThat((Map<?, ?>) message.getArgs().get("bindings"))
        .satisfies(
            map -> {
              bindings.forEach((name, value) -> assertThat(map.get(name)).isEqualTo(value));
              assertThat(map.containsKey("n") && map.get("n") == null).isTrue();
              assertThat(map.get("l")).isEqualTo(Arrays.asList(1L, "a", List.of(2L)));
              assertThat(map.get("m")).isEqualTo(Map.of("k", Map.of("v", 3L)));
            });
    assertThat(message.getArgs()).doesNotContainKey("language");
    assertThat(post("{\"gremlin\":\"g\",\"op\":\"close\"}").getOp())
        .as("plain JSON is always a script")
        .isEqualTo("eval");
    assertThat(post("{\"gremlin\":\"g\",\"requestId\":\"" + ID + "\"}").getRequestId())
        .isEqualTo(ID);
  }

  @Test
  void aCharacterSetBehindTheTypeOfPlainJsonDoesNotCount() throws Exception {
    assertThat(
            post(
                    "application/json; charset=utf-8",
                    Unpooled.copiedBuffer("{\"gremlin\":\"g.V()\"}", StandardCharsets.UTF_8))
                .getArgs())
        .containsEntry("gremlin", "g.V()");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | it has no script",
        "5 | it has no script",
        "[ | its body is not JSON",
        "{'gremlin':'g','bindings':[]} | 'bindings' is not a JSON object",
        "{'gremlin':'g','aliases':1} | 'aliases' is not a JSON object",
        "{'gremlin':'g','requestId':'x'} | Invalid UUID string: x"
      })
  void whatIsMissingOrOfAWrongKindIsSaid(String body, String why) {
    assertThatThrownBy(() -> post(body.replace('\'', '"')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why);
  }

  @Test
  void aGetWithoutAScriptIsRefused() {
    assertThatThrownBy(() -> get("bindings.x=1")).hasMessage("it has no script");
    assertThatThrownBy(() -> get("gremlin=")).hasMessage("it has no script");
  }

  /** The name of the type comes first, as in a frame, or nothing does, in GraphSON. */
  @Test
  void aBodyOfADriverIsAFrame() throws Exception {
    RequestMessage message =
        RequestMessage.build("eval")
            .overrideRequestId(ID)
            .processor("session")
            .addArg("gremlin", "g.V(x)")
            .addArg("bindings", Map.of("x", 7))
            .create();
    ByteBuf binary =
        new GraphBinaryMessageSerializerV1()
            .serializeRequestAsBinary(message, UnpooledByteBufAllocator.DEFAULT);
    RequestMessage read = post(SerTokens.MIME_GRAPHBINARY_V1, binary);
    assertThat(read.getArgs()).isEqualTo(message.getArgs());
    assertThat(read.getRequestId()).isEqualTo(ID);
    assertThat(read.getProcessor()).as("sessions need a connection").isEmpty();

    ByteBuf json =
        new GraphSONMessageSerializerV3()
            .serializeRequestAsBinary(message, UnpooledByteBufAllocator.DEFAULT);
    assertThat(post(SerTokens.MIME_GRAPHSON_V3, json.duplicate()).getArgs())
        .isEqualTo(message.getArgs());
    ByteBuf bare = json.skipBytes(1 + SerTokens.MIME_GRAPHSON_V3.length());
    assertThat(post(SerTokens.MIME_GRAPHSON_V3, bare).getArgs()).isEqualTo(message.getArgs());
  }

  @Test
  void aBodyOfAnotherTypeThanItsHeadIsRefused() throws Exception {
    ByteBuf binary =
        new GraphBinaryMessageSerializerV1()
            .serializeRequestAsBinary(
                RequestMessage.build("eval").addArg("gremlin", "g").create(),
                UnpooledByteBufAllocator.DEFAULT);
    assertThatThrownBy(() -> post(SerTokens.MIME_GRAPHSON_V3, binary))
        .hasMessageContaining(SerTokens.MIME_GRAPHBINARY_V1);
    assertThatThrownBy(() -> post(SerTokens.MIME_GRAPHBINARY_V1, Unpooled.buffer(0)))
        .isInstanceOf(Exception.class);
  }
}
