'use strict';
// Runs what is given under one name one after the other, whether what came before worked or not.
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
