package io.graphmeta.gremlin.process.step;

import org.jspecify.annotations.Nullable;

/** The first step of a rewritten traversal that begins with the elements of given ids. */
interface BeginsWithIds {
  /** The ids to begin with. The array is not changed by either side afterwards. */
  void beginWith(@Nullable Object[] ids);

  /** Lets go of the ids, those in copies of steps too: to be given others before it runs. */
  void forgetIds();
}
