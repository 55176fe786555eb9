/**
 * Where requests may come from: the address that a port listens on, the names that it goes by, and
 * the web pages that may use it. Pure. Used by both ports of the server, which have HTTP from
 * different libraries.
 */
@NullMarked
package io.graphmeta.server.access;

import org.jspecify.annotations.NullMarked;
