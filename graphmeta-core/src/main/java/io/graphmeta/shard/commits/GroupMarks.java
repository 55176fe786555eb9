package io.graphmeta.shard.commits;

import java.util.Arrays;

/**
 * The scopes that the members of a group change, while their entry is not in the log: seen only by
 * later members of the same group. Handed to the {@link ConflictWindow} when the entry is appended,
 * forgotten if it is not. Guarded by the lock of its {@link CommitPipeline}.
 */
final class GroupMarks {
  private static final int ROOM = 64;
  private static final int MAX_ROOM_KEPT = 1 << 16;

  private long[] scopes = new long[ROOM];
  private long[] stamps = new long[ROOM];

  /** For each slot of a hash table one more than the index of a scope, or 0. */
  private int[] table = new int[2 * ROOM];

  private int size;

  /** Number of scopes. */
  int size() {
    return size;
  }

  /** Makes room, so that so many scopes more can be added without memory. */
  void reserve(int more) {
    int wanted = Math.addExact(size, more);
    if (wanted > scopes.length) {
      int room = Integer.highestOneBit(Math.max(1, wanted - 1)) << 1;
      long[] newScopes = Arrays.copyOf(scopes, room);
      long[] newStamps = Arrays.copyOf(stamps, room);
      int[] newTable = new int[2 * room];
      for (int i = 0; i < size; i++) {
        newTable[slot(newTable, newScopes, newScopes[i])] = i + 1;
      }
      scopes = newScopes;
      stamps = newStamps;
      table = newTable;
    }
  }

  /** Records a change; there must be room. */
  void mark(long scope, long stamp) {
    int slot = slot(table, scopes, scope);
    if (table[slot] != 0) {
      stamps[table[slot] - 1] = stamp;
      return;
    }
    scopes[size] = scope;
    stamps[size] = stamp;
    table[slot] = ++size;
  }

  /** The stamp of the last change of a scope, or 0. */
  long lastChange(long scope) {
    if (size == 0) {
      return 0;
    }
    int index = table[slot(table, scopes, scope)] - 1;
    return index < 0 ? 0 : stamps[index];
  }

  private static int slot(int[] table, long[] scopes, long scope) {
    int mask = table.length - 1;
    int at = (int) (scope ^ scope >>> 32) & mask;
    while (table[at] != 0 && scopes[table[at] - 1] != scope) {
      at = at + 1 & mask;
    }
    return at;
  }

  /** Hands all to a window, which has room for them. */
  void moveTo(ConflictWindow window) {
    for (int i = 0; i < size; i++) {
      window.mark(scopes[i], stamps[i]);
    }
    clear();
  }

  /** Forgets all, the last one first, so that none is passed over by the search for another. */
  void clear() {
    while (size > 0) {
      table[slot(table, scopes, scopes[size - 1])] = 0;
      size--;
    }
  }

  /** Gives back room that only a large group needs. There must be no scope. */
  void shrink() {
    if (scopes.length > MAX_ROOM_KEPT) {
      table = new int[2 * ROOM];
      stamps = new long[ROOM];
      scopes = new long[ROOM];
    }
  }
}
