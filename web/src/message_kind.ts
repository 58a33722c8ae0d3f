// Who speaks in a message, and its plain text.
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
