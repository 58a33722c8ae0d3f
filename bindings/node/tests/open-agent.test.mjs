// Tests the contract of the Open Agent SDK's SessionStorage, and its files.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { HoldfastStorage } from 'holdfast/open-agent-sdk';
import { killedAfter, kills, openStore, scratch } from './support.mjs';

const user = (id, text, more) => ({ type: 'user', uuid: randomUUID(), session_id: id, message: { role: 'user', content: text }, parent_tool_use_id: null, ...more });
const answer = (id, text) => ({ type: 'assistant', uuid: randomUUID(), session_id: id, parent_tool_use_id: null, model: 'gpt-4o',
  message: { role: 'assistant', content: [{ type: 'text', text }, { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } }] }, usage: { input_tokens: 1, output_tokens: 2 } });
const result = (id) => ({ type: 'tool_result', uuid: randomUUID(), session_id: id, tool_use_id: 'c1', tool_name: 'Read', result: { lines: [1, 2] }, is_error: false, mine: 'kept' });
const data = (id, messages = [], more) => ({ id, model: 'gpt-4o', provider: 'openai', createdAt: 1794705192292, updatedAt: 1794705192295, messages, options: { model: 'gpt-4o', provider: 'openai', systemPrompt: 'be brief', cwd: '/srv/demo', maxTurns: 3 }, ...more });
const make = (t, home, options) => new HoldfastStorage(openStore(t, 'open-agent:' + home), options);
const texts = async (storage, id) => (await storage.load(id)).messages.map((one) => one.message.content);

