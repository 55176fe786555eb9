/**
 * The messages between the client side of the graph and a shard: plain data, no behaviour. Router
 * and shard use them and know each other by nothing else. Arrays in messages are not changed once
 * sent. {@link io.graphmeta.protocol.MessageCodec} turns them into bytes and back; transports use
 * it. All but {@link io.graphmeta.protocol.StagedRows} and the builder of pages is safe for use by
 * many threads.
 *
 * <h2>Form of a message, version 1</h2>
 *
 * Lengths in bytes; numbers are big-endian. Nothing follows the body. A transport adds what it
 * needs to know where a message ends and which call an answer answers.
 *
 * <pre>
 * call   | version 1 | kind 1 | epoch: varlong | timeout in milliseconds: varlong | body |
 * answer | version 1 | kind 1 | body |
 * error  | version 1 | 255    | name of the error code: text | message: text |
 *
 * varint, varlong   7 bits a byte, low bits first, the high bit set in all but the last
 * text, bytes       length: varint | that many bytes, of text in UTF-8
 * x*                count: varint | that many x
 * flag              1: 0 or 1
 * x?                flag | x if the flag is 1
 * label, key        id in the schema: varint
 * schema            ( name kind | multi-valued: flag | id: varint | name: text )*
 * family, detail, sequence, name kind, part state
 *                   1: the ordinal of the enum
 * view              valid at 8 | known at 8 | snapshot 8
 * position          index: varint | key: bytes
 * horizons          ( 0 of vertices, 1 of edges: 1 | label 2 | stamp 8 )*
 * edge key          source 8 | label | destination 8 | sequence: varlong
 * transaction       stamp 8 | client 8 | number 8
 * move              vertex 8 | outgoing: flag | partition: varint | attempt 8
 * rows              count: varint | size: varint | as in {@link io.graphmeta.protocol.StagedRows}
 * </pre>
 *
 * Of traversals:
 *
 * <pre>
 * traversal         client 8 | number 8
 * part              position: varint | vertex 8* | edge key* | from source: flag, of each edge | bulks
 * bulks             flag | varlong of each element, if the flag is 1
 * names             ( name: text | id: varint )* of vertex labels, of edge labels, of property keys
 * plan              scan: flag | element kind | labels: text*, of a scan | step* | range: varlong, varlong | result
 * step              1 Expand     | direction | label: text* | to edges: flag |
 *                   2 EdgeEnd    | end |
 *                   3 Filter     | condition |
 *                   4 Dedup      |
 *                   5 DistinctPath | simple: flag |
 *                   6 Repeat     | step* | times: varint | until: condition? | until first: flag | emit: condition? | emit first: flag |
 * condition         1 Always | 2 LabelIn text* | 3 VertexIn 8* | 4 Property text, test | 5 HasKey text |
 *                   6 HasEdge direction, text* | 7 And condition* | 8 Or condition* | 9 Not condition
 *                   10 Id test
 * test              1 Compare comparison, value | 2 Within value* | 3 Text relation, text | 4 And test* | 5 Or test* | 6 Not test
 *                   7 Words analysis, text*, lastIsBeginning
 * result            1 Elements with properties: flag | 2 Paths | 3 Count | 4 Values projection* | 5 Top ( key: text | descending: flag )*, limit: varlong | 6 Reduced key: text, reduction: varint
 * projection        1 Self | 2 Label | 3 EachValue text | 4 FirstValue text | 5 Id
 * value             as {@link io.graphmeta.codec.ValueCodec} has it
 * </pre>
 *
 * <h2>Kinds of calls</h2>
 *
 * <pre>
 *  1 Snapshot        | seen 8 |
 *  2 FindVertices    | id: text* | view | from index: varint |
 *  3 FindEdges       | id: text* | view | from index: varint |
 *  4 ReadVertices    | vertex 8* | view | detail | from index: varint |
 *  5 ReadEdges       | edge key* | view | detail | from index: varint |
 *  6 Expand          | vertex 8* | outgoing: flag | label* | view | detail | position | part only: flag |
 *  7 ScanVertices    | label | view | detail | position |
 *  8 ScanEdges       | label*, rising | view | detail | position |
 *  9 Incarnations    | id: text* | edges: flag | from index: varint |
 * 10 ScanRows        | family | position |
 * 11 ProbeRows       | family | bytes* |
 * 12 Commit          | token 8 | snapshot 8 | seen 8 | check 8* | mark 8* | rows |
 * 13 Prepare         | transaction | replaces: transaction? | shard: varint* | snapshot 8 | check 8* | mark 8* | rows |
 * 14 Resolve         | transaction | committed: flag |
 * 15 Inquire         | transaction* |
 * 16 ReadWatermark   |
 * 17 Lease           | sequence | count: varint | at least 8 |
 * 18 Define          | schema |
 * 19 ReadSchema      |
 * 20 ReadStatus      |
 * 21 Clear           |
 * 22 StartTraversal  | traversal | plan | names | view | part* | manner |
 * 23 Deliver         | traversal | level: varint | from: varint | number: varint | part* |
 * 24 RunLevel        | traversal | number: varint | level: varint | manner | scan: flag |
 * 25 FetchResults    | traversal | number: varint |
 * 26 EndTraversal    | traversal |
 * 27 ExtendPaths     | plan | names | view | part | from index: varint | skip: varlong |
 * 28 FollowTraversal | traversal | enough: flag |
 * 29 ReadSplits      | vertex 8* | outgoing: flag |
 * 30 ReadHot         | most: varint |
 * 31 GiveEntries     | move | step 1 | position | number: varint |
 * 32 TakeEntries     | move | number: varint | key: bytes* | value: bytes* |
 * 33 EndMove         | move |
 * 34 HoldEntries     | move |
 * 35 FindConnected   | vertex 8* | direction 1 | label* | view |
 * 37 MeasureRows     | family | view | position | last vertex 8 | at least: varlong |
 * 38 SearchVertices  | label | condition | names | view | detail | position |
 * 39 ReadIndexes     |
 * 40 CompareIndex    | number 8 | position |
 * 41 SearchEdges     | label* | condition | names | view | detail | position |
 * 42 SearchDuring    | label | condition | names | valid from 8 | view | position |
 * 43 TakeCheckpoint  | stamp 8 | checkpoint 8 | keep, in milliseconds: varlong |
 * 44 ListFiles       | checkpoint 8 | from: varint |
 * 45 ReadFile        | checkpoint 8 | name: text | offset: varlong | length: varint |
 * 46 SumFile         | checkpoint 8 | name: text | offset: varlong | length: varint |
 * 47 KeepCheckpoint  | checkpoint 8 | keep, in milliseconds: varlong |
 * 48 ReadTerm        |
 * 49 HandOver        | node: text |
 * 50 ReadMembers     |
 * 51 ReadReplica     |
 * 52 ReadExpired     | horizons | family | position |
 * 53 NoteDropped     | archive: text | horizons |
 * 54 DropRows        | archive: text | family | key: bytes* |
 * 55 EndDropping     | archive: text |
 * 56 FollowerRead    | kind 1 | as the call of that kind, which is one of 2 to 8 |
 * 57 FollowerTraversal | node: text* | kind 1 | as the call of that kind, which is one of 22 to 28 and 35 |
 * 58 NoteSettled     | stamp 8 |
 * 59 RequireRoom     |
 * </pre>
 *
 * <h2>Kinds of answers</h2>
 *
 * <pre>
 * 128 Elements       | ElementPage |
 *       ElementPage  | next: position? | edges: flag | elements: varint | rows: varint | element, so many | row, so many | values | referral* |
 *       element      | source: varint | vertex 8 | if edges ( label | other 8 | sequence: varlong ) | rows of it: varint |
 *       row          | key | value id: varlong | valid 8 | committed - valid: varlong, sign in the lowest bit | length of value: varint |
 *       referral     | source: varint | shard: varint |
 * 129 Stamped        | stamp 8 |
 * 130 Conflicted     | check 4 |
 * 131 Prepared       |
 * 132 TooLow         | closed 8 |
 * 133 Done           |
 * 134 Parts          | part state* |
 * 135 Leased         | first 8 |
 * 136 Schema         | schema |
 * 137 Rows           | next: position? | key: bytes* | value: bytes, as many |
 * 138 Status         | bytes on disk 8 | resolved 8 | open intents: varint | oldest, in milliseconds: varlong | decided intents: varint | syncs: varlong | adjacency: varlong, ten of {@link io.graphmeta.protocol.AdjacencyStatistics} | ( family | rows: varlong )* |
 * 139 Results        | TraversalPage |
 *       TraversalPage | count: varlong | vertex 8* | edge key* | tuple: bytes* | bulks | more: flag | rows?: flag, ElementPage |
 * 140 LevelDone      | level: varint | work* | pending: varlong | sent to: varint* | elsewhere: PartsDone* | unfinished: flag | scan left: flag | TraversalPage | found: varlong |
 *       work         | varlong, ten of {@link io.graphmeta.protocol.LevelWork} |
 * 141 Paths          | source: varint* | position: varint* | count: varint* | vertex 8* | edge key* | from source: flag, of each edge | stop* | sent on* | next index + 1: varint | skip: varlong | work |
 *       sent on      | source: varint | position: varint | shard: varint |
 *       stop         | position: varint | edges: flag | operation 1* |
 * 142 Progress       | work* | worked off: varlong | sent 8* | idle: flag | found: varlong |
 * 143 Splits         | ( ( partition: varint | since 8 )* )*, of each vertex |
 * 144 Hot            | ( vertex 8 | outgoing: flag | entries: varlong )* |
 * 145 Held           | open: varint |
 * 146 RowSizes       | next: position? | kept rows: varlong | kept bytes: varlong | ( virtual node: varint | elements: varlong | rows: varlong | bytes: varlong )* | ( vertex 8 | entries: varlong )* |
 * 147 PartsDone      | shard: varint | level: varint | work | pending: varlong | sent to: varint* | unfinished: flag | found: varlong |
 * 148 Indexes        | ( number 8 | name: text | element kind | label: varint | key: varint | kinds: varint | built: flag | elements: varlong | reached 8 | documents: varlong | bytes on disk: varlong )* | fault: text |
 * 149 ComparedIndex  | next: position? | built: flag | stamp 8 | versions: varlong | missing: varlong | wider: varlong | surplus: varlong | example: text* |
 * 150 Files          | format: varint | next: varint | ( name: text | size: varlong | origin: text )* |
 * 151 FileBytes      | offset: varlong | checksum 4 | bytes |
 * 152 FileSum        | SHA-256: bytes |
 * 153 Term           | term 8 | last 8 | applied 8 |
 * 154 Members        | node: text* |
 * 155 ReplicaState   | generation: varint | term 8 | last term 8 | last 8 | committed 8 | applied 8 | settled 8 | member: text* |
 * </pre>
 *
 * The checksum of a range of a file is the CRC32C of the number of the checkpoint (8 bytes), of the
 * offset (8 bytes), of the name of the file in UTF-8, and of the bytes.
 *
 * <p>Numbers of kinds are never used again. A changed body is a new version.
 */
@NullMarked
package io.graphmeta.protocol;

import org.jspecify.annotations.NullMarked;
