'use strict';
// Promises and iterators over the addon (src/addon.cc), which handles only threads.
const os = require('node:os');
const path = require('node:path');
const { checkPlain } = require('./check-plain.js');
const { InOrder } = require('./in-order.js');
const { Rows } = require('./rows.js');
const native = require('../native/holdfast.node');

const ANSWER = 0, ERROR = 1, ITEM = 2, CLOSED = 3;
const HALF_WINDOW = 32; // items consumed before the addon may send as many again

class HoldfastError extends Error {
  constructor({ code, message, path, os_error }) {
    super(`${code}: ${message}${path ? ` (${path})` : ''}`);
    this.name = 'HoldfastError';
    this.code = code;
    if (path) this.path = path;
    if (os_error) this.osError = os_error;
  }
}

const errorIn = (text) => new HoldfastError(JSON.parse(text).error);
const refused = (message) => new HoldfastError({ code: 'invalid_argument', message });
const cancelled = () => new HoldfastError({ code: 'cancelled', message: 'the caller stopped it' });

// The cursor of a page, found without parsing it: the last one in its text, as it comes after the rows. Wrong if the
// page has none, but a row has.
function cursorIn(text) {
  const key = '"next_cursor":"';
  const at = text.lastIndexOf(key);
  return at < 0 ? undefined : text.slice(at + key.length, text.indexOf('"', at + key.length));
}

// The name of a method for the library, where a text ends at the first NUL.
function methodName(method) {
  const name = String(method);
  if (name.includes('\0')) throw refused(`unknown method ${JSON.stringify(name)}`);
  return name;
}

function defaultHome() {
  const data = process.env.XDG_DATA_HOME;
  const base = data && path.isAbsolute(data) ? data : path.join(os.homedir(), '.local', 'share');
  return 'holdfast:' + path.resolve(process.env.HOLDFAST_HOME || path.join(base, 'holdfast'));
}

// Dispatches messages of the addon by tag. Separate from Store, so that a Store without references can be collected.
class Waiting {
  constructor() {
    this.by = new Map();
    this.last = 0;
    this.held = 0;
  }
  open(options) {
    const handle = native.open(JSON.stringify(options), (tag, kind, text) => this.by.get(tag)?.(kind, text));
    if (typeof handle === 'string') throw errorIn(handle);
    return handle;
  }
  add(take) {
    this.by.set(++this.last, take);
    return this.last;
  }
}

class Store {
  #waiting = new Waiting();
  #order = new InOrder();
  #handle;
  #closing;
  #tasks = 0; // that have begun and not ended
  #idle; // called when the last of them ends

  constructor(options = {}) {
    if (typeof options === 'string') options = { home: options };
    const { home, stores = [], cache } = options;
    this.#handle = this.#waiting.open({ home: home ?? (stores.length ? undefined : defaultHome()), stores, cache });
  }

