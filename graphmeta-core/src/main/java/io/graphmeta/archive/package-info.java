/**
 * What retention keeps, by a {@link io.graphmeta.archive.RetentionPolicy}, and directories of
 * archives: what it has dropped of databases, each time as a directory of its own with a table of
 * RocksDB for each shard and family, and a manifest. Knows files and nothing of what they mean;
 * {@code node} writes the tables and puts their rows back. One process at a time writes to a
 * directory of archives, by one thread; any number read it.
 *
 * <pre>
 *  ARCHIVES/lock                      locked by who writes
 *  ARCHIVES/incoming/                 what is being written; what is left here counts for nothing
 *  ARCHIVES/NAME/manifest             what the archive is of, and its files with their SHA-256
 *  ARCHIVES/NAME/shard-N-FAMILY.sst   rows as they were stored, by rising keys
 * </pre>
 *
 * An archive is written, synced and read back in {@code incoming}, and renamed then: what has a
 * name is whole, and only then rows are dropped. A process that ends before leaves all rows where
 * they were.
 */
@NullMarked
package io.graphmeta.archive;

import org.jspecify.annotations.NullMarked;
