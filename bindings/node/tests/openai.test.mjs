// Tests the Session for the OpenAI Agents SDK: the SDK's runner with scripted models, and exactly-once transactions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent, Runner, tool } from '@openai/agents';
import * as testing from '@openai/agents-core/testing';
import { HoldfastSession } from 'holdfast/openai-agents';
import { freshStore, killedAfter, kills, scratch } from './support.mjs';

const user = (content) => ({ type: 'message', role: 'user', content });
const append = (...items) => ({ type: 'append_items', items });
const replace = (expectedSuffix, replacement) => ({ type: 'replace_suffix', expectedSuffix, replacement });

test('runs of an agent go on where they were, in another process too', async (t) => {
  const home = scratch(t);
  const runner = new Runner({ tracingDisabled: true });
  const model = (text) => new testing.ScriptedModel([[testing.assistantMessage(text)]]);
  const one = new HoldfastSession(freshStore(t, home), { sessionId: 's' });
  await runner.run(new Agent({ name: 'a', model: model('hello') }), 'hi', { session: one });
  const two = new HoldfastSession(freshStore(t, home), { sessionId: 's' });
  const second = model('still here');
  const result = await runner.run(new Agent({ name: 'a', model: second }), 'are you there?', { session: two });
  assert.equal(result.finalOutput, 'still here');
  const items = await one.getItems();
  assert.deepEqual(items.map((item) => item.role), ['user', 'assistant', 'user', 'assistant']);
  assert.ok(JSON.stringify(items).includes('hello'));
  assert.equal(await one.getSessionId(), 's');
});

test('a run with a tool is kept whole', async (t) => {
  const session = new HoldfastSession(freshStore(t));
  const call = testing.functionCall('add', { a: 1, b: 2 }, { callId: 'c1' });
  const agent = new Agent({
    name: 'a',
    model: new testing.ScriptedModel([[call], [testing.assistantMessage('3')]]),
    tools: [tool({ name: 'add', description: 'adds', strict: false, parameters: { type: 'object', properties: {}, required: [], additionalProperties: true }, execute: async () => '3' })],
  });
  await new Runner({ tracingDisabled: true }).run(agent, 'what is 1 + 2?', { session });
  const types = (await session.getItems()).map((item) => item.type ?? 'message');
  assert.deepEqual(types, ['message', 'function_call', 'function_call_result', 'message']);
});

test('close() of the store waits for what was asked for', async (t) => {
  const home = scratch(t), store = freshStore(t, home);
  const session = new HoldfastSession(store, { sessionId: 's' });
  const asked = [session.addItems([user('a'), user('b')]), session.popItem(), session.addItems([user('c')])];
  await store.close();
  await Promise.all(asked);
  assert.deepEqual(await new HoldfastSession(freshStore(t, home), { sessionId: 's' }).getItems(), [user('a'), user('c')]);
});

test('items: the latest, in order; pop; clear', async (t) => {
  const session = new HoldfastSession(freshStore(t));
  assert.deepEqual(await session.getItems(), []);
  assert.equal(await session.popItem(), undefined);
  const items = Array.from({ length: 5 }, (_, n) => ({ ...user(`m${n}`), uuid: 'the same', providerData: { n } }));
  await session.addItems(items.slice(0, 2));
  await session.addItems(items.slice(2));
  assert.deepEqual(await session.getItems(), items);
  assert.deepEqual(await session.getItems(2), items.slice(3));
  assert.deepEqual(await session.getItems(0), []);
  assert.deepEqual(await session.popItem(), items[4]);
  assert.deepEqual(await session.getItems(), items.slice(0, 4));
  const given = await session.getItems();
  given[0].content = 'changed';
  assert.deepEqual(await session.getItems(), items.slice(0, 4), 'clones are given');
  await session.clearSession();
  assert.deepEqual(await session.getItems(), []);
});

