package io.graphmeta.storage.memory;

import org.jspecify.annotations.Nullable;

/**
 * A value of a row, or null for none, from the batch that wrote it until the batch that wrote the
 * next; newest first, linked to older ones.
 */
final class Version {
  final long sequence;
  final byte @Nullable [] value;
  private volatile @Nullable Version older;

  Version(long sequence, byte @Nullable [] value, @Nullable Version older) {
    this.sequence = sequence;
    this.value = value;
    this.older = older;
  }

  /** The newest version at or below the sequence, or null if the row was written later. */
  @Nullable Version at(long readSequence) {
    Version version = this;
    while (version != null && version.sequence > readSequence) {
      version = version.older;
    }
    return version;
  }

  /** Forgets the versions that no reader at or above the sequence can see. */
  void forgetBelow(long oldestReadSequence) {
    Version seen = at(oldestReadSequence);
    if (seen != null) {
      seen.older = null;
    }
  }
}
