import type { Operations, Streams, Lists, ErrorCode, Shapes } from './operations';
export type { Operations, Streams, Lists, ErrorCode, Shapes } from './operations';

/** `code` is one of the codes in docs/api.md: not_found, busy, disk_full, ... */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly path?: string;
  readonly osError?: number;
}

export interface StoreOptions {
  /** The "LAYOUT:ROOT" to write to. Created by the first write if absent. Default: the user's own store. */
  home?: string;
  /** More stores to read. */
  stores?: string[];
  /** A directory for derived data, which makes listing faster. */
  cache?: string;
}

export interface CallOptions {
  /** Ends the call early. It rejects with `cancelled`, unless it was already done. */
  signal?: AbortSignal;
}

/** The operations of docs/api.md on one or more stores. Leases last until close(). */
export class Store {
  constructor(options?: StoreOptions | string);
  call<M extends keyof Operations>(
    method: M,
    params?: Operations[M]['params'],
    options?: CallOptions,
  ): Promise<Operations[M]['result']>;
  /** Like call(), but runs after earlier calls with the same name. Plain calls may run concurrently. */
  callInOrder<M extends keyof Operations>(
    name: string,
    method: M,
    params?: Operations[M]['params'],
    options?: CallOptions,
  ): Promise<Operations[M]['result']>;
  /** Runs work that consists of several calls. close() waits for it: the `call` that it is given works until it ends. */
  task<T>(work: (call: Store['call']) => Promise<T>): Promise<T>;
  /** Yields every row of a list, fetched a page at a time. */
  pages<M extends keyof Lists, K extends keyof Operations[M]['result']>(
    method: M,
    key: K,
    params?: Operations[M]['params'],
    options?: CallOptions,
  ): AsyncGenerator<Operations[M]['result'][K] extends ReadonlyArray<infer Row> | undefined ? Row : never, void, void>;
  /** Yields items as they arrive. Leaving the loop ends the stream. */
  stream<M extends keyof Streams>(
    method: M,
    params?: Streams[M]['params'],
    options?: CallOptions,
  ): AsyncGenerator<Streams[M]['item'], void, void>;
  /** With `dry_run`, creates nothing and resolves to what the operation would do. */
  create(params: Operations['session.create']['params'] & { dry_run: true }): Promise<Shapes['dry_run']>;
  /** Creates a session. This store holds its lease. */
  create(params?: Operations['session.create']['params']): Promise<Session>;
  /** Returns an existing session by its id, a prefix of it, LAYOUT/ID, or "@last". */
  session(id: string, options?: { store?: string }): Promise<Session>;
  /** Yields sessions, newest first. */
  sessions(
    filters?: Operations['session.list']['params'],
    options?: CallOptions,
  ): AsyncGenerator<Shapes['session'], void, void>;
  /** Yields hits: messages that contain all words. */
  search(
    words: string | string[],
    options?: Omit<Operations['session.search']['params'], 'words'>,
    more?: CallOptions,
  ): AsyncGenerator<Shapes['hit'], void, void>;
  /** Waits for what was asked for before, and ends streams and leases. What is asked later is refused. */
  close(): Promise<void>;
}

export class Session {
  constructor(store: Store, id: string, place?: string);
  readonly store: Store;
  readonly id: string;
  /** The LAYOUT:ROOT that has the session. */
  readonly place?: string;
  /**
   * Appends a message, on the disk when the promise resolves. Keeps the order of the calls, awaited or not.
   * A value that JSON would change (NaN, a Date) is refused.
   */
  append(
    said: string | Shapes['given_message'],
    options?: { role?: 'user' | 'assistant' | 'tool' | 'system'; durability?: 'power' | 'process' | 'none' } & CallOptions,
  ): Promise<Operations['message.append']['result']>;
  /** Yields messages in another form, in order, fetched a page at a time. */
  read(
    params: Omit<Operations['message.list']['params'], 'session' | 'store'> & { as: 'anthropic' | 'openai' | 'maestro' | 'raw' },
    options?: CallOptions,
  ): AsyncGenerator<NonNullable<Operations['message.list']['result']['items']>[number], void, void>;
  /** Yields messages in order, fetched a page at a time. */
  read(
    params?: Omit<Operations['message.list']['params'], 'session' | 'store'>,
    options?: CallOptions,
  ): AsyncGenerator<Shapes['message'], void, void>;
  /** Yields the last messages, and then each new one. */
  follow(options?: { last?: number } & CallOptions): AsyncGenerator<Streams['session.follow']['item'], void, void>;
  resume(params?: Omit<Operations['session.resume']['params'], 'id' | 'store'>): Promise<Operations['session.resume']['result']>;
  end(status?: Operations['session.end']['params']['status']): Promise<Operations['session.end']['result']>;
}

export function version(): string;
