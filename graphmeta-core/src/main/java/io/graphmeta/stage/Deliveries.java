package io.graphmeta.stage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.stage.flow.HoldLimit;
import io.graphmeta.stage.level.Intake;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What other shards have sent to one traversal and what was not taken yet: elements for levels to
 * come, and elements that make a hop within a level. Each message counts once, however often it
 * comes. Safe for use by many threads.
 */
final class Deliveries implements Intake {
  private final long maxElements;

  @GuardedBy("this")
  private final Set<Long> received = new HashSet<>();

  @GuardedBy("this")
  private final Map<Integer, List<FrontierPart>> byLevel = new HashMap<>();

  @GuardedBy("this")
  private List<SentOn> withinLevel = new ArrayList<>();

  @GuardedBy("this")
  private long elements;

  /**
   * None yet.
   *
   * @param maxElements most that are held at a time
   */
  Deliveries(long maxElements) {
    this.maxElements = maxElements;
  }

  /** A number that tells a message from the other messages of its traversal. */
  static long sender(Request.Deliver deliver) {
    return (long) deliver.from() << 32 | deliver.number();
  }

  /** Whether elements are sent on within a level; all of a message are, or none. */
  static boolean isWithinLevel(Request.Deliver deliver) {
    return !deliver.parts().isEmpty() && Program.isPart(deliver.parts().get(0).position());
  }

  private static long size(List<FrontierPart> parts) {
    long size = 0;
    for (FrontierPart part : parts) {
      size += part.size();
    }
    return size;
  }

  /** Takes a message; false if it has come before. */
  synchronized boolean add(Request.Deliver deliver) {
    long size = size(deliver.parts());
    HoldLimit.require(elements + size, maxElements);
    if (!received.add(sender(deliver))) {
      return false;
    }
    elements += size;
    if (isWithinLevel(deliver)) {
      withinLevel.add(new SentOn(sender(deliver), deliver.level(), deliver.parts()));
    } else {
      byLevel.computeIfAbsent(deliver.level(), any -> new ArrayList<>()).addAll(deliver.parts());
    }
    return true;
  }

  @Override
  public synchronized List<FrontierPart> take(int level) {
    List<FrontierPart> parts = byLevel.remove(level);
    if (parts == null) {
      return List.of();
    }
    elements -= size(parts);
    return parts;
  }

  @Override
  public synchronized List<SentOn> takeWithinLevel() {
    List<SentOn> taken = withinLevel;
    withinLevel = new ArrayList<>();
    for (SentOn message : taken) {
      elements -= size(message.parts());
    }
    return taken;
  }

  /** Whether there is something to be worked on within a level. */
  synchronized boolean hasWithinLevel() {
    return !withinLevel.isEmpty();
  }

  @Override
  public synchronized int levelWithin() {
    return withinLevel.isEmpty() ? -1 : withinLevel.get(0).level();
  }

  @Override
  public synchronized long size() {
    return elements;
  }

  @Override
  public synchronized void forEachVertices(BiConsumer<Integer, long[]> visitor) {
    for (List<FrontierPart> parts : byLevel.values()) {
      parts.forEach(part -> visitor.accept(part.position(), part.vertices()));
    }
  }
}
