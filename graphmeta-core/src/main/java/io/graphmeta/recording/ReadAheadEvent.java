package io.graphmeta.recording;

import io.graphmeta.protocol.TraversalId;
import io.graphmeta.stability.Experimental;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Neighbours of vertices that wait for the next level of a traversal were read while the traversal
 * waited. Belongs to one thread.
 */
@Name("graphmeta.ReadAhead")
@Label("Read Ahead")
@Description("Neighbours of vertices that wait for a level were read while the traversal waited")
@Category({"GraphMeta", "Reads"})
@StackTrace(false)
@Experimental
public final class ReadAheadEvent extends Event {
  @Label("Shard")
  private int shard;

  @Label("Client")
  @Description("A number that no other client has")
  private long client;

  @Label("Traversal")
  @Description("Counts the traversals of the client")
  private long traversal;

  @Label("Vertices")
  @Description("Vertices whose neighbours were not in memory")
  private long vertices;

  @Label("Bytes Read")
  @Description("Bytes of keys that were read from the store")
  @DataAmount
  private long bytes;

  private ReadAheadEvent() {}

  /** The read of a batch begins. */
  public static ReadAheadEvent begun() {
    ReadAheadEvent event = new ReadAheadEvent();
    event.begin();
    return event;
  }

  /** The neighbours of a vertex were read from the store. */
  public void addVertex() {
    vertices++;
  }

  /** The batch is over; nothing is told if all was in memory. */
  public void done(int ofShard, TraversalId id, long byteCount) {
    end();
    if (vertices > 0 && shouldCommit()) {
      shard = ofShard;
      client = id.client();
      traversal = id.number();
      bytes = byteCount;
      commit();
    }
  }
}
