package io.graphmeta.server.gremlin.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageDecoder;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import java.util.List;

/** Frames of a WebSocket into requests. Belongs to one connection. */
final class WebSocketRequestDecoder extends MessageToMessageDecoder<WebSocketFrame> {
  private final FrameReader reader;

  WebSocketRequestDecoder(FrameReader reader) {
    this.reader = reader;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof HandshakeComplete handshake
        && OlderDrivers.includes(handshake.requestHeaders().get(HttpHeaderNames.USER_AGENT))) {
      reader.expectOlderDriver();
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public boolean acceptInboundMessage(Object message) {
    return message instanceof BinaryWebSocketFrame || message instanceof TextWebSocketFrame;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, WebSocketFrame frame, List<Object> out) {
    out.add(reader.read(frame));
  }
}
