'use strict';
// Stores chats of the Vercel AI SDK (UIMessage[] by chat id) as entries of Holdfast. A save keeps the beginning that it
// has in common with the stored messages and replaces the rest in one commit, so a reader never sees half a save.
const { randomUUID } = require('node:crypto');
const { isDeepStrictEqual } = require('node:util');
const { Turns, checkPlain, untilUncontested } = require('./shared.js');

class HoldfastChats {
  #store;
  #project;
  #turns;

  constructor(store, { project = 'ai' } = {}) {
    this.#store = store;
    this.#project = project;
    this.#turns = new Turns(store);
  }

  #at(id) {
    return { project: this.#project, session: id };
  }

  async createChat(id = randomUUID()) {
    await this.#store.call('entry.append', { ...this.#at(id), entries: [], operation_id: 'created' });
    return id;
  }

  // Empty if the chat does not exist.
  async loadChat(id) {
    return (await this.#store.call('entry.load', this.#at(id))).entries.map(({ message }) => message);
  }

  saveChat({ chatId, messages }) {
    checkPlain(messages, 'messages');
    const wanted = JSON.parse(JSON.stringify(messages)).map((message) => ({ message })); // drops undefined members
    return this.#turns.run(chatId, (call) =>
      untilUncontested(async () => {
        const { entries, version } = await call('entry.load', this.#at(chatId));
        let same = 0;
        while (same < entries.length && same < wanted.length && isDeepStrictEqual(entries[same], wanted[same])) ++same;
        if (same === entries.length && same === wanted.length) return;
        await call('entry.replace', { ...this.#at(chatId), expected: entries.slice(same), entries: wanted.slice(same), after: version });
      }));
  }

  async listChats() {
    const chats = [];
    for await (const { session, mtime } of this.#store.pages('entry.list', 'sessions', { project: this.#project, limit: 1000 }))
      chats.push({ id: session, updatedAt: new Date(mtime) });
    return chats;
  }

  async deleteChat(id) {
    await this.#store.call('entry.delete', this.#at(id));
  }
}

module.exports = { HoldfastChats };
