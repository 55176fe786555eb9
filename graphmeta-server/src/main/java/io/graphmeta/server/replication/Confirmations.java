package io.graphmeta.server.replication;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers all who ask meanwhile by one question, which begins when the one before it is over: so it
 * begins after each of them has asked. Safe for use by many threads.
 */
final class Confirmations {
  private final Supplier<CompletableFuture<Void>> question;
  private final Object monitor = new Object();

  /** For those who ask while a question is under way. */
  @GuardedBy("monitor")
  private @Nullable CompletableFuture<Void> next;

  @GuardedBy("monitor")
  private boolean asking;

  Confirmations(Supplier<CompletableFuture<Void>> question) {
    this.question = question;
  }

  /** Completes, or fails, as a question that begins after this call. */
  CompletableFuture<Void> ask() {
    CompletableFuture<Void> own;
    synchronized (monitor) {
      if (asking) {
        next = next == null ? new CompletableFuture<>() : next;
        return next.copy();
      }
      asking = true;
      own = new CompletableFuture<>();
    }
    ask(own);
    return own.copy();
  }

  private void ask(CompletableFuture<Void> asked) {
    CompletableFuture<Void> answer;
    try {
      answer = question.get();
    } catch (Throwable e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete((done, failure) -> answered(asked, failure));
  }

  private void answered(CompletableFuture<Void> asked, @Nullable Throwable failure) {
    CompletableFuture<Void> following;
    synchronized (monitor) {
      following = next;
      next = null;
      asking = following != null;
    }
    try {
      if (failure == null) {
        asked.complete(null);
      } else {
        asked.completeExceptionally(failure);
      }
    } finally {
      if (following != null) {
        ask(following);
      }
    }
  }
}
