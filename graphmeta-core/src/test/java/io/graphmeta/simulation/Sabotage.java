package io.graphmeta.simulation;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.shard.index.IndexSource;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.List;

/** Where a defect can be planted: at the ports. This one plants none. */
class Sabotage {
  static final Sabotage NONE = new Sabotage();

  /** What clients and other shards reach of a shard. */
  RequestHandler handler(int number, RequestHandler shard) {
    return shard;
  }

  /** What a shard writes to. */
  ReplicationLog log(int shard, ReplicationLog log) {
    return log;
  }

  /** What a shard and its log read and write. */
  StorageEngine storage(int shard, StorageEngine storage) {
    return storage;
  }

  /** What a shard takes the time from. */
  InstantSource clock(int shard, InstantSource clock) {
    return clock;
  }

  /**
   * Time until an entry of a log is applied, at most; 0 for at once: as the seed draws it where
   * nothing is planted, and as a defect needs it.
   */
  long applyMicros(long drawn) {
    return this == NONE ? drawn : 0;
  }

  /** Whether shards have replicas; as for {@link #applyMicros}. */
  boolean isReplicated(boolean drawn) {
    return drawn && this == NONE;
  }

  /** Where a shard gets its index from. */
  IndexSource index(int shard, IndexSource source) {
    return source;
  }

  /**
   * Whether shards have indexes: where the seed draws it and nothing is planted, and where a defect
   * needs it.
   */
  boolean isIndexed(boolean drawn) {
    return drawn && this == NONE;
  }

  /** What a client sends by. */
  Transport transport(int client, Transport transport) {
    return transport;
  }

  /** What a shard sends to the others by. */
  Transport peers(int shard, Transport transport) {
    return transport;
  }

  /** What a client finds shards by. */
  VirtualNodeMap map(int client, VirtualNodeMap map) {
    return map;
  }

  /** The world in which the defect shows. */
  Options world(Options drawn) {
    return drawn;
  }

  /** The chance that a call of a port fails. */
  double portFaults(double drawn) {
    return drawn;
  }

  /** Time between the looks at the logs of one shard and the next, when they are cut. */
  long cutMicros() {
    return 0;
  }

  /** True if all that a store finds when it is opened is on its disk before it answers. */
  boolean opensSynced() {
    return true;
  }

  /** True for worlds in which shards often lose their power when others may forget for them. */
  boolean losesPowerWhenTold() {
    return false;
  }

  /** True for disks whose store has no checksums. */
  boolean showsTornEntries() {
    return false;
  }

  // What replicas do

  /** Whether clients read the past at any replicas; as for {@link #applyMicros}. */
  boolean readsNearby(boolean drawn) {
    return drawn && this == NONE;
  }

  /** What replicas that follow are told of an entry. */
  RowBatch toldFollowers(RowBatch entry) {
    return entry;
  }

  /** True for worlds in which most trouble is a leader that is cut off and goes on answering. */
  boolean keepsFormerLeaders() {
    return false;
  }

  /** True for worlds in which replicas move all the time, and those that have left stay long. */
  boolean movesReplicas() {
    return false;
  }

  /** True for worlds in which clients wait until another replica leads. */
  boolean waitsForLeaders() {
    return false;
  }

  /** True for an entry over which another member wants to lead. */
  boolean isDisturbed(RowBatch entry) {
    return false;
  }

  /**
   * The members that a leader asks whether it still leads.
   *
   * @param placement as it was when it came to lead
   */
  Members confirming(Members ofGroup, List<Integer> placement) {
    return ofGroup;
  }

  /** True for stores that take the place of an entry apart from its rows. */
  boolean writesPlacesApart() {
    return false;
  }

  /** True if a copy is put in the place of a store whatever it is used for. */
  boolean copiesUnderLeaders() {
    return false;
  }

  /** True if a copy counts as being where its giver was when it was whole. */
  boolean tellsCopiesEarly() {
    return false;
  }

  /** True if who leads no more goes on answering as before. */
  boolean servesOn() {
    return false;
  }

  /** True if a replica leads only when its clock has reached the stamps that were handed out. */
  boolean waitsForClocks() {
    return true;
  }
}
