/**
 * What is made from the descriptions of all commands: completion for shells, manual pages. Called
 * by the root command and by the build, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli.pages;

import org.jspecify.annotations.NullMarked;
