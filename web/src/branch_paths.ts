// Finds the branches of a session by the parents that its messages name.
import { kindOf } from "./message_kind";
import type { Message } from "./types";

export interface Branch {
  leaf: string;
  messages: Message[];
}

/** Returns every path from the beginning to a message without a successor. */
export function branchesOf(messages: Message[]): Branch[] {
  const byId = new Map(messages.filter((message) => message.id).map((message) => [message.id as string, message]));
  const parents = new Set(messages.map((message) => message.parent).filter(Boolean));
  return messages
    .filter((message) => message.id && !parents.has(message.id))
    .map((leaf) => {
      const path: Message[] = [];
      const seen = new Set<Message>();
      for (let one: Message | undefined = leaf; one && !seen.has(one); one = one.parent ? byId.get(one.parent) : undefined) {
        seen.add(one);
        path.push(one);
      }
      return { leaf: leaf.id as string, messages: path.reverse() };
    })
    .filter((branch) => branch.messages.some((message) => kindOf(message) !== "note"));
}

/** How many messages two branches have in common. */
export function shared(a: Branch, b: Branch): number {
  let same = 0;
  while (same < a.messages.length && same < b.messages.length && a.messages[same]?.id === b.messages[same]?.id) same++;
  return same;
}
