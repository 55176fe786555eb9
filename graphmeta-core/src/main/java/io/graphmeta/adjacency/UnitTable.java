package io.graphmeta.adjacency;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.protocol.AdjacencyStatistics;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The units of a cache in hash tables of open addressing, one for each section of the hashes, with
 * what they take in bytes. Readers, and threads that tell of changes, take no lock; a thread that
 * adds or evicts takes that of one section. The invariants stand at {@link AdjacencyCache}.
 *
 * <p>A slot never becomes empty again while its table lives: what was removed leaves {@link #GONE}
 * in its place, which is no unit of any vertex, so that a walk from the slot of a hash to the first
 * empty one meets every unit of the vertex. Tables are replaced as a whole, with the same units.
 */
final class UnitTable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[][].class);
  private static final VarHandle TABLE = MethodHandles.arrayElementVarHandle(long[][][].class);

  /** No vertex has key 0. */
  private static final long[] GONE = new long[Unit.HEADER];

  private static final int MAX_SECTION_BITS = 6;
  private static final int SECTION_BYTES = 1 << 20;
  private static final int FIRST_SLOTS = 16;
  private static final int MAX_SLOTS = 1 << 28;
  private static final int STRIPES = 1 << 14;
  private static final int MAX_CLOSED = 2;
  private static final long USUAL_UNIT_BYTES = 160;
  private static final int SLOT_BYTES = Runtime.getRuntime().maxMemory() < 32L << 30 ? 4 : 8;

  /** How an attempt to add a unit ended. */
  private enum Added {
    YES,
    REFUSED,
    NEEDS_ROOM
  }

  /** The state of a section. Its table is in {@link #tables}, and replaced under its lock. */
  private static final class Section {
    @GuardedBy("this")
    int units;

    /** Slots that are not empty, those of removed units included. */
    @GuardedBy("this")
    int taken;

    @GuardedBy("this")
    int hand;
  }

  private final long limitBytes;
  private final int sectionShift;
  private final Section[] sections;
  private final long[][][] tables;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger nextSection = new AtomicInteger();

  /** For each stripe of the hashes, the number of the newest change of a vertex in it. */
  private final AtomicLongArray changes = new AtomicLongArray(STRIPES);

  /**
   * Units by the number of their family. Counted before they can be found, so that who notes a
   * change and then finds none to cut leaves none: whoever adds one meanwhile sees the change.
   */
  private final AtomicLongArray unitCounts = new AtomicLongArray(Unit.FAMILIES);

  private final LongAdder loads = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private final LongAdder invalidations = new LongAdder();

  UnitTable(long limitBytes) {
    this.limitBytes = limitBytes;
    long wanted = Math.max(2, limitBytes / SECTION_BYTES);
    int bits = Math.min(MAX_SECTION_BITS, 63 - Long.numberOfLeadingZeros(wanted));
    sectionShift = 64 - bits;
    sections = new Section[1 << bits];
    tables = new long[sections.length][][];
    for (int i = 0; i < sections.length; i++) {
      sections[i] = new Section();
      tables[i] = new long[FIRST_SLOTS][];
      bytes.addAndGet(tableBytes(FIRST_SLOTS));
    }
  }

  private static long tableBytes(long slots) {
    return 16 + SLOT_BYTES * slots;
  }

  /** The hash of the units of a key that are made of rows of one family. */
  static long hash(long key, int familyNumber) {
    return (key ^ (long) familyNumber << 50) * 0x9E37_79B9_7F4A_7C15L;
  }

  private static long hash(long[] unit) {
    return hash(unit[Unit.KEY], Unit.familyNumber(Unit.tagOf(unit)));
  }

  private int section(long hash) {
    return (int) (hash >>> sectionShift);
  }

  private static int slot(long hash, int mask) {
    return (int) (hash >>> 29) & mask;
  }

  private static int stripe(long hash) {
    return (int) (hash >>> 20) & STRIPES - 1;
  }

  private long[][] table(int section) {
    return (long[][]) TABLE.getAcquire(tables, section);
  }

  // Reading

  /** A unit of a key with one of two tags that holds for a view, or null. */
  long @Nullable [] find(long vertex, int tag, int otherTag, long validAt, long knownAt) {
    long hash = hash(vertex, Unit.familyNumber(tag));
    long[][] table = table(section(hash));
    int mask = table.length - 1;
    int at = slot(hash, mask);
    long[] unit;
    while ((unit = (long[]) SLOT.getAcquire(table, at)) != null) {
      if (unit[Unit.KEY] == vertex) {
        int found = Unit.tagOf(unit);
        if ((found == tag || found == otherTag) && Unit.holdsFor(unit, validAt, knownAt)) {
          if (unit[Unit.USED] == 0) {
            unit[Unit.USED] = 1;
          }
          return unit;
        }
      }
      at = at + 1 & mask;
    }
    return null;
  }

  // Changes

  /** Notes the change of a number at a key. Numbers grow; one thread at a time. */
  void noteChange(long key, int familyNumber, long number) {
    changes.setOpaque(stripe(hash(key, familyNumber)), number);
  }

  /** Whether there are units of a family; to be asked behind a full fence, as {@link #cut}. */
  boolean hasUnits(int familyNumber) {
    return unitCounts.get(familyNumber) > 0;
  }

  private long unitCount() {
    long count = 0;
    for (int family = 0; family < Unit.FAMILIES; family++) {
      count += unitCounts.get(family);
    }
    return count;
  }

  /**
   * Lets the units of a key that are made of rows like one that was written no longer hold for
   * views that see it. After {@link #noteChange} for all changes and a full fence.
   *
   * @param labelId the label of an edge; 0 for none
   * @param body whether the row is a body
   */
  void cut(long key, int familyNumber, int labelId, boolean body, long valid, long committed) {
    long hash = hash(key, familyNumber);
    long[][] table = table(section(hash));
    int mask = table.length - 1;
    long[] unit;
    for (int at = slot(hash, mask);
        (unit = (long[]) SLOT.getAcquire(table, at)) != null;
        at = at + 1 & mask) {
      if (unit[Unit.KEY] == key && Unit.concerns(Unit.tagOf(unit), familyNumber, labelId, body)) {
        cut(unit, valid, committed);
      }
    }
  }

  /** Lets no unit of a key that is made of rows of a family hold for anybody. */
  void end(long key, int familyNumber) {
    long hash = hash(key, familyNumber);
    long[][] table = table(section(hash));
    int mask = table.length - 1;
    long[] unit;
    for (int at = slot(hash, mask);
        (unit = (long[]) SLOT.getAcquire(table, at)) != null;
        at = at + 1 & mask) {
      if (unit[Unit.KEY] == key && Unit.familyNumber(Unit.tagOf(unit)) == familyNumber) {
        cut(unit, Unit.NOBODY, Unit.NOBODY);
      }
    }
  }

  private void cut(long[] unit, long valid, long committed) {
    long validLimit = (long) Unit.ELEMENT.getVolatile(unit, Unit.VALID_LIMIT);
    if (validLimit == Unit.NOBODY) { // being added, or cut before
      Unit.ELEMENT.setVolatile(unit, Unit.KNOWN_LIMIT, Unit.NOBODY);
      return;
    }
    if (valid >= validLimit || committed >= unit[Unit.KNOWN_LIMIT]) {
      return;
    }
    if (validLimit == Long.MAX_VALUE) {
      invalidations.increment();
    }
    if (valid > unit[Unit.LEAST_VALID]) {
      Unit.ELEMENT.setVolatile(unit, Unit.VALID_LIMIT, valid);
    } else {
      Unit.ELEMENT.setVolatile(unit, Unit.KNOWN_LIMIT, committed);
    }
    unit[Unit.USED] = 0;
  }

  // Adding

  /**
   * Adds a unit that was read with a cursor opened after the change of a number.
   *
   * @return false if it is not in the table afterwards
   */
  boolean add(long[] unit, long seen) {
    long hash = hash(unit);
    int number = section(hash);
    Section section = sections[number];
    long size = Unit.sizeBytes(unit.length);
    if (size > maxUnitBytes()) {
      return false;
    }
    Added added = Added.NEEDS_ROOM;
    for (int tries = 0; added == Added.NEEDS_ROOM && tries < 3; tries++) {
      long growth;
      synchronized (section) {
        growth = growthBytes(section, number);
      }
      if (!reserve(size + growth)) {
        return false;
      }
      synchronized (section) {
        if (growthBytes(section, number) > growth) {
          release(size + growth);
        } else {
          long unused = growth - growthBytes(section, number);
          ensureSlot(section, number);
          added = insert(section, table(number), hash, unit, seen);
          release(added == Added.YES ? unused : unused + size);
        }
      }
    }
    if (added == Added.YES) {
      loads.increment();
    }
    return added == Added.YES;
  }

  /** The largest unit that is taken, in bytes. */
  long maxUnitBytes() {
    return limitBytes / 8;
  }

  /** True if so many more units of the size of the others would leave most of the others there. */
  boolean hasRoomFor(int units) {
    long there = unitCount();
    long each = there == 0 ? USUAL_UNIT_BYTES : Math.max(USUAL_UNIT_BYTES, bytes.get() / there);
    return each * units < limitBytes / 2;
  }

  @GuardedBy("section")
  private long growthBytes(Section section, int number) {
    int slots = table(number).length;
    int needed = slotsFor(section, slots);
    return needed > slots ? tableBytes(needed) - tableBytes(slots) : 0;
  }

  @GuardedBy("section")
  private static int slotsFor(Section section, int slots) {
    return section.taken * 2 >= slots && section.units * 4L >= slots && slots < MAX_SLOTS
        ? slots * 2
        : slots;
  }

  @GuardedBy("section")
  private void ensureSlot(Section section, int number) {
    long[][] old = table(number);
    if (section.taken * 2 < old.length) {
      return;
    }
    long[][] made = new long[slotsFor(section, old.length)][];
    int mask = made.length - 1;
    for (long[] unit : old) {
      if (unit != null && unit != GONE) {
        int at = slot(hash(unit), mask);
        while (made[at] != null) {
          at = at + 1 & mask;
        }
        made[at] = unit;
      }
    }
    section.taken = section.units;
    section.hand = 0;
    TABLE.setRelease(tables, number, made);
  }

  @GuardedBy("section")
  private Added insert(Section section, long[][] table, long hash, long[] unit, long seen) {
    int mask = table.length - 1;
    int free = -1;
    int closed = 0;
    int at = slot(hash, mask);
    for (long[] other; (other = table[at]) != null; at = at + 1 & mask) {
      boolean same =
          other[Unit.KEY] == unit[Unit.KEY] && other[Unit.TAG] << 32 == unit[Unit.TAG] << 32;
      if (same && covers(other, unit)) {
        return Added.REFUSED;
      }
      boolean replaced =
          same && isClosed(other) && (other[Unit.USED] == 0 || ++closed > MAX_CLOSED);
      if (replaced || (same && covers(unit, other))) {
        remove(section, table, at);
        other = GONE;
      }
      if (other == GONE && free < 0) {
        free = at;
      }
    }
    if (free < 0) {
      free = at;
      section.taken++;
    }
    long validLimit = unit[Unit.VALID_LIMIT];
    unit[Unit.VALID_LIMIT] = Unit.NOBODY;
    section.units++;
    unitCounts.incrementAndGet(Unit.familyNumber(Unit.tagOf(unit)));
    SLOT.setVolatile(table, free, unit);
    VarHandle.fullFence();
    if (changes.get(stripe(hash)) > seen) {
      remove(section, table, free);
      bytes.addAndGet(Unit.sizeBytes(unit.length)); // the caller, which reserved it, gives it back
      return Added.REFUSED;
    }
    Unit.ELEMENT.setVolatile(unit, Unit.VALID_LIMIT, validLimit);
    return Added.YES;
  }

  /** True if a unit does not hold for views of all that is to come. */
  private static boolean isClosed(long[] unit) {
    return unit[Unit.VALID_LIMIT] != Long.MAX_VALUE || unit[Unit.KNOWN_LIMIT] != Long.MAX_VALUE;
  }

  /** True if one unit holds for all views for which the other does. */
  private static boolean covers(long[] unit, long[] other) {
    return unit[Unit.LEAST_VALID] <= other[Unit.LEAST_VALID]
        && unit[Unit.LEAST_KNOWN] <= other[Unit.LEAST_KNOWN]
        && unit[Unit.VALID_LIMIT] >= other[Unit.VALID_LIMIT]
        && unit[Unit.KNOWN_LIMIT] >= other[Unit.KNOWN_LIMIT];
  }

  @GuardedBy("section")
  private void remove(Section section, long[][] table, int at) {
    long[] unit = table[at];
    SLOT.setRelease(table, at, GONE);
    section.units--;
    unitCounts.decrementAndGet(Unit.familyNumber(Unit.tagOf(unit)));
    release(Unit.sizeBytes(unit.length));
  }

  // Room

  private boolean reserve(long wanted) {
    int fruitless = 0;
    while (fruitless <= 2 * sections.length) {
      long now = bytes.get();
      if (now + wanted <= limitBytes) {
        if (bytes.compareAndSet(now, now + wanted)) {
          return true;
        }
      } else if (sweep(
          nextSection.getAndIncrement() & sections.length - 1, now + wanted - limitBytes)) {
        fruitless = 0;
      } else {
        fruitless++;
      }
    }
    return false;
  }

  private void release(long unused) {
    bytes.addAndGet(-unused);
  }

  /** Evicts units of a section until it has made room of a size; false if it has evicted none. */
  private boolean sweep(int number, long wanted) {
    Section section = sections[number];
    synchronized (section) {
      long[][] table = table(number);
      long made = 0;
      for (int steps = 2 * table.length; steps > 0 && section.units > 0 && made < wanted; steps--) {
        int at = section.hand++ & table.length - 1;
        long[] unit = table[at];
        if (unit == null || unit == GONE) {
          continue;
        }
        if (unit[Unit.USED] != 0) {
          unit[Unit.USED] = 0;
        } else {
          remove(section, table, at);
          evictions.increment();
          made += Unit.sizeBytes(unit.length);
        }
      }
      return made > 0;
    }
  }

  /** Removes all units, and lets none be added that was read before the change of a number. */
  void clear(long number) {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      changes.set(stripe, number);
    }
    for (int i = 0; i < sections.length; i++) {
      Section section = sections[i];
      synchronized (section) {
        long[][] table = table(i);
        for (int at = 0; at < table.length; at++) {
          if (table[at] != null && table[at] != GONE) {
            table[at][Unit.KNOWN_LIMIT] = Unit.NOBODY;
            remove(section, table, at);
          }
        }
        release(tableBytes(table.length) - tableBytes(FIRST_SLOTS));
        section.taken = 0;
        TABLE.setRelease(tables, i, new long[FIRST_SLOTS][]);
      }
    }
  }

  AdjacencyStatistics statistics(long hits, long misses, long rowHits, long rowMisses) {
    return new AdjacencyStatistics(
        hits,
        misses,
        rowHits,
        rowMisses,
        unitCount(),
        bytes.get(),
        limitBytes,
        loads.sum(),
        evictions.sum(),
        invalidations.sum());
  }
}