  // Keeps the process alive only while something is awaited.
  #hold(more) {
    const before = this.#waiting.held;
    this.#waiting.held += more;
    if ((before === 0) !== (this.#waiting.held === 0)) native.hold(this.#handle, this.#waiting.held > 0);
  }

  #check() {
    if (this.#closing) throw refused('the store is closed');
  }

  async call(method, params = {}, options = {}) {
    this.#check();
    return this.#call(method, params, options);
  }
  async #call(method, params = {}, options = {}) {
    return JSON.parse(await this.#answer(method, params, options));
  }

  // The answer of a call as JSON text.
  async #answer(method, params, { signal } = {}) {
    if (signal?.aborted) throw cancelled();
    const name = methodName(method), text = JSON.stringify(params);
    return new Promise((resolve, reject) => {
      const stop = () => native.cancel(this.#handle, tag);
      const tag = this.#waiting.add((kind, answer) => {
        this.#waiting.by.delete(tag);
        signal?.removeEventListener('abort', stop);
        this.#hold(-1);
        try {
          kind === ANSWER ? resolve(answer) : reject(errorIn(answer));
        } catch (error) {
          reject(error);
        }
      });
      if (!native.call(this.#handle, tag, name, text)) {
        this.#waiting.by.delete(tag);
        return reject(new HoldfastError({ code: 'out_of_memory', message: 'the system has no thread for the call' }));
      }
      this.#hold(1);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  // Runs work that consists of several calls. close() waits for it: the `call` that it is given works until it ends.
  async task(work) {
    this.#check();
    ++this.#tasks;
    try {
      return await work((method, params, options) => this.#call(method, params, options));
    } finally {
      if (--this.#tasks === 0) this.#idle?.();
    }
  }

  // Like call(), but runs after earlier calls with the same name.
  callInOrder(name, method, params, options) {
    return this.task((call) => this.#order.run(name, () => call(method, params, options)));
  }

  // Yields every row of a list, fetched a page at a time. `sizes` are the sizes of the first pages, the last for all
  // further pages too. With `sizes`, each page is requested before the previous one is parsed and consumed, so that
  // the threads of the addon prepare it in the meantime.
  pages(method, key, params = {}, options = {}, sizes = []) {
    return new Rows(this.#pages(method, key, params, options, sizes));
  }
  async *#pages(method, key, params, options, sizes) {
    const size = (n) => (params.limit === undefined && sizes.length ? { limit: sizes[Math.min(n, sizes.length - 1)] } : {});
    const ask = async (n, cursor) => {
      this.#check();
      return this.#answer(method, { ...params, ...size(n), ...(cursor !== undefined && { cursor }) }, options);
    };
    let next = ask(0);
    for (let n = 1; next; ++n) {
      const text = await next;
      const ahead = (cursor) => {
        next = cursor && sizes.length ? ask(n, cursor) : undefined;
        next?.catch(() => {}); // reported when awaited
      };
      const likely = sizes.length ? cursorIn(text) : undefined;
      ahead(likely);
      const page = JSON.parse(text);
      const cursor = page.next_cursor || undefined;
      if (cursor !== likely) ahead(cursor);
      yield page[key];
      if (cursor && !next) next = ask(n, cursor);
    }
  }

  // Yields items as they arrive. Leaving the loop ends the stream.
  async *stream(method, params = {}, { signal } = {}) {
    this.#check();
    if (signal?.aborted) throw cancelled();
    const name = methodName(method);
    const items = [];
    let end, wake;
    let taken = 0;
    const stop = () => native.cancel(this.#handle, tag);
    const tag = this.#waiting.add((kind, text) => {
      if (kind === ITEM) {
        items.push(text);
      } else {
        end = { error: kind === ERROR ? errorIn(text) : undefined };
        this.#waiting.by.delete(tag);
      }
      wake?.();
    });
    if (!native.stream(this.#handle, tag, name, JSON.stringify(params))) {
      this.#waiting.by.delete(tag);
      throw new HoldfastError({ code: 'out_of_memory', message: 'the system has no thread for the stream' });
    }
    signal?.addEventListener('abort', stop, { once: true });
    try {
      while (true) {
        if (items.length > 0) {
          const item = JSON.parse(items.shift());
          if (++taken % HALF_WINDOW === 0) native.credit(this.#handle, tag, HALF_WINDOW);
          yield item;
        } else if (end) {
          if (end.error) throw end.error;
          return;
        } else {
          this.#hold(1);
          await new Promise((resolve) => (wake = resolve));
          wake = undefined;
          this.#hold(-1);
        }
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      if (!end) stop();
    }
  }

  async create(params = {}) {
    const answer = await this.call('session.create', params);
    return params.dry_run ? answer : new Session(this, answer.id, answer.session.store);
  }
  async session(id, { store } = {}) {
    const { session } = await this.call('session.get', { id, store });
    return new Session(this, session.id, session.store);
  }
  sessions(filters = {}, options) {
    return this.pages('session.list', 'sessions', filters, options);
  }
  search(words, options = {}, more) {
    return this.pages('session.search', 'hits', { ...options, words: [words].flat() }, more);
  }

  // Waits for running calls and tasks, and ends streams and leases.
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }
  async #close() {
    if (this.#tasks > 0) await new Promise((resolve) => (this.#idle = resolve));
    await new Promise((resolve) => {
      this.#waiting.by.set(0, (kind) => {
        if (kind !== CLOSED) return;
        this.#waiting.by.clear();
        this.#waiting.held = 0;
        resolve();
      });
      this.#hold(1);
      native.close(this.#handle);
    });
  }
  [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    return this.close();
  }
}

class Session {
  // `place`: the LAYOUT:ROOT that has the session. Without it, each call looks for the id.
  constructor(store, id, place) {
    this.store = store;
    this.id = id;
    this.place = place;
  }
  // Appends a text, or a message (blocks, or the format of Anthropic, OpenAI or Vercel). Durable when the promise
  // resolves. Keeps the order of the calls, awaited or not.
  async append(said, { role, durability, signal } = {}) {
    checkPlain(said, 'message');
    const body = typeof said === 'string' ? { text: said, role } : { message: said };
    const name = JSON.stringify([this.place, this.id]);
    return this.store.callInOrder(name, 'message.append', { session: this.id, store: this.place, ...body, durability }, { signal });
  }
  read(params = {}, options) {
    const key = (params.as ?? 'holdfast') === 'holdfast' ? 'messages' : 'items';
    return this.store.pages('message.list', key, { ...params, session: this.id, store: this.place }, options, [100, 1000]);
  }
  follow({ last = 10, signal } = {}) {
    return this.store.stream('session.follow', { id: this.id, store: this.place, last }, { signal });
  }
  resume(params = {}) {
    return this.store.call('session.resume', { ...params, id: this.id, store: this.place });
  }
  end(status) {
    return this.store.call('session.end', { id: this.id, store: this.place, status });
  }
}

module.exports = { Store, Session, HoldfastError, version: native.version };
