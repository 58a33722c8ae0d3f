import type { Operations, Streams, Lists, ErrorCode, Shapes } from './operations';
export type { Operations, Streams, Lists, ErrorCode, Shapes } from './operations';

/** `code` is one of a closed list: not_found, busy, disk_full, ... */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly path?: string;
  readonly osError?: number;
}

export interface StoreOptions {
  /** "LAYOUT:ROOT" that is written to, made when absent; default: the person's own store. */
  home?: string;
  /** Further ones to look at. */
  stores?: string[];
  /** A directory for derived data, which makes lists faster. */
  cache?: string;
}

export interface CallOptions {
  /** Ends the call early: it rejects with `cancelled`, unless it was done by then. */
  signal?: AbortSignal;
}

/** The operations of docs/api.md on one store, or several. Leases last until close(). */
export class Store {
  constructor(options?: StoreOptions | string);
  call<M extends keyof Operations>(
    method: M,
    params?: Operations[M]['params'],
    options?: CallOptions,
  ): Promise<Operations[M]['result']>;
  /** The same, after what was asked under that name before; calls that nobody awaits run beside each other. */
  callInOrder<M extends keyof Operations>(
    name: string,
    method: M,
    params?: Operations[M]['params'],
    options?: CallOptions,
  ): Promise<Operations[M]['result']>;
  /** Every row of a list, a page at a time. */
  pages<M extends keyof Lists, K extends keyof Operations[M]['result']>(
    method: M,
    key: K,
    params?: Operations[M]['params'],
    options?: CallOptions,
  ): AsyncGenerator<Operations[M]['result'][K] extends ReadonlyArray<infer Row> | undefined ? Row : never, void, void>;
  /** Items as they come; leaving the loop ends the stream. */
  stream<M extends keyof Streams>(
    method: M,
    params?: Streams[M]['params'],
    options?: CallOptions,
  ): AsyncGenerator<Streams[M]['item'], void, void>;
  /** A new session whose lease this store holds. */
  create(params?: Operations['session.create']['params']): Promise<Session>;
  /** One that is there, by its id, a prefix of it, or "@last". */
  session(id: string): Promise<Session>;
  /** Newest first. */
  sessions(
    filters?: Operations['session.list']['params'],
    options?: CallOptions,
  ): AsyncGenerator<Shapes['session'], void, void>;
  /** Hits in what was said; several words are all in one message. */
  search(
    words: string | string[],
    options?: Omit<Operations['session.search']['params'], 'words'>,
    more?: CallOptions,
  ): AsyncGenerator<Shapes['hit'], void, void>;
  /** Waits for what runs; leases end. */
  close(): Promise<void>;
}

export class Session {
  constructor(store: Store, id: string);
  readonly store: Store;
  readonly id: string;
  /** On the disk when it resolves; in the order of the calls, awaited or not. */
  append(
    said: string | Shapes['given_message'],
    options?: { role?: 'user' | 'assistant' | 'tool' | 'system'; durability?: 'power' | 'process' | 'none' } & CallOptions,
  ): Promise<Operations['message.append']['result']>;
  /** Messages in order, a page at a time. */
  read(
    params?: Omit<Operations['message.list']['params'], 'session'>,
    options?: CallOptions,
  ): AsyncGenerator<Shapes['message'], void, void>;
  /** The last messages, and then each that is added. */
  follow(options?: { last?: number } & CallOptions): AsyncGenerator<Streams['session.follow']['item'], void, void>;
  resume(params?: Omit<Operations['session.resume']['params'], 'id'>): Promise<Operations['session.resume']['result']>;
  end(status?: Operations['session.end']['params']['status']): Promise<Operations['session.end']['result']>;
}

export function version(): string;
