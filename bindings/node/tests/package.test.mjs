// Tests the package as installed.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setMaxListeners } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { HoldfastError, Session, Store, version } from 'holdfast';

const run = promisify(execFile);
const fresh = (t) => {
  const at = mkdtempSync(path.join(tmpdir(), 'holdfast-node-'));
  t.after(() => rmSync(at, { recursive: true, force: true }));
  return at;
};
const all = async (items) => {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
};
const script = (text, ...args) => run(process.execPath, ['--input-type=module', '-e', text, ...args], { timeout: 20_000 });

test('sessions: append, read, follow, search', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create({ title: 'one' });
  assert.ok(session instanceof Session);
  const appended = await session.append('why does login fail?');
  assert.equal(appended.durability, 'power');
  await session.append({ role: 'assistant', content: [{ type: 'text', text: 'the clock is wrong' }] });
  assert.deepEqual((await all(session.read())).map((one) => one.blocks[0].text), ['why does login fail?', 'the clock is wrong']);
  assert.equal((await all(session.read({ limit: 1 }))).length, 2, 'pages are gone through');
  assert.deepEqual((await all(session.read({ as: 'anthropic' })))[1].content, [{ type: 'text', text: 'the clock is wrong' }]);
  assert.match((await store.create({ title: 'two', dry_run: true })).would, /^create/);
  assert.deepEqual((await all(store.search('clock'))).map((one) => one.session), [session.id]);
  assert.deepEqual((await all(store.search(['login', 'fail']))).length, 1);
  assert.deepEqual((await all(store.sessions())).map((one) => one.title), ['one']);
  assert.equal((await store.session(session.id)).id, session.id);

  const seen = [];
  for await (const event of session.follow({ last: 1 })) {
    if (event.event !== 'message') continue;
    seen.push(event.message.blocks[0].text);
    if (seen.length === 1) await session.append('and now?');
    if (seen.length === 2) break; // ends the stream
  }
  assert.deepEqual(seen, ['the clock is wrong', 'and now?']);
  await session.end('complete');
  await store.close();
  await store.close();
  await assert.rejects(store.call('session.list'), { code: 'invalid_argument' });
});

test('errors have codes', async (t) => {
  const home = fresh(t);
  assert.throws(() => new Store({ home: 'nonsense:/x' }), (error) => error instanceof HoldfastError && error.code === 'invalid_argument');
  const store = new Store('holdfast:' + home);
  await assert.rejects(store.session('ses_none'), (error) => error instanceof HoldfastError && error.code === 'not_found');
  await assert.rejects(store.call('no.such', {}), { code: 'invalid_argument' });
  await assert.rejects(all(store.stream('session.follow', { id: 'ses_none' })), { code: 'not_found' });
  const circle = {};
  circle.circle = circle;
  await assert.rejects(store.call('session.list', circle), TypeError);
  await store.close();
  assert.match(version(), /^\d+\.\d+\.\d+$/);
});

test('an AbortSignal ends calls and streams', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create({});
  await assert.rejects(store.call('session.list', {}, { signal: AbortSignal.abort() }), { code: 'cancelled' });
  const stop = new AbortController();
  await session.append('one');
  await assert.rejects(async () => {
    for await (const event of session.follow({ signal: stop.signal })) if (event.event === 'message') stop.abort();
  }, { code: 'cancelled' });
  // Many calls at once. Those that have not begun are cancelled; the others may succeed or be cancelled. On a fast disk
  // all of them may succeed.
  const many = new AbortController();
  setMaxListeners(0, many.signal);
  const calls = Array.from({ length: 200 }, (_, n) => store.call('message.append', { session: session.id, text: `t${n}` }, { signal: many.signal }));
  many.abort();
  const results = await Promise.allSettled(calls);
  for (const one of results) assert.ok(one.status === 'fulfilled' || one.reason.code === 'cancelled', one.reason);
  const there = new Set((await all(session.read())).map((one) => one.blocks[0].text));
  results.forEach((one, n) => one.status === 'fulfilled' && assert.ok(there.has(`t${n}`)));
  await store.close();
});

test('the event loop turns while disks are waited for', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create({});
  let turns = 0, going = true;
  const turn = () => going && (++turns, setImmediate(turn));
  turn();
  await Promise.all(Array.from({ length: 300 }, (_, n) => store.call('message.append', { session: session.id, text: `m${n}` })));
  going = false;
  assert.ok(turns > 20, `${turns} turns`);
  assert.equal((await all(session.read({ limit: 50 }))).length, 300);
  await store.close();
});

test('appends keep the order of the calls', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create({});
  const same = await store.session(session.id);
  await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? session : same).append(`${n}`)));
  assert.deepEqual((await all(session.read())).map((one) => one.blocks[0].text), Array.from({ length: 60 }, (_, n) => `${n}`));
  await store.close();
});

