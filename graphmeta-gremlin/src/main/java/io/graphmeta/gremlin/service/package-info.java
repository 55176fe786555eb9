/**
 * The services of GraphMeta, called by {@code g.call(name, parameters)} from any driver: the
 * history of an element, lineage, impact, differences of runs, who reads and writes most,
 * placement, indexes, status and check. Each answers in the view of its traversal, as {@code
 * with('asOf')} and {@code with('knownAt')} name it, and with nothing but elements, paths, maps,
 * lists, texts, numbers and dates, which all drivers read. What provenance means is told in {@code
 * io.graphmeta.provenance}; here it is asked and its answers are put into maps.
 *
 * <p>Entry class: {@link io.graphmeta.gremlin.service.GraphMetaServices}, made by the structure
 * package, which the services know through {@link io.graphmeta.gremlin.service.ServiceGraph} alone.
 * Factories are stateless and safe for many threads; a call runs in the thread of its traversal.
 */
@NullMarked
package io.graphmeta.gremlin.service;

import org.jspecify.annotations.NullMarked;
