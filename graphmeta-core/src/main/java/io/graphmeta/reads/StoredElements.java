package io.graphmeta.reads;

import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.Router;

/**
 * All that reads elements which are stored on the shards behind a router. One is shared by all
 * transactions of a client. Safe for use by many threads.
 *
 * @param router sends the requests
 * @param decoder makes records of rows
 * @param lookup finds elements by key and by id
 * @param ids finds which elements an id was given to
 * @param history tells all versions of an element
 */
public record StoredElements(
    Router router,
    RecordDecoder decoder,
    ElementLookup lookup,
    IdLookup ids,
    ElementHistory history) {
  /** The elements behind a router. */
  public static StoredElements of(Router router) {
    RecordDecoder decoder = new RecordDecoder(router);
    IdLookup ids = new IdLookup(router);
    ElementLookup lookup = new ElementLookup(router, ids);
    return new StoredElements(
        router, decoder, lookup, ids, new ElementHistory(router, lookup, decoder));
  }
}
