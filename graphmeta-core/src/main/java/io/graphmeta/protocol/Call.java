package io.graphmeta.protocol;

/**
 * A request on its way to a shard.
 *
 * @param epoch that of the virtual node map by which the client chose the shard
 * @param timeoutMillis time that the client waits for the answer, in milliseconds; a shard need not
 *     begin what is over
 */
public record Call(long epoch, long timeoutMillis, Request request) {}
