// Runs the real client of the Claude Agent SDK against a scripted API: mirror, lose the machine's files, resume.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldSessionSummary, listSessions, query } from '@anthropic-ai/claude-agent-sdk';
import { HoldfastSessionStore } from 'holdfast/claude-agent-sdk';
import { freshStore, scratch, scriptedApi } from './support.mjs';

test('what was mirrored is resumed on another machine', { timeout: 120_000 }, async (t) => {
  const home = scratch(t);
  const api = await scriptedApi(t, ['the word is heron', 'it was heron']);
  const sessionStore = new HoldfastSessionStore(freshStore(t, path.join(home, 'store')), { foldSessionSummary });
  const cwd = path.join(home, 'work');
  mkdirSync(cwd);
  const turn = async (prompt, machine, more) => {
    const at = path.join(home, machine);
    mkdirSync(at);
    let id, errors = [];
    for await (const message of query({
      prompt,
      options: {
        cwd, sessionStore, sessionStoreFlush: 'eager', settingSources: [], ...more,
        env: { PATH: process.env.PATH, HOME: at, CLAUDE_CONFIG_DIR: path.join(at, '.claude'), ANTHROPIC_BASE_URL: api.url,
          ANTHROPIC_API_KEY: 'x', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      },
    })) {
      if (message.type === 'result') id = message.session_id;
      if (message.subtype === 'mirror_error') errors.push(message);
    }
    assert.deepEqual(errors, []);
    rmSync(at, { recursive: true, force: true, maxRetries: 10 }); // the machine is gone
    return id;
  };
  const id = await turn('remember the word heron', 'machine1');
  const key = { projectKey: cwd.replace(/[^a-zA-Z0-9]/g, '-'), sessionId: id };
  const mirrored = await sessionStore.load(key);
  assert.ok(mirrored?.some((one) => one.type === 'user') && mirrored.some((one) => one.type === 'assistant'), JSON.stringify(mirrored));
  assert.equal((await listSessions({ dir: cwd, sessionStore }))[0]?.sessionId, id, 'the SDK lists it from the store');

  await turn('which word did I tell you to remember?', 'machine2', { resume: id });
  const asked = JSON.stringify(api.requests.at(-1).messages);
  assert.ok(asked.includes('remember the word heron') && asked.includes('the word is heron'), 'the model gets the history');
  assert.ok((await sessionStore.load(key)).length > mirrored.length, 'and the mirror goes on');
});
