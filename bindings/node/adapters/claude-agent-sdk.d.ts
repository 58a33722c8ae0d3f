import type { Store } from '../lib/index';

type Key = { projectKey: string; sessionId: string; subpath?: string };
type Entry = { type: string; uuid?: string; timestamp?: string; [key: string]: unknown };
type Summary = { sessionId: string; mtime: number; data: Record<string, unknown> };

/** A `SessionStore` for @anthropic-ai/claude-agent-sdk. Entries are on the disk when `append` resolves. */
export class HoldfastSessionStore {
  /** With the SDK's own `foldSessionSummary`, listing sessions does not load them. */
  constructor(
    store: Store,
    options?: {
      foldSessionSummary?: (prev: any, key: any, entries: any[], options?: { mtime?: number }) => any;
    },
  );
  append(key: Key, entries: Entry[]): Promise<void>;
  load(key: Key): Promise<Entry[] | null>;
  listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  listSessionSummaries?: (projectKey: string) => Promise<Summary[]>;
  delete(key: Key): Promise<void>;
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

/** Returns the SDK's project key of a directory. */
export function projectKeyForDirectory(directory: string): string;
