// Our tests of the contracts that the Claude Agent SDK documents for a SessionStore.
import assert from 'node:assert/strict';
import { symlinkSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldSessionSummary } from '@anthropic-ai/claude-agent-sdk';
import { HoldfastSessionStore, projectKeyForDirectory } from 'holdfast/claude-agent-sdk';
import { freshStore, killedAfter, kills, scratch } from './support.mjs';

const key = (projectKey, sessionId, subpath) => (subpath === undefined ? { projectKey, sessionId } : { projectKey, sessionId, subpath });
const said = (n, more) => ({ type: 'user', uuid: `u${n}`, timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: `m${n}` }, ...more });
const make = (t, home) => new HoldfastSessionStore(freshStore(t, home), { foldSessionSummary });

test('1 what is appended is loaded, in order and the same', async (t) => {
  const store = make(t);
  const entries = [said(1, { nested: { a: [1, null, 'é😀', { b: 2.5 }], __proto__x: 1 } }), { type: 'tag', tag: '' }, said(2, { '': 0 })];
  await store.append(key('p', 's'), entries);
  assert.deepEqual(await store.load(key('p', 's')), entries);
});
test('2 a key that was never written loads as null', async (t) => {
  const store = make(t);
  assert.equal(await store.load(key('p', 'none')), null);
  await store.append(key('p', 's'), [said(1)]);
  assert.equal(await store.load(key('p', 's', 'subagents/agent-x')), null);
});
test('3 appends keep the order of the calls, awaited or not', async (t) => {
  const store = make(t);
  await Promise.all(Array.from({ length: 40 }, (_, n) => store.append(key('p', 's'), [said(2 * n), said(2 * n + 1)])));
  assert.deepEqual((await store.load(key('p', 's'))).map((one) => one.uuid), Array.from({ length: 80 }, (_, n) => `u${n}`));
});
test('4 an empty append makes nothing', async (t) => {
  const store = make(t);
  await store.append(key('p', 's'), []);
  assert.equal(await store.load(key('p', 's')), null);
  assert.deepEqual(await store.listSessions('p'), []);
});
test('5 a subpath is a transcript of its own, and never empty', async (t) => {
  const store = make(t);
  await store.append(key('p', 's'), [said(1)]);
  await store.append(key('p', 's', 'subagents/agent-1'), [said(1), said(2)]);
  assert.deepEqual(await store.load(key('p', 's')), [said(1)]);
  assert.deepEqual(await store.load(key('p', 's', 'subagents/agent-1')), [said(1), said(2)]);
  await assert.rejects(async () => store.append(key('p', 's', ''), [said(1)]), TypeError);
});
test('6 projects do not see each other', async (t) => {
  const store = make(t);
  await store.append(key('a', 's'), [said(1)]);
  await store.append(key('b', 's'), [said(2)]);
  assert.deepEqual(await store.load(key('a', 's')), [said(1)]);
  assert.deepEqual(await store.load(key('b', 's')), [said(2)]);
});
test('7 sessions are listed with the time of their last write', async (t) => {
  const store = make(t);
  const before = Date.now();
  await store.append(key('p', 'one'), [said(1)]);
  await store.append(key('p', 'two'), [said(1)]);
  const listed = await store.listSessions('p');
  assert.deepEqual(listed.map((one) => one.sessionId).sort(), ['one', 'two']);
  for (const { mtime } of listed) assert.ok(Number.isInteger(mtime) && mtime >= before && mtime <= Date.now() + 1);
  assert.deepEqual(await store.listSessions('nobody'), []);
});
test('8 a session of nothing but subpaths is not listed', async (t) => {
  const store = make(t);
  await store.append(key('p', 'only', 'subagents/agent-1'), [said(1)]);
  assert.deepEqual(await store.listSessions('p'), []);
});
test('9 what is deleted is gone; deleting nothing is no error', async (t) => {
  const store = make(t);
  await store.append(key('p', 's'), [said(1)]);
  await store.delete(key('p', 's'));
  assert.equal(await store.load(key('p', 's')), null);
  await store.delete(key('p', 's'));
  await store.append(key('p', 's'), [said(1)]);
  assert.deepEqual(await store.load(key('p', 's')), [said(1)], 'and may come again');
});
test('10 deleting a session deletes its subpaths and nothing else', async (t) => {
  const store = make(t);
  for (const one of [key('p', 's'), key('p', 's', 'a'), key('p', 's', 'b'), key('p', 's2'), key('p', 's2', 'a'), key('q', 's')])
    await store.append(one, [said(1)]);
  await store.delete(key('p', 's'));
  for (const one of [key('p', 's'), key('p', 's', 'a'), key('p', 's', 'b')]) assert.equal(await store.load(one), null);
  for (const one of [key('p', 's2'), key('p', 's2', 'a'), key('q', 's')]) assert.deepEqual(await store.load(one), [said(1)]);
});
test('11 deleting a subpath deletes that one', async (t) => {
  const store = make(t);
  for (const one of [key('p', 's'), key('p', 's', 'a'), key('p', 's', 'b')]) await store.append(one, [said(1)]);
  await store.delete(key('p', 's', 'a'));
  assert.equal(await store.load(key('p', 's', 'a')), null);
  for (const one of [key('p', 's'), key('p', 's', 'b')]) assert.deepEqual(await store.load(one), [said(1)]);
});
test('12 and 13 subkeys are the subpaths, without the main transcript', async (t) => {
  const store = make(t);
  await store.append(key('p', 's'), [said(1)]);
  assert.deepEqual(await store.listSubkeys(key('p', 's')), []);
  for (const subpath of ['subagents/agent-2', 'subagents/agent-1', '../odd']) await store.append(key('p', 's', subpath), [said(1)]);
  assert.deepEqual((await store.listSubkeys(key('p', 's'))).sort(), ['../odd', 'subagents/agent-1', 'subagents/agent-2']);
  assert.deepEqual(await store.listSubkeys(key('p', 'none')), []);
});
test('14 summaries are folded with the entries, whoever writes', async (t) => {
  const home = scratch(t);
  const [one, two] = [make(t, home), make(t, home)];
  const all = [];
  for (let n = 0; n < 10; ++n) {
    const entries = [said(n, { cwd: '/srv', gitBranch: `b${n}` }), { type: 'custom-title', customTitle: `t${n}`, sessionId: 's' }];
    await (n % 2 ? one : two).append(key('p', 's'), entries);
    all.push(...entries);
  }
  await one.append(key('p', 's', 'subagents/agent-1'), [said(99, { gitBranch: 'of the agent' })]);
  const wanted = foldSessionSummary(undefined, key('p', 's'), all, { mtime: 1 });
  const [summary, ...rest] = await two.listSessionSummaries('p');
  assert.deepEqual(rest, []);
  assert.deepEqual(summary.data, wanted.data);
  assert.equal(summary.sessionId, 's');
  const [{ mtime }] = await one.listSessions('p');
  assert.ok(Number.isInteger(summary.mtime) && summary.mtime >= mtime);
  await one.delete(key('p', 's'));
  assert.deepEqual(await one.listSessionSummaries('p'), []);
});
test('two writers at once lose no entry and no summary', async (t) => {
  const home = scratch(t);
  const writers = [make(t, home), make(t, home)];
  await Promise.all(Array.from({ length: 30 }, (_, n) => writers[n % 2].append(key('p', 's'), [said(n, { gitBranch: 'b' })])));
  assert.deepEqual((await writers[0].load(key('p', 's'))).map((one) => one.uuid).sort(), Array.from({ length: 30 }, (_, n) => `u${n}`).sort());
  assert.equal((await writers[0].listSessionSummaries('p')).length, 1);
});
test('a uuid is there once; entries without one are not looked at', async (t) => {
  const store = make(t);
  const batch = [said(1), { type: 'mode', mode: 'plan' }];
  await store.append(key('p', 's'), batch);
  await store.append(key('p', 's'), batch);
  assert.deepEqual(await store.load(key('p', 's')), [...batch, batch[1]]);
});
test('what JSON would change is refused before anything is written', async (t) => {
  const store = make(t);
  for (const [value, words] of [[NaN, /entries\[1\]\.a is NaN/], [new Date(0), /entries\[1\]\.a is a Date/]])
    await assert.rejects(store.append(key('p', 's'), [said(1), said(2, { a: value })]), words);
  assert.equal(await store.load(key('p', 's')), null);
});
test('close() of the store waits for what was asked for', async (t) => {
  const home = scratch(t), store = freshStore(t, home);
  const mirror = new HoldfastSessionStore(store, { foldSessionSummary });
  const asked = [1, 2, 3].map((n) => mirror.append(key('p', 's'), [said(n)]));
  await store.close();
  await Promise.all(asked);
  assert.equal((await make(t, home).load(key('p', 's'))).length, 3);
  await assert.rejects(mirror.append(key('p', 's'), [said(4)]), { code: 'invalid_argument' });
});
test('a store without the fold keeps no summaries and does not say that it does', async (t) => {
  const store = new HoldfastSessionStore(freshStore(t));
  assert.equal(store.listSessionSummaries, undefined);
  await store.append(key('p', 's'), [said(1)]);
  assert.deepEqual(await store.load(key('p', 's')), [said(1)]);
});
test('the key of a project is that of ~/.claude/projects', async (t) => {
  const home = scratch(t);
  mkdirSync(path.join(home, 'a.b_c'));
  symlinkSync('a.b_c', path.join(home, 'link'));
  assert.equal(projectKeyForDirectory(path.join(home, 'link')), path.join(home, 'a.b_c').replace(/[^a-zA-Z0-9]/g, '-'));
  const long = projectKeyForDirectory('/' + 'x'.repeat(300));
  assert.match(long, /^-x{199}-[0-9a-z]+$/);
});
test('kill -9 of a mirror loses nothing that was acknowledged and doubles nothing', async (t) => {
  const home = scratch(t);
  const writer = `import { Store } from 'holdfast'; import { HoldfastSessionStore } from 'holdfast/claude-agent-sdk';
    import { foldSessionSummary } from '@anthropic-ai/claude-agent-sdk';
    const store = new HoldfastSessionStore(new Store('holdfast:' + process.argv[1]), { foldSessionSummary });
    for (let n = Number(process.argv[2]); ; ++n) {
      await store.append({ projectKey: 'p', sessionId: 's' }, [{ type: 'user', uuid: 'a' + n }, { type: 'user', uuid: 'b' + n }]);
      process.stdout.write(n + '\\n');
    }`;
  const acknowledged = new Set();
  for (let round = 0; round < kills; ++round)
    // Starts with entries that may already be stored, as a retry does.
    for (const line of await killedAfter(3 + (round % 8), writer, home, String(Math.max(0, acknowledged.size - 2)))) acknowledged.add(Number(line));
  const there = (await make(t, home).load(key('p', 's'))).map((one) => one.uuid);
  assert.equal(new Set(there).size, there.length, 'nothing twice');
  for (const n of acknowledged) assert.ok(there.includes(`a${n}`) && there.includes(`b${n}`), `${n} is lost`);
  for (let at = 0; at < there.length; at += 2) assert.equal(there[at].slice(1), there[at + 1].slice(1), 'no half of a batch');
});
