// A tool call with its result: one line, and a fold with the rest.
import { cleanLine } from "./clean";
import { copyButton } from "./copy";
import { counts } from "./diff";
import { diffView } from "./diff_view";
import { h, icon, type Child } from "./dom";
import { longText } from "./long_text";
import { editOf, outputText, toolLine } from "./tool_words";
import type { Block } from "./types";

const openDiff = 16;

/** Makes a fold whose content is created when it is first opened. */
export function fold(className: string, head: Child[], inside: () => Child, open = false): HTMLElement {
  const element = h("details", { className, open }, h("summary", {}, icon("chevron"), head));
  let made = false;
  const make = (): void => {
    if (made) return;
    made = true;
    element.append(h("div", { className: "fold-body" }, inside()));
  };
  if (open) make();
  element.addEventListener("toggle", () => element.open && make());
  return element;
}

function part(label: string, text: string, kind: "code" | "output"): HTMLElement {
  return h("div", { className: "part" }, h("div", { className: "code-bar" }, h("span", {}, label), copyButton(() => text, `Copy ${label.toLowerCase()}`)), longText(text, kind, 30));
}

function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  const entries = Object.entries((input ?? {}) as Record<string, unknown>);
  const only = entries.length === 1 ? entries[0]?.[1] : undefined;
  return typeof only === "string" ? only : JSON.stringify(input ?? {}, null, 2);
}

function resultParts(result: Block): Child[] {
  const text = outputText(result.output ?? result.text);
  return [text ? part(result.is_error ? "Error" : "Output", text, "output") : h("p", { className: "faint" }, "No output.")];
}

export function toolCall(block: Block, result: Block | undefined): HTMLElement {
  const name = cleanLine(block.name ?? "tool").slice(0, 60);
  const edit = editOf(name, block.input);
  const changed = edit ? counts(edit) : null;
  const lines = changed ? changed.added + changed.removed : 0;
  const head: Child[] = [
    h("span", { className: "tool-name" }, name), " ", h("span", { className: "tool-line", dir: "auto" }, toolLine(block.input)),
    changed && h("span", { className: "tool-figures" }, h("span", { className: "plus" }, `+${changed.added}`), " ", h("span", { className: "minus" }, `−${changed.removed}`)),
    result?.is_error && h("span", { className: "label bad" }, "failed"),
    !result && h("span", { className: "label" }, "no result"),
  ];
  const inside = (): Child => [
    edit ? diffView(edit, `Changes made by ${name}`) : part("Input", inputText(block.input), "code"),
    result && resultParts(result),
  ];
  return fold("tool", head, inside, edit !== null && lines > 0 && lines <= openDiff);
}

/** A result whose call is not on this page. */
export function lonelyResult(block: Block): HTMLElement {
  const text = outputText(block.output ?? block.text);
  return fold("tool", [h("span", { className: "tool-name" }, "Result"), " ", h("span", { className: "tool-line", dir: "auto" }, cleanLine(text.slice(0, 300))), block.is_error && h("span", { className: "label bad" }, "failed")], () => resultParts(block));
}
