import type { UIMessage } from 'ai';
import type { Store } from '../lib/index';

/** UIMessage[] of the Vercel AI SDK by the id of a chat. What `saveChat` resolves for is on the disk. */
export class HoldfastChats<Message extends UIMessage = UIMessage> {
  constructor(store: Store, options?: { project?: string });
  createChat(id?: string): Promise<string>;
  /** Empty for a chat that is not there. */
  loadChat(id: string): Promise<Message[]>;
  saveChat(chat: { chatId: string; messages: Message[] }): Promise<void>;
  /** Newest first. */
  listChats(): Promise<Array<{ id: string; updatedAt: Date }>>;
  deleteChat(id: string): Promise<void>;
}
