package io.graphmeta.recording;

import io.graphmeta.stability.Experimental;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Lists of neighbours that were not in the cache were read from the store, and who asked for them
 * waited. Belongs to one thread.
 */
@Name("graphmeta.NeighbourRead")
@Label("Read of Neighbours")
@Description("Lists of neighbours that were not in memory were read, and a caller waited for them")
@Category({"GraphMeta", "Reads"})
@StackTrace(false)
@Experimental
public final class NeighbourReadEvent extends Event {
  @Label("Shard")
  private int shard;

  @Label("Outgoing")
  @Description("Whether edges were followed from source to destination")
  private boolean outgoing;

  @Label("Lists")
  @Description("Lists of neighbours, one for each vertex and label that was asked for")
  private long lists;

  @Label("Edges Read")
  private long edges;

  @Label("Bytes Read")
  @Description("Bytes of keys that were read from the store")
  @DataAmount
  private long bytes;

  private NeighbourReadEvent() {}

  /** A read begins. */
  public static NeighbourReadEvent begun() {
    NeighbourReadEvent event = new NeighbourReadEvent();
    event.begin();
    return event;
  }

  /** The neighbours were read. */
  public void done(int ofShard, boolean out, long listCount, long edgeCount, long byteCount) {
    end();
    if (shouldCommit()) {
      shard = ofShard;
      outgoing = out;
      lists = listCount;
      edges = edgeCount;
      bytes = byteCount;
      commit();
    }
  }
}
