/**
 * The index of attributes on Apache Lucene: the one place where its classes are used. {@link
 * io.graphmeta.search.lucene.LuceneIndex} is the whole of it to others, of which only {@code node}
 * should make one; they see the port in {@code search}.
 *
 * <p>One thread changes an index, any thread asks it; Lucene merges in threads of its own.
 */
@NullMarked
package io.graphmeta.search.lucene;

import org.jspecify.annotations.NullMarked;
