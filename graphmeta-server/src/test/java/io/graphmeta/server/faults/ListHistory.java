package io.graphmeta.server.faults;

import io.graphmeta.simulation.IsolationChecker;
import io.graphmeta.simulation.IsolationChecker.Anomaly;
import io.graphmeta.simulation.IsolationChecker.Member;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What clients did to lists and were told, and what is wrong with it.
 *
 * <p>A list is a text of items, each with a semicolon behind it; who appends one reads all and
 * writes all. An item is the number of the transaction that appended it, which appends one item at
 * most to a list. So the list as it is in the end tells the order of all versions, and what became
 * of a transaction of which nobody was told. Every list that was read must be a beginning of it.
 *
 * <p>Safe for use by many threads as long as it is added to.
 */
final class ListHistory {
  private final ConcurrentLinkedQueue<Transaction> transactions = new ConcurrentLinkedQueue<>();

  /** What a client was told of a transaction. */
  enum Outcome {
    /** It is committed. */
    ACKNOWLEDGED,
    /** It is not, and never will be. */
    REFUSED,
    /** Nobody knows. */
    UNKNOWN
  }

  /**
   * A list as it was read, by its length and hash: histories are long.
   *
   * @param last the item at its end; empty if the list was
   */
  record Read(String list, int length, int hash, String last) {
    static Read of(String list, String text) {
      return new Read(list, text.length(), text.hashCode(), end(text));
    }

    private static String end(String text) {
      return text.isEmpty()
          ? ""
          : text.substring(text.lastIndexOf(';', text.length() - 2) + 1, text.length() - 1);
    }
  }

  /**
   * A transaction that is over.
   *
   * @param number of it, which no other has
   * @param session the greatest stamp that its client had been told of when it began
   * @param told the greatest stamp that any client had been told of then
   * @param snapshot the stamp that it read at
   * @param stamp of its commit, if that was acknowledged
   * @param appended the lists to which it appended its number
   */
  record Transaction(
      long number,
      long session,
      long told,
      long snapshot,
      Outcome outcome,
      long stamp,
      List<Read> reads,
      Set<String> appended) {
    String item() {
      return Long.toString(number);
    }
  }

  void add(Transaction transaction) {
    transactions.add(transaction);
  }

  int size() {
    return transactions.size();
  }

  long count(Outcome outcome) {
    return transactions.stream().filter(each -> each.outcome == outcome).count();
  }

  /**
   * By how much snapshots were older than what another client had been told of by then, in
   * microseconds, each that was. A shard may give one while it takes commits (ADR 0031).
   */
  List<Long> staleMicros() {
    return transactions.stream()
        .filter(each -> each.snapshot < each.told)
        .map(each -> Stamp.micros(each.told) - Stamp.micros(each.snapshot))
        .toList();
  }

  /**
   * All that is wrong.
   *
   * @param lists all lists as they are in the end
   */
  List<String> violations(Map<String, String> lists) {
    return new Check(lists).run();
  }

  /** One look at all of it. */
  private final class Check {
    private final Map<String, String> lists;
    private final Map<String, Map<String, Integer>> positions = new HashMap<>();
    private final List<String> found = new ArrayList<>();

    Check(Map<String, String> lists) {
      this.lists = lists;
      lists.forEach(
          (list, text) -> {
            Map<String, Integer> places = new HashMap<>();
            for (String item : text.isEmpty() ? new String[0] : text.split(";")) {
              if (places.putIfAbsent(item, places.size()) != null) {
                found.add(item + " is twice in " + list);
              }
            }
            positions.put(list, places);
          });
    }

    List<String> run() {
      Map<String, Set<String>> appended = new HashMap<>();
      for (Transaction each : transactions) {
        appended.put(each.item(), each.appended);
        outcome(each);
        moments(each);
        each.reads.forEach(read -> beginning(each, read));
      }
      positions.forEach(
          (list, items) -> {
            for (String item : items.keySet()) {
              if (!appended.getOrDefault(item, Set.of()).contains(list)) {
                found.add(item + " is in " + list + ", to which nobody appended it");
              }
            }
          });
      snapshots();
      isolation();
      return found;
    }

