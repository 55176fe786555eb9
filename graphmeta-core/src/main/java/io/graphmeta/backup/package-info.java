/**
 * Directories that hold backups: files by what is in them, each once, and for each backup a
 * manifest that names them. Knows files and nothing of what they mean; {@code node} takes the files
 * from a database and makes a database of them, and the engine offers both. One process at a time
 * writes to a directory, by one thread; any number read it.
 *
 * <pre>
 *  TARGET/graphmeta-backups.properties   what the directory is
 *  TARGET/lock                           locked by who writes
 *  TARGET/files/ab/abcd...               a file, by the SHA-256 of its bytes, in hexadecimal digits
 *  TARGET/backups/NAME.manifest          a backup
 *  TARGET/incoming/                      what is being written; what is left here counts for nothing
 * </pre>
 *
 * A file is written and synced in {@code incoming} and then renamed, so that what has a name in
 * {@code files} is whole, whether a backup names it or not. A manifest comes last: when it is
 * there, all that it names is there, synced, and was read back. What is expired loses its manifest
 * first. So a process that ends anywhere leaves every backup whole, and at most files that no
 * backup names: the next backup takes those that it can use, and removes the others.
 */
@NullMarked
package io.graphmeta.backup;

import org.jspecify.annotations.NullMarked;
