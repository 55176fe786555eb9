// GraphMeta through the JavaScript driver. PORT and GRAPHMETA_TOKEN come from the environment.
'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const gremlin = require('gremlin');

const { traversal } = gremlin.process.AnonymousTraversalSource;
const { DriverRemoteConnection, Client } = gremlin.driver;
const { PlainTextSaslAuthenticator } = gremlin.driver.auth;
const { t } = gremlin.process;
const __ = gremlin.process.statics;

const URL = `ws://localhost:${process.env.PORT}/gremlin`;
const authenticator = new PlainTextSaslAuthenticator('token', process.env.GRAPHMETA_TOKEN);
const CONFIG = '/proj/hx01/config/model.cfg';
const FIGURE = '/scratch/amira/sweep1/figure.svg';
const MOMENT = new Date('2026-11-21T00:35:25Z');
const SERVICES = [
  'backup',
  'check',
  'diff',
  'history',
  'impact',
  'index',
  'lineage',
  'load',
  'placement',
  'search',
  'session',
  'status',
  'top',
].map((name) => `graphmeta.${name}`);

let connection;
let g;

before(() => {
  connection = new DriverRemoteConnection(URL, { traversalSource: 'g', authenticator });
  g = traversal().withRemote(connection);
});

after(() => connection.close());

const one = async (query) => (await query.next()).value;

async function refused(query, ...parts) {
  await assert.rejects(query, (error) => {
    for (const part of parts) {
      assert.ok(error.message.includes(part), `${error.message} names ${part}`);
    }
    return true;
  });
}

test('a session goes on elsewhere', async () => {
  // A token a little ahead tells whether it was heeded: without it the server would read below.
  const client = new Client(URL, { traversalSource: 'g', authenticator });
  const added = await client.submit("g.addV('note').property(id, 'session:js').id()");
  await client.close();
  assert.deepEqual(added.toArray(), ['session:js']);
  const written = added.attributes.get('graphmeta.session');
  assert.ok((await one(g.call('graphmeta.session'))) >= written);
  const ahead = (BigInt(`0x${written}`) + (200_000n << 10n)).toString(16).padStart(16, '0');
  const there = g.with_('graphmeta.session', ahead);
  assert.ok((await one(there.call('graphmeta.session'))) >= ahead);
  assert.equal(await one(there.V('session:js').count()), 1);
  await refused(g.with_('graphmeta.session', '2026-11-21').V().next(), 'is not a session token');
  await g.V('session:js').drop().iterate();
});

test('example', async () => {
  const port = process.env.PORT;
  // [example]
  const authenticator = new PlainTextSaslAuthenticator('token', process.env.GRAPHMETA_TOKEN);
  const connection = new DriverRemoteConnection(`ws://localhost:${port}/gremlin`, { authenticator });
  const g = traversal().withRemote(connection);

  const now = (await g.V().hasLabel('job').count().next()).value;
  const moment = new Date('2026-11-21T00:35:25Z');
  const then = (await g.with_('asOf', moment).V().hasLabel('job').count().next()).value;
  const known = (await g.with_('knownAt', '2026-11-01T00:00:00Z').V().count().next()).value;
  // [end]
  assert.deepEqual([now, then, known], [79, 18, 0]);
  await connection.close();
});

test('read', async () => {
  const counts = await one(g.V().groupCount().by(t.label));
  assert.equal(counts.get('job'), 79);
  assert.equal(counts.get('process'), 233);
  const job = await one(g.V('job:184268').elementMap('name', 'state'));
  assert.equal(job.get('name'), 'sw1_k0.064_r3');
  assert.equal(job.get(t.id), 'job:184268');
  const path = await one(g.V(CONFIG).in_('wrote').in_('contains').path());
  assert.equal(path.objects[0].id, CONFIG);
});

