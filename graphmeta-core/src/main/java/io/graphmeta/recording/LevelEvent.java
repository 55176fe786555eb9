package io.graphmeta.recording;

import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.stability.Experimental;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A shard ran a level of a traversal, or a part of one. Belongs to one thread. */
@Name("graphmeta.Level")
@Label("Level of a Traversal")
@Description("A shard ran a level of a traversal, or a part of one")
@Category({"GraphMeta", "Traversals"})
@StackTrace(false)
@Experimental
public final class LevelEvent extends Event {
  @Label("Shard")
  private int shard;

  @Label("Client")
  @Description("A number that no other client has")
  private long client;

  @Label("Traversal")
  @Description("Counts the traversals of the client")
  private long traversal;

  @Label("Level")
  @Description("From 0; always 0 if the traversal has no levels")
  private int level;

  @Label("Manner")
  @Description("How the levels of the traversal follow one another")
  private String manner = "";

  @Label("Sent On")
  @Description("Only what other shards had sent on within the level was worked off")
  private boolean sentOn;

  @Label("Elements Taken")
  @Description("Elements that had arrived, equal ones counted once")
  private long taken;

  @Label("Messages Sent")
  @Description("Messages to other shards")
  private long sent;

  @Label("Edges Read")
  private long edges;

  @Label("Bytes Read")
  @Description("Bytes of keys that were read from the store")
  @DataAmount
  private long bytes;

  @Label("Cache Hits")
  @Description("Lists of neighbours that were in memory")
  private long hits;

  @Label("Cache Misses")
  @Description("Lists of neighbours that were read from the store")
  private long misses;

  private LevelEvent() {}

  /** A level begins. */
  public static LevelEvent begun() {
    LevelEvent event = new LevelEvent();
    event.begin();
    return event;
  }

  /**
   * The level is over.
   *
   * @param within whether it was only what other shards had sent on within the level
   */
  public void done(
      int ofShard, TraversalId id, int number, Manner how, boolean within, LevelWork work) {
    end();
    if (!shouldCommit()) {
      return;
    }
    shard = ofShard;
    client = id.client();
    traversal = id.number();
    level = number;
    manner = how.name();
    sentOn = within;
    taken = work.frontier();
    sent = work.messages();
    edges = work.edges();
    bytes = work.bytes();
    hits = work.cacheHits();
    misses = work.cacheMisses();
    commit();
  }
}
