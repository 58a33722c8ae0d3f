// Tests chats of the Vercel AI SDK. Loaded messages pass the SDK's own validator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateUIMessages } from 'ai';
import { HoldfastChats } from 'holdfast/ai';
import { freshStore, scratch } from './support.mjs';

const parts = [
  { type: 'text', text: 'hello é😀', state: 'done' },
  { type: 'reasoning', text: 'hm', state: 'done', providerMetadata: { x: { signature: 's' } } },
  { type: 'step-start' },
  { type: 'source-url', sourceId: 's1', url: 'https://example.org', title: 'an example' },
  { type: 'source-document', sourceId: 's2', mediaType: 'application/pdf', title: 'a paper', filename: 'p.pdf' },
  { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA', filename: 'a.png' },
  { type: 'tool-weather', toolCallId: 'c1', state: 'input-streaming', input: { city: 'Ber' }, rawInput: '{"city":"Ber' },
  { type: 'tool-weather', toolCallId: 'c2', state: 'output-available', input: { city: 'Bern' }, output: { degrees: 11.5 } },
  { type: 'tool-weather', toolCallId: 'c3', state: 'output-error', input: { city: 'Bern' }, errorText: 'no' },
  { type: 'dynamic-tool', toolName: 'any', toolCallId: 'c4', state: 'output-available', input: [1], output: null },
  { type: 'data-chart', id: 'd1', data: { points: [[1, 2], [3, 4]] } },
];
const chat = (count) => Array.from({ length: count }, (_, n) => ({
  id: `m${n}`, role: n % 2 ? 'assistant' : 'user', metadata: { n, uuid: 'same' }, parts: n % 2 ? parts : [{ type: 'text', text: `question ${n}` }],
}));

test('every kind of part comes back and is valid', async (t) => {
  const chats = new HoldfastChats(freshStore(t));
  const messages = chat(4);
  await chats.saveChat({ chatId: 'c', messages });
  const back = await chats.loadChat('c');
  assert.deepEqual(back, messages);
  assert.deepEqual(await validateUIMessages({ messages: back }), messages);
});

test('a save replaces what differs and nothing else', async (t) => {
  const home = scratch(t);
  const store = freshStore(t, home);
  const chats = new HoldfastChats(store);
  const id = await chats.createChat();
  assert.deepEqual(await chats.loadChat(id), []);
  for (let count = 1; count <= 6; ++count) await chats.saveChat({ chatId: id, messages: chat(count) });
  const regenerated = [...chat(3), { id: 'new', role: 'assistant', parts: [{ type: 'text', text: 'again', providerMetadata: undefined }] }];
  await chats.saveChat({ chatId: id, messages: regenerated });
  await chats.saveChat({ chatId: id, messages: regenerated });
  const back = await new HoldfastChats(freshStore(t, home)).loadChat(id);
  assert.deepEqual(back, JSON.parse(JSON.stringify(regenerated)));
  await chats.saveChat({ chatId: id, messages: [] });
  assert.deepEqual(await chats.loadChat(id), []);
  assert.deepEqual((await chats.listChats()).map((one) => one.id), [id]);
  await chats.deleteChat(id);
  assert.deepEqual(await chats.listChats(), []);
});

test('close() of the store waits for what was asked for', async (t) => {
  const home = scratch(t), store = freshStore(t, home);
  const chats = new HoldfastChats(store);
  const asked = [1, 2].map((count) => chats.saveChat({ chatId: 'c', messages: chat(count) }));
  await store.close();
  await Promise.all(asked);
  assert.deepEqual(await new HoldfastChats(freshStore(t, home)).loadChat('c'), chat(2));
});

test('what JSON would change is refused before anything is written', async (t) => {
  const chats = new HoldfastChats(freshStore(t));
  await assert.rejects(async () => chats.saveChat({ chatId: 'c', messages: [{ id: 'm', role: 'user', parts: [], metadata: { at: new Date() } }] }), TypeError);
  await assert.rejects(async () => chats.saveChat({ chatId: 'c', messages: [{ id: 'm', role: 'user', parts: [], metadata: { n: NaN } }] }), TypeError);
  assert.deepEqual(await chats.listChats(), []);
});
