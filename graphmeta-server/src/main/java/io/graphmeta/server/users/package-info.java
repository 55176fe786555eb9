/**
 * Who may log in: a file of names and hashed passwords, how it is changed, and how a log-in is
 * checked. Used by the command line and by the servers' ports; safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.users;

import org.jspecify.annotations.NullMarked;
