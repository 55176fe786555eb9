package io.graphmeta.server.gremlin;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * A client within the process of the server: scripts over HTTP on one connection, bytecode over a
 * WebSocket on another, one request at a time. For one thread.
 */
final class RehearsedClient implements AutoCloseable {
  private static final String HOST = "localhost";
  private static final String PATH = "/gremlin";
  private static final int MAX_ANSWER_BYTES = 1 << 20;
  private static final int MAX_ANSWERS = 64;
  private static final int PATIENCE_SECONDS = 10;

  private final GraphBinaryMessageSerializerV1 binary = new GraphBinaryMessageSerializerV1();
  private final BlockingQueue<Object> answers = new ArrayBlockingQueue<>(MAX_ANSWERS);
  private final Channel http;
  private final Channel webSocket;

  /** Connects to a socket of this machine, on threads that stay the caller's. */
  RehearsedClient(EventLoopGroup threads, SocketAddress server)
      throws IOException, InterruptedException {
    this.http = connect(threads, server);
    this.webSocket =
        connect(
            threads,
            server,
            new WebSocketClientProtocolHandler(
                URI.create("ws://" + HOST + PATH),
                WebSocketVersion.V13,
                null,
                false,
                new DefaultHttpHeaders(),
                MAX_ANSWER_BYTES));
    awaitAnswer(
        WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE.getClass());
  }

  private Channel connect(EventLoopGroup threads, SocketAddress server, ChannelHandler... more)
      throws InterruptedException {
    return new Bootstrap()
        .group(threads)
        .channel(NioDomainSocketChannel.class)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(new HttpClientCodec(), new HttpObjectAggregator(MAX_ANSWER_BYTES))
                    .addLast(more)
                    .addLast(new Answers());
              }
            })
        .connect(server)
        .sync()
        .channel();
  }

  /** Hands the answers to the thread that waits for them. */
  private final class Answers extends SimpleChannelInboundHandler<Object> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Object message) throws Exception {
      if (message instanceof FullHttpResponse response) {
        answers.put(response.status());
      } else if (message instanceof BinaryWebSocketFrame frame) {
        answers.put(binary.deserializeResponse(frame.content()));
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
      if (event == WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
        answers.put(event);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
      answers.put(cause);
    }
  }

  /** Asks over HTTP, as people do. */
  void script(String text) throws IOException, InterruptedException {
    ByteBuf body = Unpooled.copiedBuffer("{\"gremlin\":\"" + text + "\"}", StandardCharsets.UTF_8);
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, PATH, body);
    request
        .headers()
        .set(HttpHeaderNames.HOST, HOST)
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    http.writeAndFlush(request);
    HttpResponseStatus status = awaitAnswer(HttpResponseStatus.class);
    if (!status.equals(HttpResponseStatus.OK)) {
      throw new IOException(text + " was answered by " + status);
    }
  }

  /** Asks over the WebSocket, as drivers do. */
  void bytecode(Bytecode bytecode) throws IOException, InterruptedException {
    RequestMessage message =
        RequestMessage.build(Tokens.OPS_BYTECODE)
            .processor("traversal")
            .addArg(Tokens.ARGS_GREMLIN, bytecode)
            .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
            .create();
    try {
      webSocket.writeAndFlush(
          new BinaryWebSocketFrame(binary.serializeRequestAsBinary(message, webSocket.alloc())));
    } catch (SerializationException e) {
      throw new IOException(e);
    }
    ResponseStatusCode code;
    do {
      code = awaitAnswer(ResponseMessage.class).getStatus().getCode();
      if (!code.isSuccess()) {
        throw new IOException(bytecode + " was answered by " + code);
      }
    } while (code == ResponseStatusCode.PARTIAL_CONTENT);
  }

  private <T> T awaitAnswer(Class<T> type) throws IOException, InterruptedException {
    Object answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!type.isInstance(answer)) {
      throw new IOException(
          "Expected " + type.getSimpleName() + ", but got " + (answer == null ? "none" : answer));
    }
    return type.cast(answer);
  }

  @Override
  public void close() {
    http.close().awaitUninterruptibly();
    webSocket.close().awaitUninterruptibly();
  }
}
