package io.graphmeta.shard.commits;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part whose place a later attempt of its transaction takes, in one entry of the log: the rows of
 * one go, and those of the other come. What the later one has to bring back, should it come to
 * nothing too, is what was there before the first. Of one staging, under the lock of the {@link
 * CommitPipeline}.
 */
final class ReplacedPart {
  final Intent intent;
  private final HeldScopes scopes = new HeldScopes();
  private final Map<Family, Map<ByteBuffer, Before>> rows = new EnumMap<>(Family.class);

  private record Before(byte @Nullable [] value) {}

  private ReplacedPart(Intent intent) {
    this.intent = intent;
    scopes.hold(intent.marks);
    intent.forEachRow(
        (family, key, before) ->
            rows.computeIfAbsent(family, f -> new HashMap<>())
                .put(ByteBuffer.wrap(key), new Before(before)));
  }

  /**
   * The part, if its place can be taken in one entry; null if it must be gone before the next is
   * checked: a part with splits, which say where entries are from when they are ordered.
   */
  static @Nullable ReplacedPart of(@Nullable Intent intent) {
    ReplacedPart replaced = intent == null ? null : new ReplacedPart(intent);
    return replaced == null || replaced.rows.containsKey(Family.SPLITS) ? null : replaced;
  }

  /** How often it holds a scope. */
  int count(long scope) {
    return scopes.count(scope);
  }

  /** What is in the place of a row of a store without what the part wrote. */
  byte @Nullable [] before(Family family, byte[] key, StorageEngine storage) {
    Before before = rows.getOrDefault(family, Map.of()).get(ByteBuffer.wrap(key));
    return before == null ? storage.get(family, key) : before.value;
  }
}
