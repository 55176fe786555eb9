package io.graphmeta.recording;

import io.graphmeta.stability.Experimental;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Rows of vertices, edges or ids that were not in the cache were read from the store. Belongs to
 * one thread.
 */
@Name("graphmeta.RowRead")
@Label("Read of Rows")
@Description("Rows of vertices, edges or ids that were not in memory were read")
@Category({"GraphMeta", "Reads"})
@StackTrace(false)
@Experimental
public final class RowReadEvent extends Event {
  @Label("Shard")
  private int shard;

  @Label("Family")
  @Description("The family of rows")
  private String family = "";

  @Label("Elements")
  @Description("Vertices, vertices whose edges were read, edges, or ids")
  private long elements;

  private RowReadEvent() {}

  /** A read begins. */
  public static RowReadEvent begun() {
    RowReadEvent event = new RowReadEvent();
    event.begin();
    return event;
  }

  /** The rows were read. */
  public void done(int ofShard, String ofFamily, long elementCount) {
    end();
    if (shouldCommit()) {
      shard = ofShard;
      family = ofFamily;
      elements = elementCount;
      commit();
    }
  }
}
