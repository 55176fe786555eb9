package io.graphmeta.server.gremlin.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SeedStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.junit.jupiter.api.Test;

/** What TinkerPop's drivers write is read as they meant it. */
final class MessageFormatsTest {
  private final GraphTraversalSource g = EmptyGraph.instance().traversal();
  private final MessageFormats formats = new MessageFormats(64);

  private List<GraphTraversal<?, ?>> traversals() {
    return List.of(
        g.V().has("name", P.within("a", "b").or(P.gt("x").negate())),
        g.V().has("name", TextP.regex("a.*").and(TextP.notContaining("z"))),
        g.withStrategies(ReadOnlyStrategy.instance()).V(),
        g.withStrategies(
                PartitionStrategy.build().partitionKey("p").writePartition("w").create(),
                SeedStrategy.build().seed(7).create())
            .V(),
        g.withoutStrategies(LazyBarrierStrategy.class).V(),
        g.with("asOf", OffsetDateTime.parse("2026-01-02T03:04:05Z")).V().out().path().by(T.id),
        g.withSack(1)
            .V()
            .repeat(
                __.out().sack(org.apache.tinkerpop.gremlin.process.traversal.Operator.sum).by("w"))
            .times(2),
        g.V().where(__.not(__.out("x").or(__.in(), __.both()))).limit(3),
        g.addV("job").property("uuid", new UUID(1, 2)).property("date", new Date(5)),
        g.inject(List.of(1, 2L, 3.0), Set.of("x"), Map.of("k", List.of(Map.of("n", 1)))));
  }

  @Test
  void graphSonOfTraversalsIsReadAsItWasWritten() throws Exception {
    GraphSONMessageSerializerV3 theirs = new GraphSONMessageSerializerV3();
    for (GraphTraversal<?, ?> traversal : traversals()) {
      String text =
          theirs.serializeRequestAsString(message(traversal), UnpooledByteBufAllocator.DEFAULT);
      assertThat(gremlin(formats.json().deserializeRequest(text.substring(text.indexOf('{')))))
          .hasToString(
              gremlin(theirs.deserializeRequest(text.substring(text.indexOf('{')))).toString());
    }
  }

  @Test
  void graphBinaryOfTraversalsIsReadAsItWasWritten() throws Exception {
    GraphBinaryMessageSerializerV1 theirs = new GraphBinaryMessageSerializerV1();
    for (GraphTraversal<?, ?> traversal : traversals()) {
      assertThat(gremlin(formats.binary().deserializeRequest(body(theirs, message(traversal)))))
          .hasToString(
              gremlin(theirs.deserializeRequest(body(theirs, message(traversal)))).toString());
    }
  }

  @Test
  void graphBinaryOfValuesIsReadAsItWasWritten() throws Exception {
    Map<String, Object> values =
        Map.of(
            "text", "grüße",
            "bytes", ByteBuffer.wrap(new byte[] {1, -2, 3}),
            "integer", new BigInteger("123456789012345678901234567890"),
            "decimal", new BigDecimal("1.25"),
            "list", List.of(1, "two", List.of(3.0)),
            "set", Set.of(1L, 2L),
            "map", Map.of("a", Map.of("b", true)),
            "time", OffsetDateTime.parse("2026-01-02T03:04:05Z"),
            "uuid", new UUID(1, 2));
    GraphBinaryMessageSerializerV1 theirs = new GraphBinaryMessageSerializerV1();
    RequestMessage message =
        RequestMessage.build("eval").addArg("gremlin", "g").addArg("bindings", values).create();
    RequestMessage read = formats.binary().deserializeRequest(body(theirs, message));
    assertThat(read.getArgs().get("bindings")).isEqualTo(values);
    assertThat(read.getRequestId()).isEqualTo(message.getRequestId());
  }

  private static RequestMessage message(GraphTraversal<?, ?> traversal) {
    return RequestMessage.build("bytecode")
        .processor("traversal")
        .addArg("gremlin", traversal.asAdmin().getBytecode())
        .addArg("aliases", Map.of("g", "g"))
        .create();
  }

  private static Object gremlin(RequestMessage message) {
    Object gremlin = message.getArgs().get("gremlin");
    assertThat(gremlin).isInstanceOf(Bytecode.class);
    return gremlin;
  }

  private static ByteBuf body(GraphBinaryMessageSerializerV1 serializer, RequestMessage message)
      throws Exception {
    ByteBuf bytes = serializer.serializeRequestAsBinary(message, UnpooledByteBufAllocator.DEFAULT);
    return bytes.skipBytes(1 + SerTokens.MIME_GRAPHBINARY_V1.length()).discardReadBytes();
  }
}
