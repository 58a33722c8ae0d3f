import type { Store } from '../lib/index';

type Key = { projectKey: string; sessionId: string; subpath?: string };
type Entry = { type: string; uuid?: string; timestamp?: string; [key: string]: unknown };
type Summary = { sessionId: string; mtime: number; data: Record<string, unknown> };

/** A `SessionStore` of @anthropic-ai/claude-agent-sdk. What `append` resolves for is on the disk. */
export class HoldfastSessionStore {
  /** With the SDK's own `foldSessionSummary`, lists of sessions need not load them. */
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

/** The SDK's key of a directory. */
export function projectKeyForDirectory(directory: string): string;