test('rows come like those of any async generator', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create({});
  // Texts that a page holds as Latin-1, as more, and as ASCII only.
  const texts = ['plain', 'caf\u00e9', '\u65e5\u672c \ud83d\ude00', 'a "quoted"\nline\u2028\\'];
  for (const text of texts) await session.append(text);
  const read = (limit) => session.read({ limit });
  const textOf = ({ value, done }) => (done ? undefined : value.blocks[0].text);
  for (const limit of [1, 3, 100]) {
    assert.deepEqual((await all(read(limit))).map((one) => one.blocks[0].text), texts);
    const once = read(limit); // asked for all at once, and for more than there are
    assert.deepEqual((await Promise.all(Array.from({ length: 6 }, () => once.next()))).map(textOf), [...texts, undefined, undefined]);
    const left = read(limit);
    assert.equal(textOf(await left.next()), 'plain');
    assert.deepEqual(await left.return(7), { value: 7, done: true });
    assert.deepEqual(await left.next(), { value: undefined, done: true });
    const thrown = read(limit);
    await thrown.next();
    await assert.rejects(thrown.throw(new Error('mine')), /^Error: mine$/);
    assert.deepEqual(await thrown.next(), { value: undefined, done: true });
    const mixed = read(limit);
    assert.deepEqual((await Promise.all([mixed.next(), mixed.return(), mixed.next()])).map((one) => one.done), [false, true, true]);
    assert.equal(mixed[Symbol.asyncIterator](), mixed);
  }
  const failing = store.pages('message.list', 'messages', { session: 'ses_none' });
  await assert.rejects(failing.next(), { code: 'not_found' });
  assert.deepEqual(await failing.next(), { value: undefined, done: true });
  await store.close();
});

test('close waits for what was asked for before it', async (t) => {
  const home = 'holdfast:' + fresh(t);
  const texts = async (id) => {
    const store = new Store(home);
    const found = (await all((await store.session(id)).read())).map((one) => one.blocks[0].text);
    await store.close();
    return found;
  };
  for (const wait of ['', 'await new Promise(setImmediate);']) {
    const { stdout } = await script(`import { Store } from 'holdfast'; const store = new Store(process.argv[1]); const s = await store.create();
      for (const text of ['a', 'b', 'c']) s.append(text); ${wait} await store.close(); console.log(s.id)`, home);
    assert.deepEqual(await texts(stdout.trim()), ['a', 'b', 'c']);
  }
  const store = new Store(home);
  const session = await store.create();
  let began, go;
  const [begun, going] = [new Promise((resolve) => (began = resolve)), new Promise((resolve) => (go = resolve))];
  const task = store.task(async (call) => {
    began();
    await going;
    return call('message.append', { session: session.id, text: 'of a task' });
  });
  await begun;
  const closed = store.close();
  await assert.rejects(session.append('too late'), { code: 'invalid_argument' });
  await assert.rejects(store.call('session.list'), { code: 'invalid_argument' });
  await assert.rejects(store.task(() => assert.fail()), { code: 'invalid_argument' });
  go();
  assert.equal((await task).durability, 'power');
  await closed;
  assert.deepEqual(await texts(session.id), ['of a task']);
});

test('a failed append that nobody awaits is not ignored', async (t) => {
  const start = `import { Store } from 'holdfast'; const s = await new Store(process.argv[1]).create();`;
  await assert.rejects(script(`${start} s.append(5)`, 'holdfast:' + fresh(t)), /message must be an object/);
  const { stdout } = await script(`${start} process.on('unhandledRejection', (error) => console.log(error.code)); s.append(5); await s.append('x')`, 'holdfast:' + fresh(t));
  assert.equal(stdout, 'invalid_argument\n');
});

test('a session stays in its store', async (t) => {
  const [a, b, m] = ['holdfast:', 'holdfast:', 'maestro:'].map((layout) => layout + fresh(t));
  const store = new Store({ home: a, stores: [m] });
  const texts = async (session) => (await all(session.read())).map((one) => one.blocks[0].text);
  const here = await store.create({ id: 'plan' }), there = await store.create({ id: 'plan', store: b }), other = await store.create({ store: b });
  await store.create({ id: 'plan', store: m });
  assert.deepEqual([here.place, there.place], [a, b]);
  const found = await store.session('maestro/plan'), named = await store.session('plan', { store: b });
  await Promise.all([here.append('in a'), there.append('in b'), found.append('in m'), other.append('other')]);
  await named.append('also in b');
  assert.deepEqual([await texts(here), await texts(there), await texts(found), await texts(other)],
    [['in a'], ['in b', 'also in b'], ['in m'], ['other']]);
  for await (const event of there.follow()) {
    assert.equal(event.message.blocks[0].text, 'in b');
    break;
  }
  await there.resume();
  await there.end();
  assert.equal((await store.call('session.get', { id: 'plan', store: b })).session.status, 'complete');
  assert.notEqual((await store.call('session.get', { id: 'plan', store: a })).session.status, 'complete');
  await store.close();
});

