package io.graphmeta.server.membership;

/**
 * A node that has joined at some time. Immutable.
 *
 * @param description what it told of itself when it joined last
 * @param incarnation how many times a node of this name has joined; no two processes had the same
 * @param present whether the process that joined last had a session with ZooKeeper when this was
 *     read. It is a hint: a node that is absent here may be at work, and one that is present may be
 *     gone.
 */
public record KnownNode(NodeDescription description, long incarnation, boolean present) {}
