/**
 * Where requests may come from: the address that a port listens on, the names that it goes by, and
 * the web pages that may use it. Used by both ports of the server, which have HTTP from different
 * libraries. Asks the system for addresses of names when a port is opened; does nothing else
 * outside.
 */
@NullMarked
package io.graphmeta.server.access;

import org.jspecify.annotations.NullMarked;
