'use strict';
// A checkpointer for LangGraph on entries of Holdfast. A thread is a session, and each put or putWrites is one entry in
// one commit. Channel values are stored when LangGraph says that they changed, and found by their versions.
const { BaseCheckpointSaver, TASKS, WRITES_IDX_MAP, getCheckpointId, maxChannelVersion } = require('@langchain/langgraph-checkpoint');
const { Turns } = require('./shared.js');

const MAX_THREADS = 64;
const nameOf = (...parts) => JSON.stringify(parts);

// A thread, folded from its entries.
class Thread {
  version = '';
  total = 0;
  spaces = new Map(); // by namespace: checkpoints by id
  blobs = new Map(); // by namespace, channel and version
  writes = new Map(); // by namespace and checkpoint: writes by task and index

  take(entry) {
    if (entry.type === 'checkpoint') {
      if (!this.spaces.has(entry.ns)) this.spaces.set(entry.ns, new Map());
      this.spaces.get(entry.ns).set(entry.id, entry);
      for (const [channel, version, value] of entry.values) this.blobs.set(nameOf(entry.ns, channel, version), value);
    } else if (entry.type === 'writes') {
      const name = nameOf(entry.ns, entry.id);
      if (!this.writes.has(name)) this.writes.set(name, new Map());
      const writes = this.writes.get(name);
      for (const [index, channel, value] of entry.writes) {
        const at = nameOf(entry.task, index);
        if (index < 0 || !writes.has(at)) writes.set(at, [entry.task, channel, value]);
      }
    }
  }
  writesOf(ns, id) {
    return [...(this.writes.get(nameOf(ns, id))?.values() ?? [])];
  }
}

class HoldfastSaver extends BaseCheckpointSaver {
  #store;
  #project;
  #turns;
  #threads = new Map();

  constructor(store, { project = 'langgraph', serde } = {}) {
    super(serde);
    this.#store = store;
    this.#project = project;
    this.#turns = new Turns(store);
  }