    private boolean isIn(Transaction each, String list) {
      return positions.getOrDefault(list, Map.of()).containsKey(each.item());
    }

    /** All of what was acknowledged, nothing of what was refused, all or nothing of others. */
    private void outcome(Transaction each) {
      long there = each.appended.stream().filter(list -> isIn(each, list)).count();
      boolean fits =
          switch (each.outcome) {
            case ACKNOWLEDGED -> there == each.appended.size();
            case REFUSED -> there == 0;
            case UNKNOWN -> there == 0 || there == each.appended.size();
          };
      if (!fits) {
        found.add(each + " is in " + there + " of its lists");
      }
    }

    /** What a client was told of, it sees when it begins again. */
    private void moments(Transaction each) {
      if (each.snapshot < each.session) {
        found.add(each + " began before what its client had been told of");
      }
      if (each.outcome == Outcome.ACKNOWLEDGED
          && !each.appended.isEmpty()
          && each.stamp <= each.snapshot) {
        found.add(each + " was committed before it began");
      }
    }

    private void beginning(Transaction each, Read read) {
      String text = lists.getOrDefault(read.list, "");
      if (read.length > text.length() || text.substring(0, read.length).hashCode() != read.hash) {
        found.add(each + " read " + read + ", with which " + text + " does not begin");
      }
    }

    /** A list holds what was committed up to the snapshot that it was read at, and no more. */
    private void snapshots() {
      Map<String, Transaction> byItem = new HashMap<>();
      transactions.forEach(each -> byItem.put(each.item(), each));
      Map<String, long[]> stamps = new HashMap<>();
      positions.forEach(
          (list, items) -> {
            long[] ofList = new long[items.size()];
            items.forEach(
                (item, at) -> {
                  Transaction writer = byItem.get(item);
                  ofList[at] = writer == null ? 0 : writer.stamp;
                });
            stamps.put(list, ofList);
          });
      stamps.forEach(
          (list, ofList) -> {
            long before = 0;
            for (long stamp : ofList) {
              if (stamp != 0 && stamp <= before) {
                found.add("the stamps of " + list + " do not rise: " + before + ", " + stamp);
              }
              before = Math.max(before, stamp);
            }
          });
      for (Transaction each : transactions) {
        for (Read read : each.reads) {
          long[] ofList = stamps.getOrDefault(read.list, new long[0]);
          int count =
              read.last.isEmpty()
                  ? 0
                  : positions.getOrDefault(read.list, Map.of()).getOrDefault(read.last, -1) + 1;
          boolean tooMuch = count > 0 && ofList[count - 1] > each.snapshot;
          // Of items of unknown stamp the next one that is known tells.
          int next = count;
          while (next < ofList.length && ofList[next] == 0) {
            next++;
          }
          boolean tooLittle = next < ofList.length && ofList[next] <= each.snapshot;
          if (tooMuch || tooLittle) {
            found.add(each + " read " + (tooMuch ? "too much" : "too little") + " of " + read.list);
          }
        }
      }
    }

    private void isolation() {
      List<Member> members = new ArrayList<>();
      for (Transaction each : transactions) {
        Set<String> there = new HashSet<>(each.appended);
        there.removeIf(list -> !isIn(each, list));
        boolean committed = each.appended.isEmpty() || !there.isEmpty();
        Member member = new Member(each.item(), committed);
        for (Read read : each.reads) {
          member.read(read.list, read.last.isEmpty() ? null : read.last + " in " + read.list);
        }
        for (String list : each.appended) {
          int at = positions.getOrDefault(list, Map.of()).getOrDefault(each.item(), -1);
          member.wrote(list, each.item() + " in " + list, at);
        }
        members.add(member);
      }
      IsolationChecker.check(members).stream()
          .filter(finding -> finding.anomaly() != Anomaly.G2_ITEM)
          .forEach(finding -> found.add(finding.anomaly() + ": " + finding.words()));
    }
  }
}
