package io.graphmeta.server.faults;

import java.util.Random;

/** Something that clients do again and again, and what must hold of it whatever goes wrong. */
interface Work {
  /** Makes what it works on, while all is well. */
  void begin(Client client);

  /**
   * Does it once. An error that says to try again, or to look, is one that a client lives with.
   *
   * @param random of the thread
   * @return false if there is nothing to do now
   */
  boolean run(Client client, Random random);

  /** Fails if anything is not as it must be, when all is well again. */
  void assertHolds(Client client);

  /** How much was done, for people. */
  String tally();
}
