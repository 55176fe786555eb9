package io.graphmeta.stage.level;

import io.graphmeta.protocol.FrontierPart;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What other shards have sent to one traversal and what its levels have not taken yet. Messages
 * come at any time, from any thread.
 */
public interface Intake {
  /** Takes away the elements that a level begins with. */
  List<FrontierPart> take(int level);

  /** Takes away the messages that are to be worked on within the level that is under way. */
  List<SentOn> takeWithinLevel();

  /** The level within which a message is to be worked on; -1 if there is no such message. */
  int levelWithin();

  /** Number of elements that were not taken yet. */
  long size();

  /** Shows the vertices that wait at each position for levels to come. */
  void forEachVertices(BiConsumer<Integer, long[]> visitor);

  /**
   * A message that is to be worked on within a level.
   *
   * @param sender tells the message from the other messages of the traversal
   * @param level that it belongs to
   */
  record SentOn(long sender, int level, List<FrontierPart> parts) {}
}
