// Tests the contract of the Open Agent SDK's SessionStorage, and its files.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { Store } from 'holdfast';
import { HoldfastStorage } from 'holdfast/open-agent-sdk';
import { killedAfter, scratch } from './support.mjs';

const user = (id, text, more) => ({ type: 'user', uuid: randomUUID(), session_id: id, message: { role: 'user', content: text }, parent_tool_use_id: null, ...more });
const answer = (id, text) => ({ type: 'assistant', uuid: randomUUID(), session_id: id, parent_tool_use_id: null, model: 'gpt-4o',
  message: { role: 'assistant', content: [{ type: 'text', text }, { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } }] }, usage: { input_tokens: 1, output_tokens: 2 } });
const result = (id) => ({ type: 'tool_result', uuid: randomUUID(), session_id: id, tool_use_id: 'c1', tool_name: 'Read', result: { lines: [1, 2] }, is_error: false, mine: 'kept' });
const data = (id, messages = [], more) => ({ id, model: 'gpt-4o', provider: 'openai', createdAt: 1794705192292, updatedAt: 1794705192295, messages, options: { model: 'gpt-4o', provider: 'openai', systemPrompt: 'be brief', cwd: '/srv/demo', maxTurns: 3 }, ...more });
const make = (t, home) => {
  const store = new Store('open-agent:' + home);
  t.after(() => store.close());
  return new HoldfastStorage(store);
};

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
  for (let round = 0; round < 5; ++round) for (const line of await killedAfter(3 + round, writer, home, id, String(1000 * round))) told.add('m' + line);
  const there = new Set((await make(t, home).load(id)).messages.map((one) => one.message.content));
  for (const one of told) assert.ok(there.has(one), one);
});
