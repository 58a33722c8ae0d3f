// Shows the beginning of a long text, and the rest on request, a piece at a time.
import { cleanText, cut } from "./clean";
import { button, h } from "./dom";
import { bytes, count } from "./format";

const shownAtFirst = 4000;
const linesAtFirst = 60;
const piece = 200_000;
const longestLine = 5000;

/** Breaks very long lines, which browsers lay out badly. */
function broken(text: string): string {
  return text.replace(new RegExp(`[^\\n]{${longestLine}}`, "g"), "$&\n");
}

function beginning(text: string, lines: number, length: number): string {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0 || end > length) break;
  }
  return text.slice(0, end < 0 || end > length ? length : end);
}

export function longText(text: string, kind: "code" | "plain" | "output", lines = linesAtFirst): HTMLElement {
  const body = kind === "plain" ? h("div", { className: "plain", dir: "auto" }) : h("pre", { tabindex: 0, role: "group", "aria-label": kind === "code" ? "Code" : "Output" });
  const first = beginning(text, lines, shownAtFirst);
  let shown = first.length;
  body.textContent = broken(cleanText(first));
  if (shown >= text.length) return body;
  const more = button("", () => {
    const end = Math.min(text.length, shown + piece);
    body.append(broken(cleanText(text.slice(shown, end))));
    shown = end;
    label();
  }, { className: "button more" });
  const label = (): void => {
    const left = text.length - shown;
    more.textContent = left > piece ? `Show ${bytes(piece)} more of ${bytes(left)}` : `Show all (${count(left)} more characters)`;
    if (left <= 0) {
      more.remove();
      body.focus();
    }
  };
  label();
  return h("div", { className: "long" }, body, more);
}

/** Makes any text one line of at most `length` characters. */
export function oneLine(text: string, length = 160): string {
  return cut(cleanText(cut(text, length * 4)).replace(/\s+/g, " ").trim(), length);
}
