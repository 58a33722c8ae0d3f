'use strict';
// A SessionStore for the Claude Agent SDK on entries of Holdfast (docs/formats/holdfast.md, "Entries").
const { realpathSync } = require('node:fs');
const { Turns, checkPlain } = require('./shared.js');

const PAGE = { limit: 1000 };
const MAX_KNOWN = 256;

class HoldfastSessionStore {
  #store;
  #fold;
  #turns;
  #known = new Map(); // for sessions written here, the version and summary after our last write

  constructor(store, { foldSessionSummary } = {}) {
    this.#store = store;
    this.#turns = new Turns(store);
    this.#fold = foldSessionSummary;
    // The SDK checks whether this method exists.
    if (foldSessionSummary) this.listSessionSummaries = (projectKey) => this.#summaries(projectKey);
  }

  async append(key, entries) {
    const params = { ...place(key), entries };
    checkPlain(entries, 'entries');
    if (entries.length === 0) return;
    await this.#turns.run(JSON.stringify([params.project, params.session, params.stream]), async (call) => {
      if (!this.#fold || key.subpath !== undefined) await call('entry.append', params);
      else await this.#appendWithSummary(call, key, params);
    });
  }

  // The summary is made from the previous one, so nobody else may have written in between.
  async #appendWithSummary(call, key, params) {
    const name = JSON.stringify([params.project, params.session]);
    for (;;) {
      const known = this.#known.get(name) ?? (await call('entry.load', { ...place(key), count: 0 }));
      const summary = this.#fold(known.summary, key, params.entries, { mtime: Math.max(Date.now(), known.mtime) });
      try {
        const written = await call('entry.append', { ...params, summary, after: known.version });
        this.#known.delete(name);
        this.#known.set(name, { ...written, summary: written.applied ? summary : known.summary });
        if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value);
        return;
      } catch (error) {
        this.#known.delete(name);
        if (error.code !== 'conflict') throw error;
      }
    }
  }

  async load(key) {
    const { exists, entries } = await this.#store.call('entry.load', place(key));
    return exists ? entries : null;
  }

  async listSessions(projectKey) {
    const sessions = [];
    for await (const { session, mtime } of this.#store.pages('entry.list', 'sessions', { project: projectKey, ...PAGE }))
      sessions.push({ sessionId: session, mtime });
    return sessions;
  }

  async #summaries(projectKey) {
    const all = [];
    for await (const { mtime, summary } of this.#store.pages('entry.summaries', 'summaries', { project: projectKey, ...PAGE }))
      all.push({ ...summary, mtime });
    return all;
  }

  delete(key) {
    const params = place(key);
    return this.#turns.run(JSON.stringify([params.project, params.session, params.stream]), async (call) => {
      if (params.stream === undefined) this.#known.delete(JSON.stringify([params.project, params.session]));
      await call('entry.delete', params);
    });
  }

  async listSubkeys({ projectKey, sessionId }) {
    const streams = [];
    for await (const one of this.#store.pages('entry.streams', 'streams', { project: projectKey, session: sessionId, ...PAGE }))
      streams.push(one);
    return streams;
  }
}

function place({ projectKey, sessionId, subpath }) {
  if (subpath === '') throw new TypeError('a subpath is not empty; the main transcript has none');
  return { project: projectKey, session: sessionId, stream: subpath };
}

// The name of a directory in ~/.claude/projects, so that imported and mirrored sessions are in the same project.
function projectKeyForDirectory(directory) {
  let real = directory;
  try {
    real = realpathSync(directory);
  } catch {
    // Use the name as given.
  }
  real = real.normalize('NFC');
  const key = real.replace(/[^a-zA-Z0-9]/g, '-');
  if (key.length <= 200) return key;
  let hash = 0;
  for (let at = 0; at < real.length; ++at) hash = (Math.imul(hash, 31) + real.charCodeAt(at)) | 0;
  return `${key.slice(0, 200)}-${Math.abs(hash).toString(36)}`;
}

module.exports = { HoldfastSessionStore, projectKeyForDirectory };
