'use strict';
const { InOrder } = require('./in-order.js');

// An async generator of the rows of pages, which are arrays that another generator yields. It behaves as one that is
// written with yield, but does without a step of that for each row, which takes longer than parsing a small one.
class Rows {
  #pages;
  #rows = [];
  #at = 0;
  #order = new InOrder();
  #steps = 0; // that wait for a page
  constructor(pages) {
    this.#pages = pages;
  }
  next() {
    if (this.#steps > 0 || this.#at >= this.#rows.length) return this.#inOrder(() => this.#step());
    return Promise.resolve({ value: this.#rows[this.#at++], done: false });
  }
  return(value) {
    return this.#inOrder(() => this.#end().return(value));
  }
  throw(error) {
    return this.#inOrder(() => this.#end().throw(error));
  }

  async #inOrder(work) {
    ++this.#steps;
    try {
      return await this.#order.run('', work);
    } finally {
      --this.#steps;
    }
  }
  async #step() {
    while (this.#at >= this.#rows.length) {
      const { value, done } = await this.#pages.next();
      if (done) return { value: undefined, done };
      this.#rows = value;
      this.#at = 0;
    }
    return { value: this.#rows[this.#at++], done: false };
  }
  #end() {
    this.#rows = [];
    return this.#pages;
  }
}
// For Symbol.asyncIterator, and Symbol.asyncDispose where there is one.
const generator = (async function* () {}).prototype;
Object.setPrototypeOf(Rows.prototype, Object.getPrototypeOf(Object.getPrototypeOf(generator)));

module.exports = { Rows };
