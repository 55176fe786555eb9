/**
 * The service by which a server takes backups of the database that it serves, for those who may ask
 * for it. Entry class: {@link io.graphmeta.server.gremlin.backup.BackupService}, registered with a
 * graph before it is served. A call runs in the thread of its query and returns at once; a backup
 * in a thread of its own.
 */
@NullMarked
package io.graphmeta.server.gremlin.backup;

import org.jspecify.annotations.NullMarked;
