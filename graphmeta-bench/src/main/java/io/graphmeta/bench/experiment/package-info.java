/**
 * The experiments of the GraphMeta paper (section 6.4) and some beyond it. {@link
 * io.graphmeta.bench.experiment.Experiment} runs one by its name and writes tables and charts.
 *
 * <p>The timed ones run slow shards in this process ({@link io.graphmeta.bench.cluster}).
 *
 * <p>The placement experiments count and do not time. They put the edges of a graph one after
 * another where the strategies of {@link io.graphmeta.placement} put them, split what passes the
 * threshold, and count the messages and reads of scans and traversals on what comes of it.
 */
@NullMarked
package io.graphmeta.bench.experiment;

import org.jspecify.annotations.NullMarked;
