// Shows changed lines. Signs repeat what colors say.
import { cleanText } from "./clean";
import { button, h } from "./dom";
import { folded, type DiffLine } from "./diff";

const shownAtFirst = 120;
const signs: Record<DiffLine["kind"], string> = { same: " ", added: "+", removed: "−", gap: "⋯" };
const words: Record<DiffLine["kind"], string> = { same: "", added: "added: ", removed: "removed: ", gap: "" };

function line(one: DiffLine): HTMLElement {
  const text = one.text.length > 2000 ? `${one.text.slice(0, 2000)}…` : one.text;
  return h("div", { className: `diff-line ${one.kind}` }, h("span", { className: "sign", "aria-hidden": "true" }, signs[one.kind]), words[one.kind] && h("span", { className: "hidden" }, words[one.kind]), h("span", { className: "diff-text" }, cleanText(text)));
}

export function diffView(lines: DiffLine[], label: string): HTMLElement {
  const all = folded(lines);
  const body = h("div", { className: "diff", tabindex: 0, role: "group", "aria-label": label }, all.slice(0, shownAtFirst).map(line));
  if (all.length <= shownAtFirst) return body;
  const more = button(`Show all ${all.length} lines`, () => {
    body.append(...all.slice(shownAtFirst).map(line));
    more.remove();
    body.focus();
  }, { className: "button more" });
  return h("div", { className: "long" }, body, more);
}
