import type { UIMessage } from 'ai';
import type { Store } from '../lib/index';

/** Stores the UIMessage[] of the Vercel AI SDK by chat id. Messages are on the disk when `saveChat` resolves. */
export class HoldfastChats<Message extends UIMessage = UIMessage> {
  constructor(store: Store, options?: { project?: string });
  createChat(id?: string): Promise<string>;
  /** Empty if the chat does not exist. */
  loadChat(id: string): Promise<Message[]>;
  saveChat(chat: { chatId: string; messages: Message[] }): Promise<void>;
  /** Newest first. */
  listChats(): Promise<Array<{ id: string; updatedAt: Date }>>;
  deleteChat(id: string): Promise<void>;
}
