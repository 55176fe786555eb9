/**
 * What rests on what: the commands {@code lineage}, {@code impact}, {@code history} and {@code
 * diff}, and how their answers look. {@code demo} and {@code report} show times, lines and trees as
 * these do. Used by one thread; {@link io.graphmeta.server.cli.lineage.LineageText} is where the
 * trees are drawn.
 */
@NullMarked
package io.graphmeta.server.cli.lineage;

import org.jspecify.annotations.NullMarked;
