package io.graphmeta.server.gremlin.view;

import org.jspecify.annotations.Nullable;

/**
 * The times that a question names. Immutable.
 *
 * @param asOf what was true then; null for now
 * @param knownAt what was known then; null for now
 */
record TimesAsked(@Nullable String asOf, @Nullable String knownAt) {
  static TimesAsked of(Asked asked) {
    return new TimesAsked(asked.time("asOf"), asked.time("knownAt"));
  }

  /** The beginning of a script. */
  String source() {
    return source(asOf);
  }

  /** The beginning of a script, as of another time. */
  String source(@Nullable String validAt) {
    return "g"
        + (validAt == null ? "" : ".with('asOf', " + Quoting.gremlin(validAt) + ")")
        + (knownAt == null ? "" : ".with('knownAt', " + Quoting.gremlin(knownAt) + ")");
  }

  /** Options of a command. */
  String options() {
    return (asOf == null ? "" : " --as-of " + asOf)
        + (knownAt == null ? "" : " --known-at " + knownAt);
  }
}
