'use strict';
// A Session for the OpenAI Agents SDK on entries of Holdfast. Items are wrapped, so that Holdfast does not read them.
const { randomUUID } = require('node:crypto');
const { Turns, checkPlain, untilUncontested } = require('./shared.js');

const wrapped = (items) =>
  items.map((item, at) => {
    checkPlain(item, `items[${at}]`);
    return { item };
  });
const unwrapped = (entries) => entries.map(({ item }) => item);

class HoldfastSession {
  #store;
  #where;
  #turns;

  constructor(store, { sessionId = randomUUID(), project = 'openai-agents' } = {}) {
    this.#store = store;
    this.#where = { project, session: sessionId };
    this.#turns = new Turns(store);
  }

  #run(work) {
    return this.#turns.run('', work);
  }
  // Loads the items in `range` at the end and replaces them with `change(items)`. Returns the old items.
  #replaceEnd(range, change) {
    return this.#run((call) =>
      untilUncontested(async () => {
        const expected = (await call('entry.load', { ...this.#where, ...range })).entries;
        if (expected.length > 0)
          await call('entry.replace', { ...this.#where, expected, entries: change(expected) });
        return unwrapped(expected);
      }));
  }

  async getSessionId() {
    return this.#where.session;
  }

  async getItems(limit) {
    if (limit !== undefined && limit <= 0) return [];
    return unwrapped((await this.#store.call('entry.load', { ...this.#where, ...(limit !== undefined && { last: limit }) })).entries);
  }

  async addItems(items) {
    const entries = wrapped(items);
    if (entries.length > 0) await this.#run((call) => call('entry.append', { ...this.#where, entries }));
  }

  async popItem() {
    return (await this.#replaceEnd({ last: 1 }, () => [])).at(-1);
  }

  // Keeps the operation ids, so that a transaction retried after this is not applied again.
  async clearSession() {
    await this.#replaceEnd({}, () => []);
  }

  async applyHistoryTransaction({ operationId, transaction }) {
    if (typeof operationId !== 'string' || operationId === '') throw new TypeError('a transaction needs an operationId');
    const to = { ...this.#where, operation_id: operationId };
    if (transaction.type === 'append_items') {
      const entries = wrapped(transaction.items);
      await this.#run((call) => call('entry.append', { ...to, entries }));
    } else if (transaction.type === 'replace_suffix') {
      const [expected, entries] = [wrapped(transaction.expectedSuffix), wrapped(transaction.replacement)];
      await this.#run((call) => call('entry.replace', { ...to, expected, entries }));
    } else {
      throw new TypeError(`there is no transaction of type ${transaction.type}`);
    }
  }
}

module.exports = { HoldfastSession };