test('values that would not come back are refused by name', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create();
  for (const [value, said] of [[NaN, /message\.extra\.a\[0\] is NaN/], [new Date(0), /message\.extra\.a\[0\] is a Date/], [1n, /message\.extra\.a\[0\] is a bigint/]])
    await assert.rejects(session.append({ role: 'user', text: 'a', extra: { a: [value] } }), (error) => error instanceof TypeError && said.test(error.message));
  assert.deepEqual(await all(session.read()), []);
  await session.append({ role: 'user', text: 'a', extra: { a: undefined } });
  for (const call of [() => store.call('session.list\0x'), () => all(store.stream('session.follow\0x', { id: session.id }))])
    await assert.rejects(call, (error) => error.code === 'invalid_argument' && error.message.includes('\\u0000x'));
  for (const [method, params] of [['session.list', {}], ['message.append', { session: session.id, text: 'x' }]])
    await assert.rejects(all(store.stream(method, params)), (error) => error.code === 'invalid_argument' && error.message.includes(`${method} is not a stream`));
  assert.equal((await all(session.read())).length, 1);
  await store.close();
});

test('a stream waits for its reader', async (t) => {
  const store = new Store('holdfast:' + fresh(t));
  const session = await store.create({});
  for (let n = 0; n < 300; n += 100) await Promise.all(Array.from({ length: 100 }, (_, m) => session.append(`${n + m}`)));
  const seen = [];
  for await (const event of session.follow({ last: 300 })) {
    if (event.event === 'message') seen.push(event.message.ordinal);
    if (seen.length === 300) break;
  }
  assert.deepEqual(seen, Array.from({ length: 300 }, (_, n) => seen[0] + n));
  await store.close();
});

test('the process ends by itself, and when it is told to', async (t) => {
  const home = 'holdfast:' + fresh(t);
  const start = `import { Store } from 'holdfast'; const store = new Store(process.argv[1]); const s = await store.create({});`;
  const { stdout } = await script(`${start} await s.append('x'); const f = s.follow(); await f.next(); console.log('end')`, home);
  assert.equal(stdout, 'end\n', 'an open store and an idle stream hold nobody');
  await script(`${start} for (let n = 0; n < 50; ++n) s.append('y'); setImmediate(() => process.exit(0))`, home);
  const left = await script(`${start} await s.append('x'); s.append('z').then(() => console.log('told'))`, home);
  assert.equal(left.stdout, 'told\n', 'what is awaited is waited for');
  await assert.rejects(script(`${start} throw new Error('mine')`, home), /mine/);
});

test('worker threads have stores of their own and end with them', async (t) => {
  const home = 'holdfast:' + fresh(t);
  const code = `const { Store } = require('holdfast'); const { workerData, parentPort } = require('node:worker_threads');
    (async () => { const store = new Store(workerData); const s = await store.create({}); await s.append('w'); parentPort.postMessage(s.id);
      for (;;) await s.append('more'); })()`;
  for (let n = 0; n < 3; ++n) {
    const worker = new Worker(code, { eval: true, workerData: home });
    const id = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
    const store = new Store(home);
    assert.ok((await all((await store.session(id)).read())).length > 0);
    await store.close();
  }
});

test('stores that nobody holds are given back', async (t) => {
  const home = 'holdfast:' + fresh(t);
  const { stdout } = await run(process.execPath, ['--expose-gc', '--input-type=module', '-e', `
    import { Store } from 'holdfast'; import { readdirSync } from 'node:fs'; import { setTimeout } from 'node:timers/promises';
    for (let n = 0; n < 50; ++n) await (await new Store(process.argv[1]).create({})).append('x');
    let open = 1e9;
    for (let n = 0; n < 1000 && open > 60; ++n) { gc(); await setTimeout(20); open = readdirSync('/proc/self/fd').length; }
    console.log(open);`, home], { timeout: 60_000 });
  assert.ok(Number(stdout) <= 60, `${stdout} files are open`);
});

test('npm installs it only on machines like the one that built it', () => {
  const { os, cpu } = createRequire(import.meta.url)('holdfast/package.json');
  assert.deepEqual({ os, cpu }, { os: [process.platform], cpu: [process.arch] });
});

test('the types are those of the table', async (t) => {
  if (!process.env.HOLDFAST_BINARY) return t.skip('HOLDFAST_BINARY is not set');
  const made = spawn(process.execPath, [process.env.HOLDFAST_TYPES], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdout } = await run(process.env.HOLDFAST_BINARY, ['api', '--json'], { maxBuffer: 1 << 26 });
  made.stdin.end(stdout);
  let text = '';
  for await (const part of made.stdout.setEncoding('utf8')) text += part;
  const there = readFileSync(path.join(path.dirname(createRequire(import.meta.url).resolve('holdfast')), 'operations.d.ts'), 'utf8');
  assert.ok(there === text);
  assert.ok(there.includes('"message.append": {'));
});
