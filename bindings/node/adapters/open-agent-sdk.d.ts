import type { Store } from '../lib/index';

export interface SessionData {
  id: string;
  model: string;
  provider: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  messages: any[];
  options: Record<string, any>;
  parentSessionId?: string;
  forkedAt?: number;
}

/** `SessionStorage` for the Open Agent SDK, on its own files. A message is on the disk when `append` resolves. */
export class HoldfastStorage {
  /** With `cwd`, creates and lists sessions in the folder of that directory. */
  constructor(store: Store, options?: { cwd?: string });
  save(data: SessionData): Promise<void>;
  /** Does nothing if the session does not exist, or has the message already. */
  append(id: string, message: any): Promise<void>;
  load(id: string): Promise<SessionData | null>;
  delete(id: string): Promise<void>;
  list(): Promise<string[]>;
  exists(id: string): Promise<boolean>;
}
