// Runs every example of the READMEs as printed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { scratch, scriptedApi } from './support.mjs';

const run = promisify(execFile);
const pages = new URL('../pages/', import.meta.url).pathname;
const wanted = {
  'README.md': /assistant The clock is wrong\.\nses_\S+ /,
  'claude-agent-sdk.md': /^[0-9a-f-]{36}\n\[\s*\{\s*sessionId/,
  'langgraph.md': /said: \[ 'hello', 'answer 1', 'and now\?', 'answer 3' \]/,
  'openai-agents.md': /^hi there 2$/m,
  'open-agent-sdk.md': /\[ 'hello' \]/,
  'ai.md': /id: 'm1'/,
};

for (const page of readdirSync(pages)) {
  test(page, { timeout: 120_000 }, async (t) => {
    const home = scratch(t);
    const examples = [...readFileSync(path.join(pages, page), 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
    assert.equal(examples.length, 1);
    const api = await scriptedApi(t, ['heron it is']);
    const where = path.join(new URL('.', import.meta.url).pathname, `example-${path.parse(page).name}-${process.pid}`);
    mkdirSync(where);
    t.after(() => run('rm', ['-r', where]));
    const esm = examples[0].includes("require('holdfast')") ? examples[0].replace(/^const (\{.*?\}) = require\('holdfast'\);.*$/m, "import $1 from 'holdfast';") : examples[0];
    writeFileSync(path.join(where, 'example.mjs'), esm);
    writeFileSync(path.join(where, 'my-model.mjs'),
      "import { ScriptedModel, assistantMessage } from '@openai/agents-core/testing';\nexport const model = new ScriptedModel([[assistantMessage('hi there')]]);\n");
    const { stdout } = await run(process.execPath, ['example.mjs'], {
      cwd: where, timeout: 100_000,
      env: { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: path.join(home, '.claude'), ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'x',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', OPENAI_AGENTS_DISABLE_TRACING: '1' },
    });
    assert.match(stdout, wanted[page] ?? assert.fail(`what ${page} prints is not known here`));
  });
}