  // Stores JSON as JSON, so that people can read it.
  async #encoded(value) {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    if (type !== 'json') return [type, Buffer.from(bytes).toString('base64')];
    return [type, JSON.parse(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString())];
  }
  #decoded([type, value]) {
    return this.serde.loadsTyped(type, type === 'json' ? JSON.stringify(value) : Buffer.from(value, 'base64'));
  }

  // Returns the current thread. Reads only the entries since the last call, or all if the thread was made anew.
  #thread(id) {
    return this.#turns.run(id, async (call) => {
      const log = (version) => version.slice(0, version.lastIndexOf('.'));
      let thread = this.#threads.get(id) ?? new Thread();
      const where = { project: this.#project, session: id };
      let answer = await call('entry.load', { ...where, from: thread.total });
      if (log(answer.version) !== log(thread.version)) {
        if (thread.total > 0) answer = await call('entry.load', where);
        thread = new Thread();
      }
      answer.entries.forEach((entry) => thread.take(entry));
      thread.total += answer.entries.length;
      thread.version = answer.version;
      this.#threads.delete(id);
      if (answer.exists) this.#threads.set(id, thread);
      if (this.#threads.size > MAX_THREADS) this.#threads.delete(this.#threads.keys().next().value);
      return thread;
    });
  }

  // `entry`: makes the entry, which takes a while. close() of the store waits for that too.
  #append(id, entry) {
    return this.#store.task(async (call) => call('entry.append', { project: this.#project, session: id, entries: [await entry()] }));
  }

  async #tuple(thread, threadId, saved) {
    const at = (id) => ({ configurable: { thread_id: threadId, checkpoint_ns: saved.ns, checkpoint_id: id } });
    const checkpoint = await this.#decoded(saved.checkpoint);
    checkpoint.channel_values = {};
    for (const channel of saved.channels) {
      const value = thread.blobs.get(nameOf(saved.ns, ...channel));
      if (value !== undefined) checkpoint.channel_values[channel[0]] = await this.#decoded(value);
    }
    if (checkpoint.v < 4 && saved.parent !== undefined) {
      const sends = thread.writesOf(saved.ns, saved.parent).filter(([, channel]) => channel === TASKS);
      checkpoint.channel_values[TASKS] = await Promise.all(sends.map(([, , value]) => this.#decoded(value)));
      checkpoint.channel_versions ??= {};
      const versions = Object.values(checkpoint.channel_versions);
      checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    }
    const pendingWrites = await Promise.all(
      thread.writesOf(saved.ns, saved.id).map(async ([task, channel, value]) => [task, channel, await this.#decoded(value)]));
    const tuple = { config: at(saved.id), checkpoint, metadata: await this.#decoded(saved.metadata), pendingWrites };
    if (saved.parent !== undefined) tuple.parentConfig = at(saved.parent);
    return tuple;
  }

  async getTuple(config) {
    const { thread_id, checkpoint_ns = '' } = config.configurable ?? {};
    if (thread_id === undefined) return undefined;
    const thread = await this.#thread(text('thread_id', thread_id));
    const space = thread.spaces.get(checkpoint_ns);
    const saved = space?.get(getCheckpointId(config) || [...space.keys()].reduce((a, b) => (a > b ? a : b)));
    return saved && this.#tuple(thread, thread_id, saved);
  }

  async *list(config, { before, limit, filter } = {}) {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    let left = limit ?? Infinity;
    for await (const id of thread_id === undefined ? this.#threadIds() : [text('thread_id', thread_id)]) {
      const thread = await this.#thread(id);
      for (const [ns, space] of thread.spaces) {
        if (checkpoint_ns !== undefined && ns !== checkpoint_ns) continue;
        for (const saved of [...space.values()].sort((a, b) => (a.id < b.id ? 1 : -1))) {
          if (checkpoint_id && saved.id !== checkpoint_id) continue;
          if (before?.configurable?.checkpoint_id && saved.id >= before.configurable.checkpoint_id) continue;
          if (filter) {
            const metadata = await this.#decoded(saved.metadata);
            if (!Object.entries(filter).every(([key, value]) => metadata[key] === value)) continue;
          }
          if (left-- <= 0) return;
          yield await this.#tuple(thread, id, saved);
        }
      }
    }
  }

  async *#threadIds() {
    for await (const { session } of this.#store.pages('entry.list', 'sessions', { project: this.#project, limit: 1000 }))
      yield session;
  }

  async put(config, checkpoint, metadata, newVersions) {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
    const { channel_values = {}, ...rest } = checkpoint;
    const versionOf = (channel) => newVersions?.[channel] ?? checkpoint.channel_versions?.[channel] ?? 0;
    const channels = Object.keys(channel_values).map((channel) => [channel, versionOf(channel)]);
    const changed = channels.filter(([channel]) => newVersions === undefined || Object.hasOwn(newVersions, channel));
    const thread = text('thread_id', thread_id), id = text('checkpoint.id', checkpoint.id);
    await this.#append(thread, async () => ({
      type: 'checkpoint',
      ns: checkpoint_ns,
      id,
      parent: checkpoint_id,
      checkpoint: await this.#encoded(rest),
      metadata: await this.#encoded(metadata),
      channels,
      values: await Promise.all(changed.map(async ([channel, version]) =>
        [channel, version, await this.#encoded(channel_values[channel])])),
    }));
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } };
  }

  async putWrites(config, writes, taskId) {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
    const thread = text('thread_id', thread_id), id = text('checkpoint_id', checkpoint_id);
    await this.#append(thread, async () => ({
      type: 'writes',
      ns: checkpoint_ns,
      id,
      task: taskId,
      writes: await Promise.all(writes.map(async ([channel, value], index) =>
        [WRITES_IDX_MAP[channel] ?? index, channel, await this.#encoded(value)])),
    }));
  }

  async deleteThread(threadId) {
    await this.#store.call('entry.delete', { project: this.#project, session: text('thread_id', threadId) });
  }
}

function text(name, value) {
  if (typeof value !== 'string' || value === '')
    throw new Error(`The passed RunnableConfig is missing a required "${name}" field in its "configurable" property.`);
  return value;
}

module.exports = { HoldfastSaver };
