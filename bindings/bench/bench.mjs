// Measures the overhead of Node: node bench.mjs APPEND OUT, run where 'holdfast' resolves. APPEND is compiled append.c.
// Both sides of a row run in turns on the same disk. A figure is the median of the rounds.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Store } from 'holdfast';

const [append, out] = process.argv.slice(2);
const rounds = 7, appends = 300, many = 10_000;
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const home = (name) => path.join(out, `bench-${name}-${process.pid}`);
const timed = async (work) => {
  const from = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - from) / 1e3;
};
const row = (name, ours, theirs, unit) =>
  console.log(`| ${name} | ${ours.toFixed(1)} ${unit} | ${theirs.toFixed(1)} ${unit} | ${(ours / theirs).toFixed(2)} |`);

const text = (n) => `message ${n} ${String(n).padStart(200, '0')}`;
const nodeTimes = [], cTimes = [];
for (let round = 0; round < rounds; ++round) {
  const store = new Store('holdfast:' + home('append'));
  const session = await store.create({});
  nodeTimes.push((await timed(async () => { for (let n = 0; n < appends; ++n) await session.append(text(n)); })) / appends);
  await store.close();
  cTimes.push(Number(execFileSync(append, [home('append'), String(appends)], { encoding: 'utf8' })));
}
console.log('| | Node | the other | ratio |\n|---|---|---|---|');
row('a durable append; in C', median(nodeTimes), median(cTimes), 'µs');

const store = new Store({ home: 'holdfast:' + home('read'), cache: home('cache') });
const session = await store.create({});
let early;
for (let n = 0; n < many; n += 100) {
  await Promise.all(Array.from({ length: 100 }, (_, m) => session.append(text(n + m), { durability: 'process' })));
  if (n === 1000) { globalThis.gc?.(); early = process.memoryUsage().rss; }
}
globalThis.gc?.();
console.log(`| memory after 10,000 appends; after 1,000 | ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB | ${(early / 2 ** 20).toFixed(0)} MiB | |`);
const log = readdirSync(home('read'), { recursive: true }).find((name) => name.endsWith('messages.jsonl'));
const all = [], parsed = [], first = [];
for (let round = 0; round < rounds; ++round) {
  let count = 0;
  all.push(await timed(async () => { for await (const message of session.read()) count += message.blocks.length; }));
  if (count !== many) throw new Error(`${count} messages`);
  parsed.push(await timed(async () => {
    const lines = readFileSync(path.join(home('read'), log), 'utf8').split('\n');
    for (const line of lines) if (line) JSON.parse(line);
  }));
  first.push(await timed(async () => { await session.read().next(); }));
}
row('10,000 messages; readFile and JSON.parse a line', median(all) / 1e3, median(parsed) / 1e3, 'ms');
row('the first 100 of them; all', median(first) / 1e3, median(all) / 1e3, 'ms');
await store.close();
for (const name of ['append', 'read', 'cache']) rmSync(home(name), { recursive: true, force: true });
