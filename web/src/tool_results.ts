// Which result belongs to which call.
import type { Block, Message } from "./types";

export interface ToolResults {
  /** The result of each call that has one. */
  of: Map<Block, Block>;
  /** Results that are shown with their calls. */
  shown: Set<Block>;
}

/**
 * Ids do not name calls reliably: some agents use one again, or write none. So a result belongs to the earliest call
 * before it with the same id, also an empty one, that has no result yet. If the person speaks while a call has none, a
 * later call with its id takes its place. The rule is that of src/model/open_calls.h.
 */
export function toolResults(messages: Message[]): ToolResults {
  const found: ToolResults = { of: new Map(), shown: new Set() };
  const all = new Map<string, { calls: Block[]; first: number; prompts: number }>();
  let prompts = 0;
  for (const message of messages) {
    if (message.role === "user" && !message.origin) prompts++; // typed by the person
    for (const block of message.blocks) {
      const id = block.id ?? "";
      const same = all.get(id);
      if (block.type === "tool_call") {
        if (same && same.prompts === prompts) same.calls.push(block);
        else all.set(id, { calls: [block], first: 0, prompts });
      } else if (block.type === "tool_result") {
        const call = same?.calls[same.first];
        if (!same || !call) continue;
        same.first++;
        found.of.set(call, block);
        found.shown.add(block);
      }
    }
  }
  return found;
}