// Loaded a moment ago, and searched without a word about indexes.
test('search', async () => {
  const search = (source, parameters) =>
    source.call('graphmeta.search', new Map(Object.entries(parameters))).toList();
  const found = await search(g, { query: 'model cfg', label: 'file' });
  assert.ok(found.map((vertex) => vertex.id).includes(CONFIG));
  const past = g.with_('asOf', MOMENT);
  const pending = await search(past, { query: 'state:PENDING', label: 'job', sort: 'id', limit: 1000 });
  const there = pending.map((vertex) => vertex.id);
  assert.ok(there.includes('job:184268'));
  assert.deepEqual(there.sort(), (await past.V().has('job', 'state', 'PENDING').id().toList()).sort());
  for (const counted of await search(g, { query: 'state:COMPLETED OR state:FAILED', facet: 'state' })) {
    const state = counted.get('value');
    assert.equal(counted.get('count'), await one(g.V().has('job', 'state', state).count()), state);
  }
  await refused(search(g, { query: '(model' }), '(model', 'cannot be read');
});

test('as of', async () => {
  for (const time of [
    MOMENT,
    '2026-11-21T00:35:25Z',
    '2026-11-21T01:35:25+01:00',
    MOMENT.getTime(),
    BigInt(MOMENT.getTime()),
  ]) {
    const source = g.with_('asOf', time);
    assert.equal(await one(source.V().hasLabel('job').count()), 18, String(time));
    assert.equal(await one(source.V('job:184268').values('state')), 'PENDING', String(time));
  }
  assert.equal(await one(g.V('job:184268').values('state')), 'COMPLETED');
});

test('known at', async () => {
  const before = new Date('2026-11-01T00:00:00Z');
  for (const time of [before, before.toISOString(), before.getTime()]) {
    assert.equal(await one(g.with_('knownAt', time).V().count()), 0, String(time));
  }
  await refused(g.with_('asOf', 'noon').V().next(), 'asOf', 'noon');
});

test('write, each by itself', async () => {
  await g.addV('note').property(t.id, 'js:1').property('text', 'a').iterate();
  await g.addV('note').property(t.id, 'js:2').property('text', 'b').iterate();
  await g.V('js:1').addE('about').to(__.V('js:2')).property('weight', 0.5).iterate();
  await g.V('js:1').property('text', 'changed').iterate();
  assert.equal(await one(g.V('js:1').values('text')), 'changed');
  assert.equal(await one(g.V('js:1').outE('about').values('weight')), 0.5);
  await g.V('js:1', 'js:2').drop().iterate();
  assert.equal(await one(g.V('js:1', 'js:2').count()), 0);
});

test('transactions', async () => {
  let transaction = g.tx();
  let source = transaction.begin();
  await source.addV('note').property(t.id, 'js:tx1').iterate();
  assert.ok(await source.V('js:tx1').hasNext());
  assert.ok(!(await g.V('js:tx1').hasNext()));
  await transaction.commit();
  assert.ok(await g.V('js:tx1').hasNext());

  transaction = g.tx();
  source = transaction.begin();
  await source.addV('note').property(t.id, 'js:tx2').iterate();
  await source.V('js:tx1').drop().iterate();
  await transaction.rollback();
  assert.ok(!(await g.V('js:tx2').hasNext()));
  assert.ok(await g.V('js:tx1').hasNext());
  await g.V('js:tx1').drop().iterate();
});

test('the loser of a conflict learns of it at commit', async () => {
  await g.addV('note').property(t.id, 'js:hot').property('n', 0).iterate();
  const [first, second] = [g.tx(), g.tx()];
  const [one, two] = [first.begin(), second.begin()];
  await one.V('js:hot').property('n', 1).iterate();
  await two.V('js:hot').property('n', 2).iterate();
  await first.commit();
  await refused(second.commit(), 'n');
  assert.equal((await g.V('js:hot').values('n').next()).value, 1);
  await g.V('js:hot').drop().iterate();
});

