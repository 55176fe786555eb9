package io.graphmeta.shard.commits;

/**
 * The intents of a shard in numbers.
 *
 * @param open intents whose outcome is not known here
 * @param oldestOpenMillis age of the oldest of them, in milliseconds
 * @param decided intents whose outcome is known, but not yet durably everywhere
 */
public record IntentCounts(int open, long oldestOpenMillis, int decided) {}
