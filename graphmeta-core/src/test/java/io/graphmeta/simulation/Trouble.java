package io.graphmeta.simulation;

/** What makes trouble while clients work. */
interface Trouble {
  void start();

  /** A leader is about to take one node into its group in the place of another. */
  default void membersChange(int leader, int from, int to) {}

  /** A shard has told what the others need not keep for it. */
  default void watermarkTold(int shard) {}

  /** Ends all trouble, for what goes wrong by itself too: to be called until all is settled. */
  void end();
}
