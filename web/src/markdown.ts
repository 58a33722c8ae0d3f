// Parses Markdown into a tree. There is no raw HTML: tags are text. Linear in the text, bounded in depth.
import { inlines } from "./inline";

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "em" | "strike"; children: Inline[] }
  | { kind: "link"; href: string; children: Inline[] }
  | { kind: "image"; href: string; alt: string };

export interface Item {
  checked: boolean | null;
  children: Block[];
}

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; ordered: boolean; from: number; items: Item[] }
  | { kind: "table"; align: string[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const deepest = 12;
const marker = /^( {0,3})(?:([-*+])|(\d{1,9})[.)])(?: +|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const rule = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const delimiterCell = /^\s*:?-+:?\s*$/;

export function parseMarkdown(text: string): Block[] {
  return blocks(text.replace(/\t/g, "    ").split("\n"), 0);
}

function cells(line: string): string[] {
  const found = line.trim().replace(/^\|/, "").split(/(?<!\\)\|/);
  if (found.length > 1 && found[found.length - 1]?.trim() === "") found.pop();
  return found.map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

function isTable(lines: string[], at: number): boolean {
  const head = lines[at];
  const below = lines[at + 1];
  if (!head?.includes("|") || !below?.includes("-")) return false;
  const columns = cells(below);
  return columns.every((cell) => delimiterCell.test(cell)) && columns.length === cells(head).length;
}

function beginsBlock(lines: string[], at: number): boolean {
  const line = lines[at] ?? "";
  return /^ {0,3}(#{1,6}(\s|$)|>)/.test(line) || fence.test(line) || rule.test(line) || marker.test(line) || isTable(lines, at);
}

function blocks(lines: string[], depth: number): Block[] {
  const found: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at++;
      continue;
    }
    const fenced = fence.exec(line);
    if (fenced) {
      const [block, next] = code(lines, at, fenced);
      found.push(block);
      at = next;
      continue;
    }
    const heading = /^ {0,3}(#{1,6})(?:\s+(.*?))?\s*#*\s*$/.exec(line);
    if (heading) {
      found.push({ kind: "heading", level: heading[1]?.length ?? 1, children: inlines(heading[2] ?? "") });
      at++;
      continue;
    }
    if (rule.test(line)) {
      found.push({ kind: "rule" });
      at++;
      continue;
    }
    if (depth < deepest && /^ {0,3}>/.test(line)) {
      const inside: string[] = [];
      for (; at < lines.length && /^ {0,3}>/.test(lines[at] ?? ""); at++) inside.push((lines[at] ?? "").replace(/^ {0,3}> ?/, ""));
      found.push({ kind: "quote", children: blocks(inside, depth + 1) });
      continue;
    }
    if (depth < deepest && marker.test(line)) {
      const [block, next] = list(lines, at, depth);
      found.push(block);
      at = next;
      continue;
    }
    if (isTable(lines, at)) {
      const [block, next] = table(lines, at);
      found.push(block);
      at = next;
      continue;
    }
    const paragraph = [line.trimStart()];
    for (at++; at < lines.length && lines[at]?.trim() && !beginsBlock(lines, at); at++) paragraph.push((lines[at] ?? "").trimStart());
    found.push({ kind: "paragraph", children: inlines(paragraph.join("\n")) });
  }
  return found;
}

function code(lines: string[], at: number, opening: RegExpExecArray): [Block, number] {
  const ticks = opening[1] ?? "```";
  const inside: string[] = [];
  for (at++; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    if (line.length >= ticks.length && line === (ticks[0] ?? "`").repeat(line.length)) break;
    inside.push(lines[at] ?? "");
  }
  return [{ kind: "code", language: (opening[2] ?? "").trim().split(/\s/)[0] ?? "", text: inside.join("\n") }, at + 1];
}

function list(lines: string[], at: number, depth: number): [Block, number] {
  const first = marker.exec(lines[at] ?? "");
  const ordered = first?.[3] !== undefined;
  const items: Item[] = [];
  const same = (line: string): RegExpExecArray | null => {
    const found = marker.exec(line);
    return found && (found[3] !== undefined) === ordered && !rule.test(line) ? found : null;
  };
  while (at < lines.length) {
    const begins = same(lines[at] ?? "");
    if (!begins) break;
    const indent = begins[0]?.length ?? 0;
    const inside = [(lines[at] ?? "").slice(indent)];
    for (at++; at < lines.length; at++) {
      const line = lines[at] ?? "";
      const space = line.length - line.trimStart().length;
      if (line.trim() === "") {
        const next = lines[at + 1] ?? "";
        if (next.trim() === "" || next.length - next.trimStart().length < 2) break;
        inside.push("");
      } else if (space >= 2) {
        inside.push(line.slice(Math.min(space, indent)));
      } else if (beginsBlock(lines, at)) {
        break;
      } else {
        inside.push(line);
      }
    }
    const task = /^\[([ xX])\] +/.exec(inside[0] ?? "");
    if (task) inside[0] = (inside[0] ?? "").slice(task[0]?.length ?? 0);
    items.push({ checked: task ? task[1] !== " " : null, children: blocks(inside, depth + 1) });
    if (lines[at]?.trim() === "" && same(lines[at + 1] ?? "")) at++;
  }
  return [{ kind: "list", ordered, from: Number(first?.[3] ?? 1), items }, at];
}

function table(lines: string[], at: number): [Block, number] {
  const head = cells(lines[at] ?? "").map((cell) => inlines(cell));
  const align = cells(lines[at + 1] ?? "").map((cell) => (/^:-+:$/.test(cell) ? "center" : cell.endsWith(":") ? "right" : ""));
  const rows: Inline[][][] = [];
  for (at += 2; at < lines.length && lines[at]?.includes("|"); at++) rows.push(cells(lines[at] ?? "").slice(0, head.length).map((cell) => inlines(cell)));
  return [{ kind: "table", align, head, rows }, at];
}
