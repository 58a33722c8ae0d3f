'use strict';
// SessionStorage for the Open Agent SDK on stores of layout open-agent: the SDK's own files, written safely. A message
// is one durable append. A save appends what is new and does not rewrite the file for it.
const { isDeepStrictEqual } = require('node:util');
const { InOrder, checkPlain } = require('./shared.js');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PAGE = { limit: 1000 };
const OF_THE_HEADER = ['id', 'model', 'provider', 'createdAt', 'updatedAt', 'messages', 'options', 'parentSessionId', 'forkedAt'];

function checkId(id) {
  if (!UUID.test(id))
    throw new Error(`Invalid session ID format: ${id}. Expected UUID format (e.g., 550e8400-e29b-41d4-a716-446655440000). ` +
      'Custom session IDs are not supported in v0.2.0.');
}

// The value as it will be read back from JSON, without undefined members.
const plain = (value) => JSON.parse(JSON.stringify(value));

class HoldfastStorage {
  #store;
  #cwd;
  #order = new InOrder();

  // `store` must write to "open-agent:ROOT". With `cwd`, creates and lists sessions of that directory.
  constructor(store, { cwd } = {}) {
    this.#store = store;
    this.#cwd = cwd;
  }

  async #known(id) {
    checkId(id);
    try {
      return (await this.#store.call('session.get', { id })).session;
    } catch (error) {
      if (error.code === 'not_found') return null;
      throw error;
    }
  }

  async #messages(id) {
    const messages = [];
    for await (const one of this.#store.pages('message.list', 'items', { session: id, as: 'raw', ...PAGE })) {
      if (one.parentUuid === null) delete one.parentUuid; // set by save() at the start of a branch
      messages.push(one);
    }
    return messages;
  }

  async save(data) {
    checkId(data.id);
    const { messages, options = {} } = data;
    checkPlain(messages, 'messages');
    return this.#order.run(data.id, async () => {
      let there = [];
      if (await this.#known(data.id)) {
        there = await this.#messages(data.id);
        await this.#store.call('session.update', { id: data.id, model: data.model, metadata: this.#metadata(data) });
      } else {
        await this.#store.call('session.create', {
          id: data.id, project: options.cwd ?? this.#cwd, model: data.model, provider: data.provider, lease: false,
          ...(data.parentSessionId && { parent: data.parentSessionId, parent_kind: 'fork' }),
          metadata: { ...this.#metadata(data), given: plain({ createdAt: data.createdAt, forkedAt: data.forkedAt }) },
        });
      }
      const wanted = plain(messages);
      let same = 0;
      while (same < there.length && same < wanted.length && sameMessage(there[same], wanted[same])) ++same;
      // The SDK compacted the session: start a new branch. The old messages stay in the file.
      const anew = same < there.length;
      for (const [at, message] of wanted.slice(anew ? 0 : same).entries())
        await this.#append(data.id, anew && at === 0 ? { ...message, parentUuid: null } : message);
    });
  }

  #metadata({ options = {}, ...data }) {
    const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !OF_THE_HEADER.includes(key)));
    return plain({ ...rest, options });
  }

  // Stores a message of another session (a fork keeps those of its parent) with the id of this session.
  #append(id, message, more) {
    return this.#store.call('message.append', { session: id, raw: { ...message, session_id: id }, ...more });
  }

  // Does nothing if the session does not exist: the SDK saves it at the end of the stream.
  append(id, message) {
    checkId(id);
    checkPlain(message, 'message');
    return this.#order.run(id, async () => void (await this.#append(id, plain(message), { if_exists: true })));
  }

  async load(id) {
    const session = await this.#known(id);
    if (!session) return null;
    const { provider, options = {}, given = {}, ...rest } = session.metadata ?? {};
    const data = {
      ...Object.fromEntries(Object.entries(rest).filter(([key]) => !OF_THE_HEADER.includes(key))),
      id: session.id,
      model: options.model ?? session.models[0],
      provider: provider ?? options.provider,
      createdAt: given.createdAt ?? Date.parse(session.created_at),
      updatedAt: Date.parse(session.updated_at),
      messages: await this.#messages(id),
      options,
    };
    if (session.parent) data.parentSessionId = session.parent.id;
    if (given.forkedAt !== undefined) data.forkedAt = given.forkedAt;
    return data;
  }

  async delete(id) {
    if (!(await this.#known(id))) return;
    await this.#order.run(id, () => this.#store.call('session.delete', { id }));
  }

  async list() {
    const ids = [];
    try {
      for await (const { id } of this.#store.sessions({ ...(this.#cwd && { project: this.#cwd }), ...PAGE })) ids.push(id);
    } catch (error) {
      if (error.code !== 'not_found') throw error; // no store yet
    }
    return ids;
  }

  async exists(id) {
    return (await this.#known(id)) !== null;
  }
}

const sameMessage = (a, b) => isDeepStrictEqual({ ...a, session_id: '' }, { ...b, session_id: '' });

module.exports = { HoldfastStorage };
