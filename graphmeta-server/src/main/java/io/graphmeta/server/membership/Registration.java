package io.graphmeta.server.membership;

/**
 * What the znode of a node says. Immutable.
 *
 * @param description what the node told of itself
 * @param incarnation how many times it has joined
 */
record Registration(NodeDescription description, long incarnation) {}
