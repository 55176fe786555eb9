package io.graphmeta.stability;

/** How far users may rely on something that the project offers. */
public enum Stability {
  /** Keeps its meaning from one minor version to the next. */
  STABLE,
  /** Marked {@link Experimental}. */
  EXPERIMENTAL,
  /** Marked {@link Internal}. */
  INTERNAL;

  /** The stability of a constant of an enum, by the mark that the constant carries. */
  public static Stability of(Enum<?> constant) {
    try {
      var field = constant.getDeclaringClass().getField(constant.name());
      if (field.isAnnotationPresent(Experimental.class)) {
        return EXPERIMENTAL;
      }
      return field.isAnnotationPresent(Internal.class) ? INTERNAL : STABLE;
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }
}
