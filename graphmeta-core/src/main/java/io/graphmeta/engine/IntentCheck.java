package io.graphmeta.engine;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.shard.commits.StoredIntent;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks the parts of transactions over several shards that are kept as intents. At and below the
 * stamp of the check every outcome is known and the rows of aborted parts are removed: an intent
 * there belongs to a committed transaction. So each of its participants has its part too, unless it
 * has forgotten it, which it may when the watermarks of all have passed the stamp; and the rows of
 * the part are there, or where they were moved to since. Belongs to one thread.
 */
final class IntentCheck {
  private final Router router;
  private final StoreProbe probe;
  private final CheckFaults faults;
  private final long stamp;
  private final long recoveryMillis;
  private long count;

  /**
   * A check of intents.
   *
   * @param stamp that of the check
   * @param recoveryMillis time within which a shard learns the outcome of a part
   */
  IntentCheck(
      Router router, StoreProbe probe, CheckFaults faults, long stamp, long recoveryMillis) {
    this.router = router;
    this.probe = probe;
    this.faults = faults;
    this.stamp = stamp;
    this.recoveryMillis = recoveryMillis;
  }

  /** Number of intents. */
  long count() {
    return count;
  }

  /** Checks that no part of a shard waits for its outcome longer than it may. */
  void checkAges(int shard) {
    Response.Status status = probe.ask(shard, new Request.ReadStatus(), Response.Status.class);
    if (status != null && status.openIntents() > 0 && status.oldestOpenMillis() > recoveryMillis) {
      faults.add(
          "Shard "
              + shard
              + " has waited for the outcome of a transaction for "
              + status.oldestOpenMillis()
              + " ms; "
              + status.openIntents()
              + " of its parts are open");
    }
  }

  /** Checks the intents in a page of META. */
  void page(int shard, Response.Rows page) {
    Map<Integer, List<byte[]>> keysElsewhere = new TreeMap<>();
    Map<Integer, List<StoredIntent>> elsewhere = new TreeMap<>();
    for (int i = 0; i < page.keys().length; i++) {
      if (!StoredIntent.isKey(page.keys()[i])) {
        continue;
      }
      count++;
      StoredIntent intent;
      try {
        intent = StoredIntent.read(page.keys()[i], page.values()[i]);
      } catch (GraphMetaException e) {
        faults.add("An intent on shard " + shard + " cannot be read: " + e.getMessage());
        continue;
      }
      if (intent.id().stamp() > stamp || !hasParticipants(shard, intent)) {
        continue;
      }
      checkRows(shard, intent);
      for (int participant : intent.participants()) {
        if (participant != shard) {
          keysElsewhere.computeIfAbsent(participant, p -> new ArrayList<>()).add(page.keys()[i]);
          elsewhere.computeIfAbsent(participant, p -> new ArrayList<>()).add(intent);
        }
      }
    }
    elsewhere.forEach(
        (participant, intents) ->
            checkHeld(participant, intents, keysElsewhere.getOrDefault(participant, List.of())));
  }

  private boolean hasParticipants(int shard, StoredIntent intent) {
    boolean own = false;
    for (int participant : intent.participants()) {
      own |= participant == shard;
      if (participant < 0 || participant >= router.shards()) {
        faults.add(shown(intent) + " names shard " + participant + ", which there is not");
        return false;
      }
    }
    if (!own) {
      faults.add(
          shown(intent) + " is no transaction of shard " + shard + ", where its intent lies");
    }
    return own;
  }

  private void checkRows(int shard, StoredIntent intent) {
    Map<Family, List<byte[]>> keys = new TreeMap<>();
    for (StoredIntent.Row row : intent.rows()) {
      // What indexes have taken in is not listed any more.
      if (row.family() != Family.CHANGED) {
        keys.computeIfAbsent(row.family(), family -> new ArrayList<>()).add(row.key());
      }
    }
    keys.forEach(
        (family, some) -> {
          byte[][] values = probe.values(shard, family, some);
          for (int i = 0; values != null && i < values.length; i++) {
            if (values[i].length == 0 && !isElsewhere(family, some.get(i))) {
              faults.add(shown(intent) + " has lost a row of " + family + " on shard " + shard);
            }
          }
        });
  }

  /** Whether a row was moved to another shard, or to one that is away. */
  private boolean isElsewhere(Family family, byte[] key) {
    if (family != Family.OUT && family != Family.IN) {
      return false;
    }
    byte[] now = probe.valueNow(family, key);
    return now == null || now.length > 0;
  }

  private void checkHeld(int participant, List<StoredIntent> intents, List<byte[]> keys) {
    byte[][] held = probe.values(participant, Family.META, keys);
    for (int i = 0; held != null && i < held.length; i++) {
      if (held[i].length == 0 && !isForgettable(intents.get(i))) {
        faults.add(shown(intents.get(i)) + " has no part on shard " + participant);
      }
    }
  }

  /**
   * True if all participants have noted its outcome, but for those that are away; asked for after a
   * part was missed.
   */
  private boolean isForgettable(StoredIntent intent) {
    for (int participant : intent.participants()) {
      Response.Stamped watermark =
          probe.ask(participant, new Request.ReadWatermark(), Response.Stamped.class);
      if (watermark != null && watermark.stamp() < intent.id().stamp()) {
        return false;
      }
    }
    return true;
  }

  private static String shown(StoredIntent intent) {
    return "Transaction " + intent.id();
  }
}
