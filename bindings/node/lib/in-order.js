'use strict';
// Runs the work given under one name in order, one at a time. A failure does not stop the work after it.
class InOrder {
  #last = new Map();
  run(name, work) {
    const next = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    const settled = next.then(() => {}, () => {}).then(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    });
    this.#last.set(name, settled);
    return next;
  }
}

module.exports = { InOrder };
