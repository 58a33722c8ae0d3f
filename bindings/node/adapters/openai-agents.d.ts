import type { AgentInputItem, Session, SessionHistoryTransactionArgs } from '@openai/agents-core';
import type { Store } from '../lib/index';

/** A `Session` for @openai/agents, with exactly-once history transactions. On the disk when a call resolves. */
export class HoldfastSession implements Session {
  constructor(store: Store, options?: { sessionId?: string; project?: string });
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<AgentInputItem[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  popItem(): Promise<AgentInputItem | undefined>;
  clearSession(): Promise<void>;
  applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void>;
}
