// One message of a session.
import { cleanLine } from "./clean";
import { copyButton } from "./copy";
import { h, icon, type Child } from "./dom";
import { allTokens, bytes, clock, count, money, moment, short } from "./format";
import { longText, oneLine } from "./long_text";
import { markdown } from "./markdown_dom";
import { isWork, kindOf, plainText } from "./message_kind";
import { revealQuery } from "./secrets";
import type { ToolResults } from "./tool_results";
import { fold, lonelyResult, toolCall } from "./tool_view";
import type { Block, Message } from "./types";

export interface MessageContext {
  session: string;
  machine: string;
  branch: string;
  results: ToolResults;
  /** True if this message continues the turn of the previous one. */
  continues: boolean;
  /** The record with the tokens of this answer. Shown once if an answer has several records. */
  usage: Message | null;
  href: string;
  number?: number;
}

const names = { prompt: "You", answer: "Agent", tool: "Tool", note: "Note" };

export function messageView(message: Message, context: MessageContext): HTMLElement {
  const kind = kindOf(message);
  const shown = message.blocks.map((block, at) => blockView(block, at, message, context)).filter((node): node is HTMLElement => node !== null);
  const work = kind !== "note" && kind !== "prompt" && isWork(message);
  const spent = context.usage && figures(context.usage);
  const classes = ["message", kind, work ? "work" : "", spent ? "figured" : "", context.continues ? "continues" : "", message.abandoned ? "abandoned" : "", shown.length ? "" : "empty"];
  const when = clock(message.timestamp);
  return h("article", { className: classes.filter(Boolean).join(" "), id: `m${message.ordinal}`, "data-ordinal": message.ordinal, tabindex: -1, "aria-label": `${names[kind]}${when ? `, ${when}` : ""}, message ${message.ordinal}` },
    head(message, kind, context, spent), h("div", { className: "message-body" }, shown));
}

function head(message: Message, kind: keyof typeof names, context: MessageContext, spent: HTMLElement | null): HTMLElement {
  const text = plainText(message);
  return h("header", { className: "message-head" },
    h("span", { className: "who" }, kind === "note" ? noteName(message) : names[kind]),
    message.agent && h("span", { className: "label" }, cleanLine(message.agent).slice(0, 40)),
    kind === "answer" && message.model && h("span", { className: "faint" }, cleanLine(message.model).slice(0, 60)),
    message.failed && h("span", { className: "label bad" }, "failed"),
    message.abandoned && h("span", { className: "label" }, "not on the active branch"),
    h("span", { className: "spring" }),
    spent,
    h("span", { className: "message-aside" },
      message.timestamp && h("time", { className: "faint", datetime: message.timestamp, title: moment(message.timestamp) }, clock(message.timestamp)),
      h("span", { className: "message-actions" }, text && copyButton(() => text, "Copy text"), h("a", { className: "button quiet small", href: context.href, "data-link": message.ordinal, title: "Link to this message", "aria-label": `Link to message ${message.ordinal}` }, icon("link")))));
}

function figures(message: Message): HTMLElement | null {
  const { usage } = message;
  if (!usage || allTokens(usage) === 0) return null;
  const { cost_usd: cost, estimated_usd: estimate } = message;
  const about = cost === undefined && estimate !== undefined;
  const words = `This answer: ${count(usage.input)} tokens in, ${count(usage.cache_read)} from the cache, ${count(usage.cache_write)} written to it, ${count(usage.output)} out${about ? "; the cost is an estimate from list prices" : ""}`;
  return h("span", { className: "faint figures", title: words }, `${short(usage.input + usage.cache_read + usage.cache_write)} in · ${short(usage.output)} out`, (about || cost !== undefined) && ` · ${money(cost ?? estimate, about)}`);
}

function noteName(message: Message): string {
  const known: Record<string, string> = { summary: "Summary", command: "Command", injected: "Context", notice: "Notice", tool: "Tool output" };
  return known[message.origin ?? ""] ?? (message.side ? "Aside" : "System");
}

function blockView(block: Block, at: number, message: Message, context: MessageContext): HTMLElement | null {
  const kind = kindOf(message);
  switch (block.type) {
    case "text": {
      const text = block.text ?? "";
      if (!text.trim()) return null;
      if (kind === "note") return fold("note-text", [h("span", { className: "tool-line", dir: "auto" }, oneLine(text))], () => markdown(text));
      return kind === "prompt" ? h("div", { className: "prompt-text" }, markdown(text)) : markdown(text);
    }
    case "thinking": {
      const text = block.text ?? "";
      return text.trim() ? fold("thinking", [h("span", { className: "tool-name" }, "Thinking"), " ", h("span", { className: "tool-line", dir: "auto" }, oneLine(text))], () => markdown(text)) : null;
    }
    case "tool_call":
      return toolCall(block, context.results.of.get(block));
    case "tool_result":
      return context.results.shown.has(block) ? null : lonelyResult(block);
    case "image":
    case "document":
    case "audio":
      return media(block, `/blob?session=${encodeURIComponent(context.session)}&message=${message.ordinal}&block=${at}${context.branch ? `&branch=${encodeURIComponent(context.branch)}` : ""}${context.machine ? `&machine=${encodeURIComponent(context.machine)}` : ""}${revealQuery()}`);
    default:
      return fold("note-text", [h("span", { className: "tool-line" }, rawName(block.raw))], () => longText(JSON.stringify(block.raw ?? block, null, 2), "code"));
  }
}

function rawName(raw: unknown): string {
  const given = (raw ?? {}) as Record<string, unknown>;
  const inner = (given["attachment"] ?? given["payload"] ?? {}) as Record<string, unknown>;
  const word = [inner["type"], given["subtype"], given["type"]].find((name) => typeof name === "string");
  return word ? oneLine(String(word).replace(/_/g, " "), 80) : "record";
}

// Pictures come only from this server. SVG is never shown, because it is a document.
function media(block: Block, address: string): HTMLElement {
  const type = cleanLine(block.media_type ?? "file").slice(0, 60);
  const picture = /^image\/(png|jpeg|gif|webp)$/.test(type);
  if (picture && block.data) return pictureOf(`data:${type};base64,${block.data}`);
  if (picture) return pictureOf(address);
  const title = block.extra?.["title"];
  const words: Child[] = [`${block.type}: ${type}`, typeof title === "string" && ` ${oneLine(title, 80)}`, block.bytes !== undefined && ` (${bytes(block.bytes)})`];
  const link = h("p", { className: "media" }, h("a", { href: address, download: "" }, words));
  const text = documentText(block);
  return text ? h("div", {}, link, longText(text, "code")) : link;
}

// The text of a document that is one.
function documentText(block: Block): string {
  const source = (block.extra?.["source"] ?? {}) as Record<string, unknown>;
  return block.type === "document" && source["type"] === "text" && typeof source["data"] === "string" ? source["data"] : "";
}

function pictureOf(address: string): HTMLElement {
  const image = h("img", { className: "picture", src: address, alt: "Picture in the session", loading: "lazy", decoding: "async" });
  image.addEventListener("error", () => image.replaceWith(h("p", { className: "media" }, "This picture cannot be shown.")));
  return image;
}
