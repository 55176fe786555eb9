package io.graphmeta.simulation;

import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction of a client as the simulation saw it from outside. */
final class Txn {
  /** What the client was told. */
  enum Status {
    /** Nothing yet. */
    RUNNING,
    /** Committed at a stamp. */
    ACKNOWLEDGED,
    /** Not committed, and it never will be. */
    REFUSED,
    /** The client cannot tell, or died. */
    UNKNOWN,
    /** There was nothing to commit. */
    READ_ONLY
  }

  final String name;
  final int client;
  final long snapshot;

  /** How many transactions had been told to be committed when it asked for its commit. */
  int acknowledgedBefore;

  /** What it wrote, in order. */
  final List<Element.Fact> facts = new ArrayList<>();

  final List<Attempt> attempts = new ArrayList<>();
  Status status = Status.RUNNING;

  /** Its stamp if acknowledged, or once it is found on disk; else 0. */
  long stamp;

  /** The number of the loss of power of all shards after which it ended. */
  int era;

  /** How often leases had been lost when it began. */
  int lostLeases;

  Txn(String name, int client, long snapshot) {
    this.name = name;
    this.client = client;
    this.snapshot = snapshot;
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * One try to commit, as sent.
   *
   * @param id null for a commit on one shard, which is known by its token
   * @param participants how many shards it writes to
   * @param parts rows by shard, as far as they were sent
   */
  record Attempt(
      @Nullable TransactionId id, long token, int participants, Map<Integer, StagedRows> parts) {
    static Attempt single(long token, int shard, StagedRows rows) {
      return new Attempt(null, token, 1, Map.of(shard, rows));
    }

    static Attempt over(TransactionId id, int participants) {
      return new Attempt(id, 0, participants, new TreeMap<>());
    }
  }
}