test('several that pop get each item once', async (t) => {
  const home = scratch(t);
  const sessions = [0, 1, 2].map(() => new HoldfastSession(freshStore(t, home), { sessionId: 's' }));
  await sessions[0].addItems(Array.from({ length: 12 }, (_, n) => user(`m${n}`)));
  const popped = await Promise.all(Array.from({ length: 12 }, (_, n) => sessions[n % 3].popItem()));
  assert.deepEqual(popped.map((item) => item.content).sort(), Array.from({ length: 12 }, (_, n) => `m${n}`).sort());
});

test('transactions: applied once, refused unchanged', async (t) => {
  const home = scratch(t);
  const session = new HoldfastSession(freshStore(t, home), { sessionId: 's' });
  const apply = (operationId, transaction, on = session) => on.applyHistoryTransaction({ operationId, transaction });
  await apply('1', append(user('a'), user('b')));
  await apply('1', append(user('a'), user('b')));
  await apply('1', append({ content: 'a', role: 'user', type: 'message' }, user('b')), new HoldfastSession(freshStore(t, home), { sessionId: 's' }));
  assert.deepEqual(await session.getItems(), [user('a'), user('b')]);
  await assert.rejects(apply('1', append(user('a'))), { code: 'already_exists' });
  await assert.rejects(apply('1', replace([user('a'), user('b')], [])), { code: 'already_exists' });
  await assert.rejects(apply('2', replace([user('a')], [user('c')])), { code: 'conflict' });
  await assert.rejects(apply('2', replace([user('x'), user('a'), user('b')], [])), { code: 'conflict' });
  await assert.rejects(apply('2', append({ at: new Date() })), TypeError);
  await assert.rejects(apply('', append(user('c'))), TypeError);
  assert.deepEqual(await session.getItems(), [user('a'), user('b')]);
  await apply('2', replace([user('b')], [user('c'), user('d')]));
  await apply('2', replace([user('b')], [user('c'), user('d')]));
  assert.deepEqual(await session.getItems(), [user('a'), user('c'), user('d')]);
  await session.clearSession();
  await apply('1', append(user('a'), user('b')));
  assert.deepEqual(await session.getItems(), [], 'a late retry is still known');
});

test('kill -9 in the middle of transactions, and every one tried again: each is there once', async (t) => {
  const home = scratch(t);
  const writer = `import { Store } from 'holdfast'; import { HoldfastSession } from 'holdfast/openai-agents';
    const session = new HoldfastSession(new Store('holdfast:' + process.argv[1]), { sessionId: 's' });
    const item = (n, part) => ({ type: 'message', role: 'user', content: n + part });
    for (let n = Number(process.argv[3]); ; ++n) {
      await session.applyHistoryTransaction({ operationId: 'add' + n, transaction: { type: 'append_items', items: [item(n, 'x'), item(n, 'draft')] } });
      await session.applyHistoryTransaction({ operationId: 'edit' + n, transaction: { type: 'replace_suffix', expectedSuffix: [item(n, 'draft')], replacement: [item(n, 'y')] } });
      if (n >= Number(process.argv[2])) process.stdout.write(n + '\\n');
    }`;
  let told = -1;
  for (let round = 0; round < kills; ++round) {
    // Retries the latest that were applied, and finishes the one in flight.
    const lines = await killedAfter(2 + (round % 8), writer, home, String(told + 1), String(Math.max(0, told - 8)));
    told = Number(lines.at(-1));
  }
  await killedAfter(1, writer, home, String(told + 1), '0'); // and now all, from the first on
  const items = (await new HoldfastSession(freshStore(t, home), { sessionId: 's' }).getItems()).map((item) => item.content);
  const last = items.at(-1).endsWith('draft') ? items.length - 2 : items.length;
  for (let n = 0; 2 * n < last; ++n) assert.deepEqual(items.slice(2 * n, 2 * n + 2), [`${n}x`, `${n}y`]);
  assert.ok(last / 2 > told);
});
