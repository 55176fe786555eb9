package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Request;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A peer that sends what it likes, byte by byte. */
final class RawPeer implements AutoCloseable {
  final Socket socket;
  final DataInputStream in;
  final DataOutputStream out;

  RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  static RawPeer call(int port) throws IOException {
    return new RawPeer(new Socket("localhost", port));
  }

  static ByteWriter hello(int lowest, int highest, NodeIdentity self, long clockMicros) {
    return new Greeting(lowest, highest, self, 42, clockMicros).toBytes();
  }

  static ByteWriter hello(NodeIdentity self) {
    return hello(self, Frames.LOWEST_PROTOCOL);
  }

  private static ByteWriter hello(NodeIdentity self, int protocol) {
    return hello(protocol, protocol, self, 1000 * System.currentTimeMillis());
  }

  static byte[] frame(ByteWriter body) {
    return ByteBuffer.allocate(4 + body.size())
        .putInt(body.size())
        .put(body.array(), 0, body.size())
        .array();
  }

  void send(ByteWriter body) throws IOException {
    out.write(frame(body));
    out.flush();
  }

  /** The body of the next frame, the kind first. */
  byte[] receive() throws IOException {
    byte[] body = new byte[in.readInt()];
    in.readFully(body);
    return body;
  }

  /** The body of the next frame of a kind. */
  byte[] receive(int kind) throws IOException {
    byte[] body = receive();
    while (body[0] != kind) {
      body = receive();
    }
    return Arrays.copyOfRange(body, 1, body.length);
  }

  /** Comes to know a node that was called. */
  void introduce(NodeIdentity self) throws IOException {
    send(hello(self));
    Greeting greeting = Greeting.of(receive(Frames.HELLO));
    send(
        new ByteWriter(24)
            .putByte(Frames.READY)
            .putLong(greeting.nonce())
            .putLong(1000 * System.currentTimeMillis()));
  }

  /** Comes to know a node that calls. */
  void answer(NodeIdentity self) throws IOException {
    answer(self, Frames.LOWEST_PROTOCOL);
  }

  /** As {@link #answer(NodeIdentity)}, with a version of the protocol. */
  void answer(NodeIdentity self, int protocol) throws IOException {
    receive(Frames.HELLO);
    send(hello(self, protocol));
    receive(Frames.READY);
  }

  /** An envelope with one call. */
  static ByteWriter envelope(int sequence, long id, int shard, Request request) {
    byte[] call =
        new MessageCodec(MessageCodec.DEFAULT_MAX_BYTES).encodeCall(new Call(1, 30_000, request));
    return new ByteWriter(64)
        .putByte(Frames.ENVELOPE)
        .putInt(sequence)
        .putByte(EnvelopeWriter.CALL)
        .putVarLong(id)
        .putVarLong(shard)
        .putVarLong(call.length)
        .putBytes(call, 0, call.length);
  }

  /** An envelope with one answer. */
  static ByteWriter envelope(int sequence, long id, ByteWriter answer) {
    return new ByteWriter(64)
        .putByte(Frames.ENVELOPE)
        .putInt(sequence)
        .putByte(EnvelopeWriter.ANSWER)
        .putVarLong(id)
        .putVarLong(answer.size())
        .putBytes(answer.array(), 0, answer.size());
  }

  /** Reads to the end; true if it came. */
  boolean isEnded() {
    try {
      while (in.read() >= 0) {
        // What was sent before.
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
