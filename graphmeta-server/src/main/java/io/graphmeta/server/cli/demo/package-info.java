/**
 * The command {@code demo}: the sample campaign, and questions about it. {@code console} begins
 * with the same sample where no database is named. Used by one thread.
 */
@NullMarked
package io.graphmeta.server.cli.demo;

import org.jspecify.annotations.NullMarked;
