'use strict';
// Helpers that the adapters share: checks for values that JSON preserves, and running work in order.
const { checkPlain } = require('../lib/check-plain.js');
const { InOrder } = require('../lib/in-order.js');

// The work of an adapter on one store. Work under one name runs in order, and close() of the store waits for it: it is
// given a `call` that keeps working until then.
class Turns {
  #store;
  #order = new InOrder();

  constructor(store) {
    this.#store = store;
  }
  run(name, work) {
    return this.#store.task((call) => this.#order.run(name, () => work(call)));
  }
}

// Retries `attempt` while it fails with conflict, because somebody else wrote first.
async function untilUncontested(attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error.code !== 'conflict') throw error;
    }
  }
}

module.exports = { checkPlain, Turns, untilUncontested };
