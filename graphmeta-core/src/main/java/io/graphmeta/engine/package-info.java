/**
 * The public face of the core: opens a database and hands out transactions. Everything above the
 * core comes in here. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.engine;

import org.jspecify.annotations.NullMarked;
