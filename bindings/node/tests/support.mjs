import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Store } from 'holdfast';

export const kills = Number(process.env.HOLDFAST_KILLS || 8); // how often each writer is killed, in Python too

const opened = new WeakMap(); // by test: its stores, which write to its directories until they are closed

// Makes a directory that is removed after the test.
export function scratch(t) {
  const at = mkdtempSync(path.join(tmpdir(), 'holdfast-node-'));
  t.after(async () => {
    await Promise.all((opened.get(t) ?? []).map((store) => store.close()));
    rmSync(at, { recursive: true, force: true, maxRetries: 5 });
  });
  return at;
}

// Opens a store in a directory of the test, which is closed after it.
export function openStore(t, name) {
  const store = new Store(name);
  opened.set(t, [...(opened.get(t) ?? []), store]);
  return store;
}
export const freshStore = (t, home = scratch(t)) => openStore(t, 'holdfast:' + home);

// Runs a script with arguments, kills it after it has printed `lines` lines, and returns all lines it printed.
export async function killedAfter(lines, script, ...args) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  const [code, signal] = await new Promise((resolve) => child.on('close', (...how) => resolve(how)));
  if (signal !== 'SIGKILL') throw new Error(`ended with ${code} ${signal} before it was killed`);
  return text.split('\n').slice(0, -1);
}

// A server for /v1/messages. `requests` are the bodies of the requests to the model.
export async function scriptedApi(t, answers) {
  const requests = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part)).on('end', () => {
      if (!request.url.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
        return;
      }
      const asked = JSON.parse(body);
      const main = JSON.stringify(asked.messages).includes('remember');
      if (main) requests.push(asked);
      const text = main ? answers[requests.length - 1] ?? 'more' : 'a title';
      const events = [
        ['message_start', { message: { id: `msg_${requests.length}`, type: 'message', role: 'assistant', model: asked.model, content: [], stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } } }],
        ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
        ['content_block_delta', { index: 0, delta: { type: 'text_delta', text } }],
        ['content_block_stop', { index: 0 }],
        ['message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }],
        ['message_stop', {}],
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [type, data] of events) response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}
