/**
 * The port of those who run a Gremlin Server or a node: is it alive, is it ready, what are its
 * metrics. Threads of its own, so that it answers when queries take all others. Entered by {@link
 * io.graphmeta.server.admin.AdminEndpoint}.
 */
@NullMarked
package io.graphmeta.server.admin;

import org.jspecify.annotations.NullMarked;
