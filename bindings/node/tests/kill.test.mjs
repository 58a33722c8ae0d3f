import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshStore, killedAfter, kills, scratch } from './support.mjs';

test('kill -9 of a writer loses nothing that was acknowledged', async (t) => {
  const home = scratch(t);
  const writer = `import { Store } from 'holdfast';
    const session = await new Store('holdfast:' + process.argv[1]).create({ id: process.argv[2] });
    for (let n = 0; ; ++n) {
      await session.append(String(n));
      process.stdout.write(n + '\\n');
    }`;
  for (let round = 0; round < kills; ++round) {
    const told = await killedAfter(1 + (round % 8), writer, home, `ses-${round}`);
    const found = [];
    for await (const message of (await freshStore(t, home).session(`ses-${round}`)).read()) found.push(message.blocks[0].text);
    assert.deepEqual(found, found.map((_, n) => String(n)));
    assert.ok(found.length >= told.length, `${found.length} of ${told.length}`);
  }
});
