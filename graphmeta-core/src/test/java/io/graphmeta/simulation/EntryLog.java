package io.graphmeta.simulation;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries that one member of a group has, on its disk, from where its log was cut on. */
final class EntryLog {
  private final TreeMap<Long, GroupEntry> entries = new TreeMap<>();

  /** The last entry before those that are here. */
  private long cutIndex;

  private long cutTerm;
  private Members cutMembers;

  EntryLog(Members members) {
    cutMembers = members;
  }

  /** The last entry that is not here any more. */
  long cutIndex() {
    return cutIndex;
  }

  long lastIndex() {
    return entries.isEmpty() ? cutIndex : entries.lastKey();
  }

  long lastTerm() {
    return entries.isEmpty() ? cutTerm : entries.lastEntry().getValue().term();
  }

  /** The term of an entry, or -1 if it is not known. */
  long term(long index) {
    GroupEntry entry = entries.get(index);
    return entry != null ? entry.term() : index == cutIndex ? cutTerm : -1;
  }

  @Nullable GroupEntry get(long index) {
    return entries.get(index);
  }

  List<GroupEntry> from(long index) {
    return List.copyOf(entries.tailMap(index, true).values());
  }

  /** The members by the last entry that changed them, agreed on or not. */
  Members members() {
    return membersAt(Long.MAX_VALUE);
  }

  /** The members by the entries up to one. */
  Members membersAt(long index) {
    for (GroupEntry entry : entries.headMap(index, true).descendingMap().values()) {
      if (entry.members() != null) {
        return entry.members();
      }
    }
    return cutMembers;
  }

  /** The index of the entry that changed the members last. */
  long membersIndex() {
    for (GroupEntry entry : entries.descendingMap().values()) {
      if (entry.members() != null) {
        return entry.index();
      }
    }
    return cutIndex;
  }

  void add(GroupEntry entry) {
    if (entry.index() != lastIndex() + 1) {
      throw new IllegalStateException(entry + " does not follow " + lastIndex());
    }
    entries.put(entry.index(), entry);
  }

  /** Takes an entry away, and all behind it. */
  void removeFrom(long index) {
    entries.tailMap(index, true).clear();
  }

  /** Cuts what lies up to an entry. */
  void cut(long upTo) {
    if (upTo > cutIndex) {
      long term = term(upTo);
      cutMembers = membersAt(upTo);
      cutTerm = term;
      cutIndex = upTo;
      entries.headMap(upTo, true).clear();
    }
  }

  /** Begins behind a place that a copied store has reached, with what is there of it. */
  void beginBehind(long index, long term, Members members) {
    if (term(index) == term) {
      cut(index);
    } else {
      entries.clear();
      cutIndex = index;
      cutTerm = term;
      cutMembers = members;
    }
  }
}
