package io.graphmeta.server.gremlin.run;

import java.util.List;

/** Where the answer to one query goes. Used by the thread that evaluates. */
public interface Reply {
  /** An answer in the form of the wire, ready to be sent; either sent or discarded, once. */
  interface Message {
    void send();

    void discard();
  }

  /** True while someone can receive the answer. */
  boolean isOpen();

  /** Most results in one message. */
  int batchSize(int asked);

  /**
   * Puts results into the form of the wire, on the thread whose transaction they were read in.
   *
   * @param last whether no results follow
   * @throws Refusal if the message becomes larger than allowed
   */
  Message results(List<Object> results, boolean last);

  /**
   * Waits until the client has taken what was sent before.
   *
   * @throws InterruptedException if the query is cancelled
   */
  void awaitClient() throws InterruptedException;

  /** Tells the client that the query failed. */
  void failed(Failure failure);
}
