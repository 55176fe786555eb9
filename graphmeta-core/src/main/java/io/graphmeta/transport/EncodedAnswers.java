package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;

/** A shard whose answers and errors pass as bytes, so that nothing else comes back from it. */
final class EncodedAnswers implements RequestHandler {
  private final RequestHandler handler;
  private final MessageCodec codec;

  EncodedAnswers(RequestHandler handler, MessageCodec codec) {
    this.handler = handler;
    this.codec = codec;
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    CompletableFuture<Response> passed = new CompletableFuture<>();
    CompletableFuture<Response> answer;
    try {
      answer = handler.handle(call);
    } catch (Throwable e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (response, failure) -> {
          try {
            byte[] message =
                failure == null
                    ? codec.encodeAnswer(response)
                    : codec.encodeError(Answers.error(failure));
            passed.complete(codec.decodeAnswer(message));
          } catch (Throwable e) {
            passed.completeExceptionally(Answers.error(e));
          }
        });
    return passed;
  }
}