test('save, append, load: the SDK goes on where it was', async (t) => {
  const home = scratch(t), id = randomUUID();
  const storage = make(t, home);
  assert.equal(await storage.load(id), null);
  assert.equal(await storage.exists(id), false);
  assert.deepEqual(await storage.list(), []);
  await storage.append(id, user(id, 'lost'));
  assert.equal(await storage.exists(id), false, 'an append makes no session');
  await storage.save(data(id));
  const said = [user(id, 'hello'), answer(id, 'hi'), result(id), user(id, 'é😀\u2028')];
  for (const one of said) await storage.append(id, one);
  await storage.save(data(id, said, { options: { model: 'gpt-4o', provider: 'openai' } }));
  const back = await make(t, home).load(id);
  assert.deepEqual(back.messages, said);
  assert.equal(back.model, 'gpt-4o');
  assert.equal(back.provider, 'openai');
  assert.equal(back.createdAt, 1794705192292);
  assert.equal(back.options.systemPrompt, 'be brief', 'the last save does not forget the options');
  assert.deepEqual(await storage.list(), [id]);
  const folder = path.join(home, 'projects', '-srv-demo');
  const lines = readFileSync(path.join(folder, `${id}.jsonl`), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(lines[0].type, 'session_header');
  assert.deepEqual(lines.slice(1), said, 'one line a message, and nothing twice');
});

test('a save without a session before it makes it; undefined members are none', async (t) => {
  const storage = make(t, scratch(t)), id = randomUUID();
  const said = [user(id, 'hello', { timestamp: undefined }), answer(id, 'hi')];
  await storage.save(data(id, said));
  assert.deepEqual((await storage.load(id)).messages, JSON.parse(JSON.stringify(said)));
});

test('compaction: fewer messages, other ones', async (t) => {
  const home = scratch(t), storage = make(t, home), id = randomUUID();
  const said = Array.from({ length: 6 }, (_, n) => user(id, `m${n}`));
  await storage.save(data(id, said));
  const boundary = { type: 'system', subtype: 'compact_boundary', uuid: randomUUID(), session_id: id, compact_metadata: { trigger: 'manual', pre_tokens: 9 } };
  const kept = [boundary, { ...answer(id, 'Summary of previous conversation:\nmany'), message: { role: 'assistant', content: [{ type: 'text', text: 'Summary of previous conversation:\nmany' }] } }, ...said.slice(4)];
  await storage.save(data(id, kept));
  assert.deepEqual((await make(t, home).load(id)).messages, kept);
});

test('a session that was compacted goes on', async (t) => {
  const home = scratch(t), id = randomUUID(), storage = make(t, home);
  const saved = data(id);
  await storage.save(saved);
  for (const text of ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']) {
    saved.messages.push(user(id, text));
    await storage.append(id, saved.messages.at(-1));
  }
  await storage.save(saved);
  for (let round = 0; round < 2; ++round) {
    saved.messages = [user(id, 'summary'), ...saved.messages.slice(-4)];
    await storage.save(saved);
    await storage.save(saved);
    saved.messages.push(user(id, `more ${round}`));
    await storage.append(id, saved.messages.at(-1));
    await storage.save(saved);
    assert.deepEqual((await make(t, home).load(id)).messages, saved.messages);
  }
  const file = readFileSync(path.join(home, 'projects', '-srv-demo', `${id}.jsonl`), 'utf8');
  assert.equal(file.trimEnd().split('\n').length, 1 + 6 + 2 * 6, 'a save that changes nothing writes nothing');
  for (const text of ['q1', 'a1', 'summary', 'more 0']) assert.ok(file.includes(text), text);
});

test('a save may leave out, edit and repeat messages', async (t) => {
  const home = scratch(t), id = randomUUID(), storage = make(t, home);
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((text) => user(id, text));
  const edited = { ...two, message: { role: 'user', content: 'two, edited' } };
  const unnamed = { type: 'system', subtype: 'init', session_id: id, model: 'm', provider: 'p', tools: [], cwd: '/' };
  const placed = { ...four, parentUuid: randomUUID(), isBranch: true, timestamp: '2026-11-18T00:00:00.000Z' };
  const boundary = { type: 'system', subtype: 'compact_boundary', uuid: randomUUID(), session_id: id, compact_metadata: { trigger: 'auto', pre_tokens: 9 } };
  for (const messages of [[one], [two], [], [one, two, three], [one, two], [one, two, three], [one, edited, three], [], [one], [], [two, one, two], [unnamed, one, three],
    [unnamed, one], [unnamed], [unnamed, placed, one], [one, placed], [one, placed, two], [one, placed, two, boundary], [unnamed, boundary, two], [three, boundary, two], [boundary]]) {
    await storage.save(data(id, messages));
    assert.deepEqual((await make(t, home).load(id)).messages, messages);
    const next = user(id, 'next');
    await storage.append(id, next);
    assert.deepEqual((await make(t, home).load(id)).messages, [...messages, next]);
    await storage.save(data(id, messages));
    assert.deepEqual((await make(t, home).load(id)).messages, messages);
  }
});

test('a save that is refused changes nothing', async (t) => {
  const home = scratch(t), id = randomUUID(), other = randomUUID(), storage = make(t, home);
  const deep = { ...user(id, 'deep'), deep: JSON.parse('['.repeat(1100) + ']'.repeat(1100)) };
  const said = ['one', 'two', 'three'].map((text) => user(id, text));
  await storage.save(data(id));
  for (const before of [[], said]) {
    await storage.save(data(id, before));
    for (const refused of [[...before, user(id, 'more'), deep], [user(id, 'summary'), ...said.slice(1), deep]]) {
      await assert.rejects(storage.save(data(id, refused, { model: 'another' })), { code: 'invalid_argument' });
      const back = await make(t, home).load(id);
      assert.deepEqual([back.messages, back.model], [before, 'gpt-4o']);
    }
  }
  await assert.rejects(storage.save(data(other, [user(other, 'one'), deep])), { code: 'invalid_argument' });
  assert.equal(await storage.exists(other), false);
  await assert.rejects(storage.save(data(id, [5])), /messages\[0\] is not an object/);
});

test('a save that was killed in the middle changes nothing', async (t) => {
  const home = scratch(t), id = randomUUID(), storage = make(t, home);
  const said = ['one', 'two', 'three', 'four'].map((text) => user(id, text));
  await storage.save(data(id, said));
  const kept = [user(id, 'summary'), ...said.slice(2)];
  await storage.save(data(id, kept));
  const file = path.join(home, 'projects', '-srv-demo', `${id}.jsonl`);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  for (let there = 5; there <= 8; ++there) {
    writeFileSync(file, lines.slice(0, there).join('\n') + '\n');
    const before = there < 8 ? said : kept;
    const again = make(t, home);
    assert.deepEqual((await again.load(id)).messages, before);
    const next = user(id, 'next');
    await again.append(id, next);
    assert.deepEqual((await make(t, home).load(id)).messages, [...before, next]);
    await make(t, home).save(data(id, [...kept, next]));
    assert.deepEqual((await make(t, home).load(id)).messages, [...kept, next]);
  }
});

test('a message may be appended again after a lost answer', async (t) => {
  const home = scratch(t), id = randomUUID(), storage = make(t, home);
  await storage.save(data(id));
  const said = [user(id, 'one'), user(id, 'two', { timestamp: undefined })];
  for (const one of [...said, ...said]) await storage.append(id, one);
  assert.deepEqual(await texts(storage, id), ['one', 'two']);
  await assert.rejects(storage.append(id, { ...said[0], message: { role: 'user', content: 'another' } }), { code: 'already_exists' });
  await storage.save(data(id, [user(id, 'summary')]));
  await storage.append(id, said[0]);
  assert.deepEqual(await texts(storage, id), ['summary', 'one'], 'a message of the branch before');
});

test('a save keeps the model, the provider and the directory that it is given', async (t) => {
  const home = scratch(t), id = randomUUID(), storage = make(t, home, { cwd: home });
  await storage.save(data(id, [], { options: {} }));
  const first = await storage.load(id);
  assert.deepEqual([first.model, first.provider, first.options.cwd], ['gpt-4o', 'openai', home]);
  for (const options of [{}, first.options, { model: 'stale' }]) {
    const model = randomUUID();
    await storage.save(data(id, [], { model, provider: 'anthropic', options }));
    const back = await make(t, home).load(id);
    assert.deepEqual([back.model, back.provider, back.options.model], [model, 'anthropic', model]);
  }
  const two = randomUUID();
  await storage.save(data(two));
  assert.deepEqual((await storage.list()).sort(), [id, two].sort());
  assert.equal((await storage.load(two)).options.cwd, '/srv/demo');
  assert.deepEqual(await make(t, home, { cwd: '/srv/demo' }).list(), []);
  assert.equal((await make(t, home).list()).length, 2);
});

test('close() of the store waits for what was asked for', async (t) => {
  const home = scratch(t), id = randomUUID(), store = openStore(t, 'open-agent:' + home);
  const storage = new HoldfastStorage(store), said = user(id, 'hello');
  const saved = storage.save(data(id)), appended = storage.append(id, said);
  await store.close();
  await Promise.all([saved, appended]);
  assert.deepEqual((await make(t, home).load(id)).messages, [said]);
});

test('forks say where they come from', async (t) => {
  const storage = make(t, scratch(t)), id = randomUUID(), fork = randomUUID();
  const said = [user(id, 'hello'), answer(id, 'hi')];
  await storage.save(data(id, said));
  await storage.save(data(fork, said, { parentSessionId: id, forkedAt: 1794705199999 }));
  const back = await storage.load(fork);
  assert.equal(back.parentSessionId, id);
  assert.equal(back.forkedAt, 1794705199999);
  assert.deepEqual(back.messages, said.map((one) => ({ ...one, session_id: fork })));
  assert.deepEqual((await storage.list()).sort(), [id, fork].sort());
});

test('ids are uuids; deleting is idempotent', async (t) => {
  const storage = make(t, scratch(t)), id = randomUUID();
  for (const call of [() => storage.save(data('mine')), () => storage.load('mine'), () => storage.append('mine', {}), () => storage.exists('../x'), () => storage.delete('x')])
    await assert.rejects(async () => call(), /Invalid session ID format/);
  await storage.save(data(id, [user(id, 'x')]));
  await storage.delete(id);
  await storage.delete(id);
  assert.equal(await storage.load(id), null);
  assert.deepEqual(await storage.list(), []);
});

test('files of the SDK itself are read and gone on with', async (t) => {
  const home = scratch(t), id = randomUUID();
  const first = make(t, home);
  await first.save(data(id, [user(id, 'hello')]));
  const file = path.join(home, 'projects', '-srv-demo', `${id}.jsonl`);
  const line = user(id, 'from the SDK');
  appendFileSync(file, JSON.stringify(line) + '\n{"type":"user","torn');
  const storage = make(t, home);
  assert.deepEqual((await storage.load(id)).messages.at(-1), line, 'a torn line loses no session');
  const next = user(id, 'and on');
  await storage.append(id, next);
  assert.deepEqual((await storage.load(id)).messages.slice(-2), [line, next]);
});

test('no key enters a header', async (t) => {
  const home = scratch(t), storage = make(t, home), id = randomUUID();
  await storage.save(data(id, [user(id, 'x')], { options: { model: 'm', apiKey: 'sk-secret-1', env: { TOKEN: 'sk-secret-2' }, cwd: '/srv/demo' } }));
  for (const name of readdirSync(home, { recursive: true, withFileTypes: true }))
    if (name.isFile()) assert.ok(!readFileSync(path.join(name.path, name.name), 'latin1').includes('sk-secret'), name.name);
});

test('kill -9 while messages are appended loses none that was acknowledged', async (t) => {
  const home = scratch(t), id = randomUUID();
  await make(t, home).save(data(id));
  const writer = `import { Store } from 'holdfast'; import { HoldfastStorage } from 'holdfast/open-agent-sdk';
    const storage = new HoldfastStorage(new Store('open-agent:' + process.argv[1])); const id = process.argv[2];
    for (let n = Number(process.argv[3]); ; ++n) {
      await storage.append(id, { type: 'user', uuid: crypto.randomUUID(), session_id: id, message: { role: 'user', content: 'm' + n }, parent_tool_use_id: null });
      process.stdout.write(n + '\\n');
    }`;
  const told = new Set();
  for (let round = 0; round < kills; ++round)
    for (const line of await killedAfter(3 + (round % 8), writer, home, id, String(1000 * round))) told.add('m' + line);
  const there = new Set((await make(t, home).load(id)).messages.map((one) => one.message.content));
  for (const one of told) assert.ok(there.has(one), one);
});
