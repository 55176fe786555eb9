/**
 * The wire between nodes: a transport to shards that other processes host, and the side of a node
 * that listens. A <em>shard</em> is a store with its log and the handler of requests over it, a
 * <em>node</em> a process that hosts shards. {@link io.graphmeta.server.net.NetTransport} and
 * {@link io.graphmeta.server.net.NodeListener} are the two ends, and {@link
 * io.graphmeta.server.net.LeaderTransport} finds the leader where a shard has several replicas,
 * while {@link io.graphmeta.server.net.NearbyTransport} reads the past at any of them; who composes
 * a node or a client calls them. Knows Netty, and of the engine what a transport knows: calls,
 * answers, and their bytes.
 *
 * <h2>Form of what passes, version 3</h2>
 *
 * Lengths in bytes; numbers are big-endian; texts and variable numbers are those of {@link
 * io.graphmeta.protocol}.
 *
 * <pre>
 * frame     | length of the rest 4 | kind 1 | rest |
 *
 * 1 HELLO    | "GMnp" 4 | lowest version 1 | highest version 1 | cluster 16 | incarnation 8 | nonce 8 | clock 8 | node: text | what later versions add |
 * 2 READY    | nonce of the other's hello 8 | clock 8 |
 * 3 REFUSAL  | name of an error code: text | message: text |
 * 4 ENVELOPE | number 4 | item* |
 * 5 PING     | clock 8 |
 * 6 PONG     | clock of the ping 8 | clock 8 |
 * 7 LEAVING  | (since version 2) |
 * 8 PACKED   | (since version 3) number 4 | length of the items 4 | the items of an envelope as a block of LZ4 |
 *
 * item      | 1 call         | id: varlong | shard: varint | length: varint | message |
 *           | 2 begun call   | id: varlong | shard: varint | length: varint | bytes to the end of the frame |
 *           | 3 answer       | id: varlong | length: varint | message |
 *           | 4 begun answer | id: varlong | length: varint | bytes to the end of the frame |
 *           | 5 more         | bytes to the end of the frame |
 * </pre>
 *
 * Clocks are microseconds since 1970. The one who calls sends a hello and is sent one; it answers
 * with a ready, and with envelopes at once. Each end refuses the other for another cluster, a name
 * that was not meant, versions of which none is shared, a clock too far off (it was told within the
 * time that a question and its answer took, so that half of that is the doubt), or a nonce that it
 * did not draw. Until then frames are short, and there are few such connections. Envelopes are
 * numbered from 0; one that comes twice, or not, ends the connection. So nothing recorded can be
 * sent again: not within a connection, and not in another. A packed envelope is one, and no longer
 * than a frame when it is unpacked.
 *
 * <h2>One envelope for a node and a moment</h2>
 *
 * Calls that are {@linkplain io.graphmeta.transport.Transport#sendAll sent at one moment} are given
 * to the way of their node as one thing, and the thread of the connection takes all or none of them
 * when it writes; they are in one frame if they fit. Calls that different threads send meanwhile
 * join them: what was given while that thread was on its way, or wrote, is written together.
 * Nothing waits for a timer, and a call that comes alone leaves alone. Answers go the same way,
 * each when it is there: the slow one of a moment does not keep the others.
 *
 * <p>Gathering by the turn of the thread alone would make as many frames of a moment as the thread
 * happens to wake; a pause before the write would make it one, at the price of that pause for every
 * call.
 *
 * <h2>Limits</h2>
 *
 * <ul>
 *   <li>Frames, messages, connections, handshakes, times: {@link
 *       io.graphmeta.server.net.NodeSetting}.
 *   <li>Calls without an answer, for each shard, and bytes that wait, for each node: the caller is
 *       told {@code OVERLOADED} at once, and nothing was sent.
 *   <li>Calls of one connection under way, and calls that wait for a shard's threads: refused with
 *       the same error, over the wire.
 *   <li>While more bytes than allowed are being worked on, or wait to be taken by the other end,
 *       nothing is read of its connection; so the queue at its other end fills. Who takes nothing
 *       for the time of silence is cut off.
 *   <li>What waits for the threads behind the event loops is bounded by the calls that are under
 *       way.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * An event loop copies bytes, decodes short calls, and does nothing else: handlers of shards run in
 * threads of their shard, answers are encoded by these, and decoded and told by the thread that
 * waits for them or else by threads for that, since what depends on an answer may take a lock or
 * begin a step of a traversal; those on which nothing depends by the loop itself. Each byte of a
 * message is copied once from the writer that encoded it into a frame, and once out of a frame into
 * the array that it is decoded from; that of a message longer than a frame grows as its pieces
 * come.
 *
 * <h2>What is told when</h2>
 *
 * A node that stops says so by a frame, and takes no call after it. What it has taken it answers;
 * what crosses that frame it refuses, and a caller lets repeatable ones of these wait for the next
 * connection, as all that it is given later. The caller closes the connection when nothing is under
 * way on it any more: an end that closes while bytes come to it can lose those that it has sent. A
 * caller of version 1 is not told, and learns by the end of the connection.
 *
 * <p>A node that has been away for less than a time that is set is waited for. What was not sent to
 * it stays, and is sent by the next connection; so is what a broken connection carried, as far as
 * it is {@linkplain io.graphmeta.protocol.Request.Repeatable repeatable}. All else that a broken
 * connection carried fails with {@code UNREACHABLE} at once: it may have been done, and is never
 * sent twice by this package. When the node has been away for longer, what waited for it and what
 * comes then fails with {@code UNAVAILABLE}: nothing was done, and what was not sent will never be.
 * So it is with a node that hangs, whose machine takes a connection and which says nothing on it.
 */
@NullMarked
package io.graphmeta.server.net;

import org.jspecify.annotations.NullMarked;
