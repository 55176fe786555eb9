package io.graphmeta.shard.commits;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A commit, or a part, on its way through a {@link CommitPipeline}, whose lock guards it. */
final class Submission extends AnsweringLock.Answer {
  final Request.@Nullable Commit commit;
  final Request.@Nullable Prepare prepare;
  final CompletableFuture<Response> answer = new CompletableFuture<>();

  /** True once it was taken from the queue. */
  boolean taken;

  /** What is answered when its group is durable. */
  @Nullable Response response;

  /** Why it failed, or is refused for ever; answered in the place of a response. */
  @Nullable Throwable failure;

  /** The next member of its group. */
  @Nullable Submission next;

  Submission(Request.@Nullable Commit commit, Request.@Nullable Prepare prepare) {
    this.commit = commit;
    this.prepare = prepare;
  }

  @Override
  void give() {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(response);
    }
  }
}