test('ids', async () => {
  const given = [
    ['js:id', 'js:id'],
    ['/js/a b/ü.dat', '/js/a b/ü.dat'],
    [4712, 4712],
    [9007199254740993n, '9007199254740993'],
  ];
  for (const [id, seen] of given) {
    const created = await one(g.addV('note').property(t.id, id));
    assert.equal(created.id, seen);
    assert.equal(await one(g.V(id).id()), seen);
    assert.equal(await one(g.V(String(id)).id()), seen);
    assert.equal(await one(g.V().hasId(id).count()), 1);
  }
  const generated = await one(g.addV('note').property('text', 'x'));
  assert.equal(await one(g.V(generated.id).id()), generated.id);
  const edge = await one(g.V('js:id').addE('about').to(__.V(generated.id)));
  assert.equal(await one(g.E(edge.id).id()), edge.id);
  const property = await one(g.V(generated.id).properties('text'));
  assert.equal(await one(g.V(generated.id).properties('text').id()), property.id);
  await g.V().hasLabel('note').drop().iterate();
});

test('values', async () => {
  const values = {
    boolean: true,
    int: -7,
    double: 0.1,
    text: 'naïve\n\u4f60',
    date: MOMENT,
    list: [1, 'a', 2.5],
    set: new Set(['a', 'b']),
    map: new Map([
      ['a', 1],
      ['b', [1, 2]],
    ]),
    long: 4294967296,
    big: 2n ** 70n,
  };
  let creation = g.addV('note').property(t.id, 'js:values');
  for (const [key, value] of Object.entries(values)) {
    creation = creation.property(key, value);
  }
  await creation.iterate();
  const read = await one(g.V('js:values').elementMap());
  for (const [key, value] of Object.entries(values)) {
    assert.deepEqual(read.get(key), value, key);
  }
  await g.V('js:values').drop().iterate();
});

test('large result', async () => {
  const ids = await g.V().limit(50).V().limit(50000).id().toList();
  assert.equal(ids.length, 50000);
});

test('services', async () => {
  const listed = await g.call('--list').toList();
  assert.deepEqual(listed.filter((name) => name.startsWith('graphmeta.')).sort(), SERVICES);
  const length = async (source, name, parameters) =>
    (await source.call(name, new Map(Object.entries(parameters))).toList()).length;
  assert.equal(await length(g, 'graphmeta.lineage', { id: FIGURE }), 110);
  const past = g.with_('asOf', '2026-11-21T00:35:30Z');
  assert.equal(await length(past, 'graphmeta.history', { id: CONFIG }), 1);
  const history = await g.call('graphmeta.history').with_('id', CONFIG).toList();
  assert.deepEqual(
    history.map((change) => change.get('operation')),
    ['wrote', 'wrote'],
  );
  const affected = { id: CONFIG, at: '2026-11-21T00:35:26Z' };
  assert.equal(await length(g, 'graphmeta.impact', affected), 59);
  assert.equal(await length(g, 'graphmeta.diff', { a: 'job:184268', b: 'job:184267' }), 15);
  const placed = await g.call('graphmeta.placement').with_('ids', CONFIG).toList();
  assert.deepEqual(
    placed.map((vertex) => vertex.get('out').map((partition) => partition.get('entries'))),
    [[0]],
  );
  const misspelt = new Map([
    ['id', FIGURE],
    ['depht', 3],
  ]);
  await refused(g.call('graphmeta.lineage', misspelt).toList(), 'graphmeta.lineage', 'depht');
});

test('errors', async () => {
  const past = g.with_('asOf', MOMENT).addV('note').property(t.id, 'js:nowhere').iterate();
  await refused(past, 'past');
  await refused(g.with_('asof', MOMENT).V().next(), 'asof');
  await refused(g.addV('note').property(t.id, 'job:184268').iterate(), 'job:184268');
  assert.equal(await one(g.V().hasLabel('job').count()), 79);
});

test('scripts', async () => {
  const client = new Client(URL, { traversalSource: 'g', authenticator });
  const count = await client.submit('g.V().hasLabel(x).count()', { x: 'job' });
  assert.deepEqual(count.toArray(), [79]);
  await refused(client.submit('System.exit(1)'), 'System');
  await client.close();
});
