// Who speaks in a message, its plain text, and the answer that it is a part of.
import type { Message } from "./types";

/** A note is a message that the agent inserted. */
export function kindOf(message: Message): "prompt" | "answer" | "tool" | "note" {
  if (message.role === "user") return message.origin || message.side ? "note" : "prompt";
  if (message.role === "assistant") return "answer";
  return message.role === "tool" ? "tool" : "note";
}

export function plainText(message: Message): string {
  return message.blocks.filter((block) => block.type === "text").map((block) => block.text ?? "").join("\n\n");
}

/** Whether a message says nothing: it only thinks or uses tools. */
export function isWork(message: Message): boolean {
  return message.blocks.every((block) => block.type !== "text" || !block.text?.trim());
}

function isEmpty(message: Message): boolean {
  return message.blocks.every((block) => (block.type === "text" || block.type === "thinking") && !block.text?.trim());
}

/**
 * Where the tokens of each answer are shown, and the record that has them. An answer may have several records, which
 * may repeat its token counts: the largest are those of the whole answer. It shows them once: beside its words, which
 * every layout shows, else beside the first thing that can be seen.
 */
export function figuresOf(messages: Message[]): Map<Message, Message> {
  const answers = new Map<string, Message[]>();
  const found = new Map<Message, Message>();
  for (const message of messages) {
    if (kindOf(message) !== "answer") continue;
    if (message.response) answers.set(message.response, [...(answers.get(message.response) ?? []), message]);
    else found.set(message, message);
  }
  for (const records of answers.values()) {
    const place = records.find((one) => !isWork(one)) ?? records.find((one) => !isEmpty(one)) ?? records[0];
    const most = records.reduce((best, one) => ((one.usage?.output ?? -1) > (best.usage?.output ?? -1) ? one : best));
    if (place) found.set(place, most);
  }
  return found;
}
