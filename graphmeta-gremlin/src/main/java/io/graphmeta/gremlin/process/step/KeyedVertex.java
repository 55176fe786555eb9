package io.graphmeta.gremlin.process.step;

/** A vertex that can be told from others by a number that is known before its id has been read. */
public interface KeyedVertex {
  /** The vertex key. Under one view, equal vertices have equal keys. */
  long key();
}
