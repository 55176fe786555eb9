/**
 * The {@code graphmeta} command: {@link io.graphmeta.server.cli.GraphMetaCommand#main} finds the
 * sub-command that is called and has picocli run it, on the thread that called; {@code
 * class-archive}, which runs other commands, is here too. Nothing depends on this package. It and
 * those below it print, and they know picocli.
 *
 * <p>Each sub-command is in the package of its purpose: {@code load}, {@code query}, {@code
 * lineage}, {@code report}, {@code health}, {@code backup}, {@code demo}, {@code server}, {@code
 * pages}. These are called by the root command alone, but for what {@code demo} has for the console
 * and {@code lineage} for people, and rest on two that hold no commands: {@code connection}, what a
 * command asks, and {@code output}, what it shows.
 */
@NullMarked
package io.graphmeta.server.cli;

import org.jspecify.annotations.NullMarked;
