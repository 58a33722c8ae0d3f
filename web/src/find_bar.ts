// Find in a session: steps through the matches in the whole session.
import { aborted } from "./api";
import { button, h, icon } from "./dom";
import { count } from "./format";
import { findIn, splitWords } from "./prompts";
import type { Hit } from "./types";

interface Highlights {
  set(name: string, value: unknown): void;
  delete(name: string): void;
}

export interface FindHost {
  show(ordinal: number): Promise<HTMLElement | null>;
  typed(words: string): void;
  current(): number;
  element: HTMLElement;
}

export class FindBar {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly figures = h("span", { className: "faint", role: "status" });
  private hits: Hit[] = [];
  private at = -1;
  private stop = new AbortController();
  private timer: number | undefined;

  constructor(private readonly id: string, private readonly machine: string, private readonly host: FindHost) {
    this.input = h("input", { type: "search", placeholder: "Find in session", "aria-label": "Find in session", spellcheck: "false", autocomplete: "off" });
    this.input.addEventListener("input", () => {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.run(true), 200);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        void this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }
    });
    this.element = h("div", { className: "find", role: "search", "aria-label": "Find in session", hidden: true }, icon("search"), this.input, this.figures,
      button(icon("up"), () => void this.step(-1), { className: "button quiet small", "aria-label": "Previous match" }),
      button(icon("down"), () => void this.step(1), { className: "button quiet small", "aria-label": "Next match" }),
      button(icon("close"), () => this.close(), { className: "button quiet small", "aria-label": "Close find" }));
  }

  open(): void {
    this.element.hidden = false;
    this.input.focus();
    this.input.select();
  }

  use(words: string): void {
    if (words === this.input.value) return;
    this.input.value = words;
    this.element.hidden = words === "";
    void this.run(false);
  }

  close(): void {
    this.element.hidden = true;
    this.input.value = "";
    void this.run(true);
    this.host.element.focus({ preventScroll: true });
  }

  private async run(jump: boolean): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    const words = this.input.value.trim();
    this.host.typed(words);
    this.hits = [];
    this.at = -1;
    this.figures.textContent = words ? "…" : "";
    this.mark();
    if (!words) return;
    try {
      const answer = await findIn(this.id, this.machine, words, this.stop.signal);
      this.hits = answer.hits;
      this.figures.textContent = this.hits.length ? `${count(this.hits.length)}${answer.truncated ? "+" : ""} messages` : "No matches";
      if (!jump || !this.hits.length) return this.mark();
      const from = this.host.current();
      this.at = Math.max(0, this.hits.findIndex((hit) => hit.ordinal >= from)) - 1;
      await this.step(1);
    } catch (error) {
      if (!aborted(error)) this.figures.textContent = (error as Error).message;
    }
  }

  private async step(by: number): Promise<void> {
    if (!this.hits.length) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    const hit = this.hits[this.at];
    if (!hit) return;
    this.figures.textContent = `${count(this.at + 1)} of ${count(this.hits.length)}`;
    const message = await this.host.show(hit.ordinal);
    for (const other of this.host.element.querySelectorAll(".found")) other.classList.remove("found");
    message?.classList.add("found");
    if (message && !this.ranges(message).length) this.unfold(message);
    this.mark();
  }

  private unfold(message: HTMLElement): void {
    for (const details of message.querySelectorAll("details")) details.open = true;
    window.requestAnimationFrame(() => this.mark());
  }

  /** Highlights the words without changing the document, if the browser supports it. */
  mark(): void {
    const highlights = (CSS as unknown as { highlights?: Highlights }).highlights;
    const make = (window as unknown as { Highlight?: new (...ranges: Range[]) => unknown }).Highlight;
    if (!highlights || !make) return;
    if (!this.input.value.trim()) return highlights.delete("found");
    highlights.set("found", new make(...this.ranges(this.host.element)));
  }

  private ranges(inside: HTMLElement): Range[] {
    const words = splitWords(this.input.value.toLowerCase());
    const found: Range[] = [];
    const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && found.length < 2000) {
      const node = walker.currentNode as Text;
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (const word of words) {
        for (let place = text.indexOf(word); place >= 0 && found.length < 2000; place = text.indexOf(word, place + word.length)) {
          const range = document.createRange();
          range.setStart(node, place);
          range.setEnd(node, place + word.length);
          found.push(range);
        }
      }
    }
    return found;
  }
}
