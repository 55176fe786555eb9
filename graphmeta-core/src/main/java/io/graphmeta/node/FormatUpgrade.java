package io.graphmeta.node;

import io.graphmeta.storage.StorageEngine;
import java.util.function.Consumer;

/**
 * How the store of one shard becomes one of the next version of the stored format.
 *
 * <p>The rows are rewritten in batches of a moderate size, in any number of them, and after an
 * interruption from the beginning again: a row that has its new form already stays as it is. Rows
 * of META are among the rows, and so are the intents of transactions that were under way, with the
 * rows that they would put back.
 *
 * @param from the number of the version that it begins with; the version after it is the next
 *     number
 * @param changesRows whether there are rows that get another form, which the rows of replicas
 *     cannot get so: they are changed by entries of their log alone, which all of them have
 * @param rewrite changes the rows of a store that nobody else has open
 */
record FormatUpgrade(int from, boolean changesRows, Consumer<StorageEngine> rewrite) {
  /** A version whose rows are all good in the next one. */
  FormatUpgrade(int from) {
    this(from, false, store -> {});
  }

  /** One that changes rows. */
  FormatUpgrade(int from, Consumer<StorageEngine> rewrite) {
    this(from, true, rewrite);
  }
}
