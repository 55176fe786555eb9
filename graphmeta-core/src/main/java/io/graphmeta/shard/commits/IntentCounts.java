package io.graphmeta.shard.commits;

/**
 * The intents of a shard in numbers.
 *
 * @param open those whose outcome is not known here
 * @param oldestOpenMillis age of the oldest of them, in milliseconds
 * @param decided those whose outcome is known, but not yet durably everywhere
 */
public record IntentCounts(int open, long oldestOpenMillis, int decided) {}
