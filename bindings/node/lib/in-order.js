'use strict';
// Runs the work given under one name in order, one at a time. A failure does not stop the work after it.
class InOrder {
  #last = new Map();
  // Nothing here waits for the promise that is returned, so Node reports a failure that nobody handles.
  async run(name, work) {
    const before = this.#last.get(name);
    let finished;
    const settled = new Promise((resolve) => (finished = resolve));
    this.#last.set(name, settled);
    await before;
    try {
      return await work();
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
      finished();
    }
  }
}

module.exports = { InOrder };
