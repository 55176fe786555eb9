package io.graphmeta.server.gremlin.run;

import java.util.List;
import java.util.function.Supplier;

/**
 * Where the answer to one query goes: some messages with results, of which the last is marked, or a
 * failure. Used by the thread that evaluates the query; a failure can come from another thread.
 */
public interface Reply {
  /** An answer in the bytes of the protocol, ready to be sent. Either sent or discarded, once. */
  interface Message {
    void send();

    void discard();
  }

  /** True while the client can receive the answer. */
  boolean isOpen();

  /** Most results in one message. */
  int batchSize(int asked);

  /**
   * Puts results behind which others follow into the bytes of the protocol, on the thread whose
   * transaction they were read in.
   *
   * @throws io.graphmeta.server.gremlin.rules.Refusal if the message becomes larger than allowed
   */
  Message results(List<Object> results);

  /**
   * As {@link #results}, of the last ones.
   *
   * @param commits whether the query is committed between this and the sending
   * @param session tells what the session has seen: asked now, while the transaction is open whose
   *     snapshot was read; if the query is committed, when the message is sent
   */
  Message last(List<Object> results, boolean commits, Supplier<String> session);

  /**
   * Waits until the client has taken what was sent before.
   *
   * @throws InterruptedException if the query is cancelled
   */
  void awaitClient() throws InterruptedException;

  /** Tells the client that the query failed. */
  void failed(Failure failure);
}
