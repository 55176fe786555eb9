package io.graphmeta.node;

import io.graphmeta.codec.FormatVersion;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from older versions of the stored format to the one of this build, one version after the
 * other. Immutable.
 */
final class FormatUpgrades {
  /**
   * Those of this build. Each new version appends the step that leads to it, and none goes away.
   */
  static final FormatUpgrades ALL =
      new FormatUpgrades(
          List.of(
              new FormatUpgrade(1),
              // Nothing is indexed yet, so nothing was to be listed. What opens a store for writing
              // makes the families that it lacks.
              new FormatUpgrade(2)));

  private final List<FormatUpgrade> steps;

  /**
   * A way that ends at the version of this build.
   *
   * @param steps in the order of their versions, without a gap
   */
  FormatUpgrades(List<FormatUpgrade> steps) {
    this.steps = List.copyOf(steps);
    int version = FormatVersion.CURRENT.number() - steps.size();
    for (FormatUpgrade step : steps) {
      if (step.from() != version++) {
        throw GraphMetaException.internal(
            "A step from version " + step.from() + " is out of order");
      }
    }
  }

  /**
   * The steps that a database takes.
   *
   * @param version the number of its version
   * @param marker the file that says so, for the error
   * @throws GraphMetaException {@code NEWER_FORMAT} or {@code OLDER_FORMAT} if no way begins there
   */
  List<FormatUpgrade> from(int version, Path marker) {
    int oldest = FormatVersion.CURRENT.number() - steps.size();
    if (version < oldest) {
      throw new GraphMetaException(
          ErrorCode.OLDER_FORMAT,
          marker
              + " has format version "
              + version
              + "; this build reads from "
              + oldest
              + " on. Open it with an earlier GraphMeta first, which upgrades it");
    }
    if (version > FormatVersion.CURRENT.number()) {
      FormatVersion.ofNumber(version, marker.toString());
    }
    return new ArrayList<>(steps.subList(version - oldest, steps.size()));
  }
}
