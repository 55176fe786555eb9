package io.graphmeta.stage.level;

import io.graphmeta.protocol.LevelWork;

/**
 * What a shard does for a traversal between two of its levels. Implementations are safe for use by
 * many threads.
 */
public interface IdleTime {
  /** Nothing is done between levels. */
  IdleTime UNUSED =
      new IdleTime() {
        @Override
        public void begin(int most, boolean missed) {}

        @Override
        public void offer(int position, long[] vertices) {}

        @Override
        public void end() {}

        @Override
        public void note(int operation, long[] vertices) {}

        @Override
        public LevelWork addTo(LevelWork work) {
          return work;
        }
      };

  /**
   * The traversal has ended a level and waits for the next one.
   *
   * @param most how many vertices are worth to be looked at
   * @param missed whether neighbours that the level asked for were not in the cache
   */
  void begin(int most, boolean missed);

  /** Vertices wait at a position for the next level. */
  void offer(int position, long[] vertices);

  /** A level begins. */
  void end();

  /** The hop at an operation asks for the neighbours of vertices. */
  void note(int operation, long[] vertices);

  /** Adds what was done between levels since this was called last. */
  LevelWork addTo(LevelWork work);
}
