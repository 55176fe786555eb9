/**
 * The stored format: how elements and their versions become rows. Pure: bytes in, values out.
 * Shards and transactions use it; it knows no I/O, clock or thread. Numbers are big-endian, so that
 * unsigned byte order of keys is the order of the numbers.
 *
 * <h2>Vertex key</h2>
 *
 * <pre>
 * |63      52|51                    16|15           0|
 * | label id |        counter         | virtual node |
 * </pre>
 *
 * The label id is 1 to 4095, the counter is handed out by the home shard, the virtual node is the
 * home of the vertex. All vertices of a label are one range; new vertices are appended to it.
 *
 * <h2>Rows</h2>
 *
 * Every row is one version of one slot. Lengths in bytes:
 *
 * <pre>
 * ATTRIBUTES | vertex key 8 | property key 2 | value id 5 |                                        stamps 8 or 16 |
 * OUT, IN    | vertex key 8 | label 2 | other vertex key 8 | sequence 5 | property key 2 |         stamps 8 or 16 |
 * SPLITS     | vertex key 8 | outgoing 1 | partition 2 |                                            stamps 8 |
 * stamps     | ~valid 8 |                     a version that became true when it was committed
 *            | ~valid 8 | ~committed 8 |      a version that was learned of later (backfill)
 * </pre>
 *
 * Stamps are complemented, so that of two versions of a slot the later valid one comes first.
 * Property key 0 with value id 0 is the <i>body</i> of the element: its existence and the
 * properties that it was created with. Other property keys hold later changes of one property each.
 * The value id is 0 for the single value of a key, else it tells the values of a list or set apart.
 * OUT rows belong to the source of the edge and carry its properties; IN rows belong to its
 * destination, mirror the bodies of the OUT rows, stamps included, and carry none.
 *
 * <p>SPLITS rows say since when there is a partition of the entries of a vertex in one direction;
 * every shard that has a part in the split has the row. Its value is one zero if nothing was moved,
 * else the attempt (8 bytes) and the number of messages (4) of the move. {@link
 * io.graphmeta.placement.SplitState} tells what follows from them.
 *
 * <h2>Definitions of indexes</h2>
 *
 * <pre>
 * META     | "definition " | name in UTF-8 | ~stamp 8 |  ->  flags 1 | element 1 | label 2 | property key 2 | kinds: varint
 * </pre>
 *
 * Every shard has all of them, with one stamp on all. Of the rows of a name at or below a stamp the
 * one with the greatest counts. The flag 1 is a tombstone, and nothing follows: the index is
 * dropped. Element is the ordinal of {@link io.graphmeta.plan.ElementKind}, kinds has the bits
 * {@code 1 << ordinal} of {@link io.graphmeta.search.IndexKind}, property key 0 is the id of the
 * element.
 *
 * <h2>Changes that indexes follow</h2>
 *
 * <pre>
 * CHANGED  | stamp 8 | vertex key 8 |            ->  nothing, or least valid stamp 8
 * CHANGED  | stamp 8 | edge key 23 |             ->  nothing, or least valid stamp 8
 * CHANGED  | stamp 8 | vertex key 8 | label 2 |  ->  nothing
 * META     | "reached-by-index" |      ->  reached 8 | listed from 8
 * </pre>
 *
 * A transaction that writes rows of ATTRIBUTES under a slot that an index covers lists the vertex
 * with its stamp in the same entry, and with the least of the valid stamps of these rows if that is
 * not the stamp. The body is covered where any property of the label is. What was listed with a
 * part that is undone is undone too.
 *
 * <p>A transaction that writes rows of OUT under a slot that an index covers lists the edge in the
 * same way. One that ends a move of entries that leave a vertex lists, for each label of edges with
 * an index, all edges with the label of that vertex: which of them are on this shard is another
 * matter from its stamp on, whatever their own stamps are.
 *
 * <p>Rows of CHANGED with stamps at or below <i>listed from</i> are removed once the index holds
 * what they tell; <i>reached</i> is written before the index is brought to disk with that stamp. So
 * an index on disk with a stamp from <i>listed from</i> to <i>reached</i> can go on with the list;
 * another one is of another state of the store and is built anew.
 *
 * <h2>Values</h2>
 *
 * <pre>
 * body     | flags 1 | [id: text] | count: varint | count x ( property key: varint | length: varint | value ) |
 * property | flags 1 | [id: text] | value | [count: varint | count x ( property key: varint | value )] |
 * flags      1 = tombstone (nothing follows), 2 = has an id given by the user, 4 = has meta-properties,
 *            8 = added to a set, where no two slots may hold equal values at a time
 * </pre>
 *
 * IN bodies end after the id. What a value is, {@link io.graphmeta.codec.ValueCodec} tells.
 *
 * <h2>Reading a slot</h2>
 *
 * At a view (V, K) the version of a slot that counts is, of those with valid &lt;= V and committed
 * &lt;= K, the one with the greatest valid, and of these the one with the greatest committed stamp.
 * An element exists if the version of its body that counts is no tombstone. A body is never put
 * again after its tombstone (an id given again gets another element), so that the properties of an
 * element are, for each slot, the latest of what its bodies and its property rows say.
 *
 * <h2>IDS and META</h2>
 *
 * <pre>
 * IDS        | 'V' or 'E' | id in UTF-8 |  ->  vertex keys (8 bytes each) or edge keys (23 bytes each), oldest first
 * META       | name in ASCII, or bytes |   ->  what the shard keeps under that name
 * META       | "dropped-history" |         ->  runs: varint | runs x ( archive: text | labels: varint | labels x ( kind 1 | label 2 | stamp 8 ) )
 * META       | "removed-rows" |            ->  archive in UTF-8, whose rows were removed last while the shard was open
 * </pre>
 *
 * The row of dropped history names the archives that hold what retention has dropped of the
 * database, oldest first, and for each label (kind 0: of vertices, 1: of edges) of which something
 * went the stamp from which on all is there. It is the same on all shards, and written before rows
 * go.
 *
 * <p>Which of several elements an id leads to follows from their bodies: at any valid time at most
 * one of them exists.
 */
@NullMarked
package io.graphmeta.codec;

import org.jspecify.annotations.NullMarked;
