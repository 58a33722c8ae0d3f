'use strict';
// SessionStorage for the Open Agent SDK on stores of layout open-agent: the SDK's own files, written safely. A message
// is one durable append. A save appends what is new and does not rewrite the file for it.
const { randomUUID } = require('node:crypto');
const { realpathSync } = require('node:fs');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { Turns, checkPlain } = require('./shared.js');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PAGE = { limit: 1000 };
const OF_THE_HEADER = ['id', 'model', 'provider', 'createdAt', 'updatedAt', 'messages', 'options', 'parentSessionId', 'forkedAt'];

// Members of a message that are the line's own where save() begins a branch. What the message had under these names is
// in `holdfast_saved` (docs/formats/open-agent.md).
const OF_THE_LINE = ['uuid', 'parentUuid', 'isBranch'];

function checkId(id) {
  if (!UUID.test(id))
    throw new Error(`Invalid session ID format: ${id}. Expected UUID format (e.g., 550e8400-e29b-41d4-a716-446655440000). ` +
      'Custom session IDs are not supported in v0.2.0.');
}

function checkMessages(messages) {
  checkPlain(messages, 'messages');
  messages.forEach((one, at) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) throw new TypeError(`messages[${at}] is not an object`);
  });
}

// The value as it will be read back from JSON, without undefined members.
const plain = (value) => JSON.parse(JSON.stringify(value));

// The message as the program gave it, from its line.
function given({ holdfast_saved: saved, ...message }) {
  if (saved?.given) {
    for (const name of OF_THE_LINE) delete message[name];
    Object.assign(message, saved.given);
  }
  if (message.parentUuid === null) delete message.parentUuid; // of the first message
  return message;
}

// The line of a message with members of its own. `place`: parentUuid and isBranch; without them, the line follows the
// one before it.
function framed({ holdfast_saved, ...message }, uuid, place = {}, saved = {}) {
  const had = Object.fromEntries(OF_THE_LINE.filter((name) => message[name] !== undefined).map((name) => [name, message[name]]));
  for (const name of OF_THE_LINE) delete message[name];
  return { ...message, uuid, ...place, holdfast_saved: { given: had, ...saved } };
}

// The line of a branch without messages.
const nothing = () => ({ type: 'system', subtype: 'compact_boundary', compact_metadata: { trigger: 'manual', pre_tokens: 0 } });
// A boundary without a parent would be the first message of its branch.
const isBoundary = ({ type, subtype }) => type === 'system' && subtype === 'compact_boundary';
const isMessage = (line) => !line.holdfast_saved?.nothing;
const lastId = (lines) => lines.findLast((one) => typeof one.uuid === 'string')?.uuid;
const sameMessage = (a, b) => isDeepStrictEqual({ ...given(a), session_id: '' }, { ...given(b), session_id: '' });

class HoldfastStorage {
  #store;
  #cwd;
  #turns;
  #unfinished = new Map(); // by session: the last message before a save that ended in the middle, as load() saw it

  // `store` must write to "open-agent:ROOT". With `cwd`, creates and lists sessions in the folder of that directory,
  // whichever directory their options name.
  constructor(store, { cwd } = {}) {
    this.#store = store;
    this.#cwd = cwd;
    this.#turns = new Turns(store);
  }

