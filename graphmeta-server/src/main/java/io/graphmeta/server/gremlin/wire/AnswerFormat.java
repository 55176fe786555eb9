package io.graphmeta.server.gremlin.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * How the messages that answer a request over a WebSocket are written: as the request was. Safe for
 * use by many threads.
 */
sealed interface AnswerFormat {
  /**
   * A message as a frame, which the caller owns.
   *
   * @throws SerializationException if a value in it has no form in this format
   */
  WebSocketFrame frame(ResponseMessage message, ByteBufAllocator allocator)
      throws SerializationException;

  /** Frames of bytes. */
  record Binary(MessageSerializer<?> serializer) implements AnswerFormat {
    @Override
    public WebSocketFrame frame(ResponseMessage message, ByteBufAllocator allocator)
        throws SerializationException {
      return new BinaryWebSocketFrame(serializer.serializeResponseAsBinary(message, allocator));
    }
  }

  /** Frames of text. */
  record Text(MessageTextSerializer<?> serializer) implements AnswerFormat {
    @Override
    public WebSocketFrame frame(ResponseMessage message, ByteBufAllocator allocator)
        throws SerializationException {
      return new TextWebSocketFrame(serializer.serializeResponseAsString(message, allocator));
    }
  }
}
