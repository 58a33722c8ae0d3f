// Compiled, never run: the types accept what exists and reject what does not.
import { foldSessionSummary, type SessionStore } from '@anthropic-ai/claude-agent-sdk';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Session as AgentSession } from '@openai/agents';
import type { UIMessage } from 'ai';
import { HoldfastError, Store, type Session } from 'holdfast';
import { HoldfastSessionStore } from 'holdfast/claude-agent-sdk';
import { HoldfastSaver } from 'holdfast/langgraph';
import { HoldfastSession } from 'holdfast/openai-agents';
import { HoldfastChats } from 'holdfast/ai';
import { HoldfastStorage } from 'holdfast/open-agent-sdk';

const store = new Store({ home: 'holdfast:/tmp/x' });
export const mirror: SessionStore = new HoldfastSessionStore(store, { foldSessionSummary });
export const saver: BaseCheckpointSaver = new HoldfastSaver(store);
export const agent: AgentSession = new HoldfastSession(store);
export const messages: Promise<UIMessage[]> = new HoldfastChats(store).loadChat('c');
export const ids: Promise<string[]> = new HoldfastStorage(store).list();

export async function main(): Promise<void> {
  const session: Session = await store.create({ title: 'one' });
  const offset: number = (await session.append('text', { role: 'user' })).offset;
  for await (const message of session.read({ limit: 10 })) message.blocks[0]?.text?.length;
  const would: string = (await store.create({ title: 'two', dry_run: true })).would;
  would.length;
  const place: string | undefined = (await store.session('maestro/one', { store: 'maestro:/tmp/y' })).place;
  place?.length;
  const count: number = await store.task(async (call) => (await call('session.list', {})).sessions.length);
  count.toFixed();
  for await (const event of session.follow({ signal: AbortSignal.abort() })) event.event;
  for await (const row of store.pages('session.list', 'sessions', {})) row.updated_at?.length;
  const { entries } = await store.call('entry.load', { project: 'p', session: 's' });
  entries[0]?.['any'];
  // @ts-expect-error: no such operation
  await store.call('no.such', {});
  // @ts-expect-error: a project is required
  await store.call('entry.list', { session: 's' });
  // @ts-expect-error: not one of the words
  await session.append('x', { durability: 'some' });
  try {
    await store.close();
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'busy') return;
    // @ts-expect-error: not one of the codes
    if (error instanceof HoldfastError && error.code === 'tired') return;
  }
  offset.toFixed();
}