  async #known(call, id) {
    try {
      return (await call('session.get', { id })).session;
    } catch (error) {
      if (error.code === 'not_found') return null;
      throw error;
    }
  }

  async #branch(call, id, branch) {
    const lines = [];
    for (let cursor; ; ) {
      const page = await call('message.list', { session: id, as: 'raw', branch, cursor, ...PAGE });
      lines.push(...page.items);
      if (!page.next_cursor) break;
      cursor = page.next_cursor;
    }
    // Messages of which none has a parent are listed as one branch, also if save() began another one.
    return lines.slice(Math.max(0, lines.findLastIndex((one) => one.holdfast_saved && one.parentUuid === null)));
  }

  // The lines of the active branch. If it was begun by a save that ended in the middle, those of the branch before it.
  async #lines(call, id) {
    const lines = await this.#branch(call, id);
    const { line, of, before } = lines.at(-1)?.holdfast_saved ?? {};
    if (before === undefined || line >= of) return lines;
    // A later save may have removed the last ones. Then the file still has lines after this one.
    const [last] = (await call('message.list', { session: id, as: 'raw', branch: 'all', last: 1 })).items;
    if (last.uuid !== lines.at(-1).uuid) return lines;
    try {
      const whole = await this.#branch(call, id, before);
      this.#unfinished.set(id, before);
      return whole;
    } catch (error) {
      if (error.code === 'not_found') return lines; // a fork has only the lines of its branch
      throw error;
    }
  }

  // Returns to the branch before a save that ended in the middle.
  async #settle(call, id) {
    const leaf = this.#unfinished.get(id);
    if (leaf !== undefined) await call('session.update', { id, leaf });
    this.#unfinished.delete(id);
  }

  async save(data) {
    checkId(data.id);
    checkMessages(data.messages);
    const { id } = data, wanted = plain(data.messages);
    return this.#turns.run(id, async (call) => {
      const known = await this.#known(call, id);
      const there = known ? await this.#lines(call, id) : [];
      await this.#settle(call, id);
      if (!known) await this.#create(call, data);
      let written = 0;
      try {
        const { writes, leaf } = this.#toWrite(there, wanted);
        let last = lastId(there);
        for (const one of writes) {
          if (isBoundary(one.message) && last !== undefined) one.place = { parentUuid: last, ...one.place };
          last = (await this.#write(call, id, one)) || last;
          ++written;
        }
        if (known || this.#cwd !== undefined)
          await call('session.update', { id, leaf, model: data.model, metadata: this.#metadata(data) });
      } catch (error) {
        if (!known) await call('session.delete', { id }).catch(() => {});
        else if (written > 0) await this.#undo(call, id, there);
        throw error;
      }
    });
  }

  async #create(call, data) {
    await call('session.create', {
      id: data.id, project: this.#cwd ?? data.options?.cwd, model: data.model, provider: data.provider, lease: false,
      ...(data.parentSessionId && { parent: data.parentSessionId, parent_kind: 'fork' }),
      metadata: { ...this.#metadata(data), given: plain({ createdAt: data.createdAt, forkedAt: data.forkedAt }) },
    });
  }

  // The header as a save gives it. Model and provider are in the options too, as the SDK writes them.
  #metadata({ options = {}, ...data }) {
    const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !OF_THE_HEADER.includes(key)));
    const { model, provider } = data;
    return plain({ ...rest, provider, options: { ...options, model, provider } });
  }

  // What has to be appended so that a branch has the messages that are wanted, and `leaf` if it ends at another message
  // than the last of them. Nothing that was stored before changes.
  #toWrite(there, wanted) {
    const shown = there.filter(isMessage);
    let same = 0;
    while (same < shown.length && same < wanted.length && sameMessage(shown[same], wanted[same])) ++same;
    if (same === shown.length) return { writes: wanted.slice(same).map((message) => ({ message })) };
    while (same > 0 && typeof shown[same - 1].uuid !== 'string') --same; // a branch begins after a message with an id
    const parentUuid = shown[same - 1]?.uuid ?? null;
    if (same > 0 && same === wanted.length) return { writes: [], leaf: parentUuid };
    const before = lastId(there);
    const messages = same < wanted.length ? wanted.slice(same) : [nothing()];
    const writes = messages.map((message, at) => ({
      message,
      place: at > 0 ? {} : { parentUuid, ...(same > 0 && { isBranch: true }) },
      saved: { line: at + 1, of: messages.length, before, ...(wanted.length === 0 && { nothing: true }) },
    }));
    return { writes };
  }

  // Makes the messages that the session had the active ones again.
  async #undo(call, id, there) {
    const leaf = lastId(there);
    try {
      if (leaf !== undefined) await call('session.update', { id, leaf });
      else await this.#write(call, id, { message: nothing(), place: { parentUuid: null }, saved: { nothing: true } });
    } catch {
      // What made the save fail may make this fail too. Then the next write tries it again.
      if (leaf !== undefined) this.#unfinished.set(id, leaf);
    }
  }

  // Appends a message. If the file has its id already, on another branch, its line gets another one. The message of
  // another session (a fork keeps those of its parent) is stored with the id of this session. Returns
  // the id of the line, if it has one.
  async #write(call, id, { message, place, saved }) {
    const append = async (raw) => (await call('message.append', { session: id, raw: { ...raw, session_id: id } })).id;
    const follows = message.parentUuid === undefined && message.isBranch === undefined;
    try {
      return await append(place === undefined && follows ? message : framed(message, message.uuid ?? randomUUID(), place, saved));
    } catch (error) {
      if (error.code !== 'already_exists') throw error;
      return append(framed(message, randomUUID(), place, saved));
    }
  }

  // Does nothing if the session does not exist: the SDK saves it at the end of the stream. Does nothing either if the
  // message is there already: the program repeats it after a lost answer.
  async append(id, message) {
    checkId(id);
    checkMessages([message]);
    const line = plain(message);
    return this.#turns.run(id, async (call) => {
      await this.#settle(call, id);
      try {
        await call('message.append', { session: id, raw: { ...line, session_id: id }, if_exists: true });
      } catch (error) {
        if (error.code !== 'already_exists') throw error;
        const there = (await this.#lines(call, id)).find((one) => given(one).uuid === line.uuid);
        if (there === undefined) await this.#write(call, id, { message: line });
        else if (!sameMessage(there, line)) throw error;
      }
    });
  }

  async load(id) {
    checkId(id);
    return this.#turns.run(id, async (call) => {
      const session = await this.#known(call, id);
      if (!session) return null;
      const { provider, options = {}, given: first = {}, ...rest } = session.metadata ?? {};
      const data = {
        ...Object.fromEntries(Object.entries(rest).filter(([key]) => !OF_THE_HEADER.includes(key))),
        id: session.id,
        model: options.model ?? session.models[0],
        provider: provider ?? options.provider,
        createdAt: first.createdAt ?? Date.parse(session.created_at),
        updatedAt: Date.parse(session.updated_at),
        messages: (await this.#lines(call, id)).filter(isMessage).map(given),
        options,
      };
      if (session.parent) data.parentSessionId = session.parent.id;
      if (first.forkedAt !== undefined) data.forkedAt = first.forkedAt;
      return data;
    });
  }

  async delete(id) {
    checkId(id);
    return this.#turns.run(id, async (call) => {
      this.#unfinished.delete(id);
      if (await this.#known(call, id)) await call('session.delete', { id });
    });
  }

  async list() {
    const ids = [];
    const folder = this.#cwd === undefined ? '' : `projects/${folderName(this.#cwd)}/`;
    try {
      for await (const one of this.#store.sessions(PAGE)) if (one.path.startsWith(folder)) ids.push(one.id);
    } catch (error) {
      if (error.code !== 'not_found') throw error; // no store yet
    }
    return ids;
  }

  async exists(id) {
    checkId(id);
    return this.#turns.run(id, async (call) => (await this.#known(call, id)) !== null);
  }
}

// The folder of a project below projects/.
function folderName(directory) {
  let real = path.resolve(directory);
  try {
    real = realpathSync(real);
  } catch {
    // Use the name as given.
  }
  return real.replaceAll('/', '-');
}

module.exports = { HoldfastStorage };
