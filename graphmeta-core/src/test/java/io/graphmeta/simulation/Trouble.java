package io.graphmeta.simulation;

/** What makes trouble while clients work. */
interface Trouble {
  void start();

  /** Ends all trouble, for what goes wrong by itself too: to be called until all is settled. */
  void end();
}
