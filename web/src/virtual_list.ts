// A list of any length. Only visible rows are in the document, and all rows have the same height. Screen readers get
// the position of each row and the number of rows. Tab reaches one row, and the arrow keys move from there.
import { h } from "./dom";

export interface Rows {
  total(): number;
  /** Makes a row. For a row that is not loaded yet, call `changed` once it is. */
  render(index: number): HTMLElement;
  /** Called with the range of visible rows, which should be loaded. */
  seen(from: number, to: number): void;
}

const spare = 6;

export class VirtualList {
  readonly element: HTMLElement;
  private readonly canvas: HTMLElement;
  private readonly shown = new Map<number, HTMLElement>();
  private frame = 0;
  private active = 0;

  constructor(label: string, private readonly height: number, private readonly rows: Rows) {
    this.canvas = h("div", { className: "canvas", role: "list", "aria-label": label });
    this.element = h("div", { className: "virtual" }, this.canvas);
    this.element.addEventListener("scroll", () => this.later(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("[data-index]");
      if (row) this.setActive(Number(row.dataset["index"]));
    });
    new ResizeObserver(() => this.later()).observe(this.element);
  }

  /** Call this when rows changed or were added. */
  changed(): void {
    for (const [index, row] of this.shown) this.replace(index, row);
    this.draw();
  }

  top(): void {
    this.element.scrollTop = 0;
    this.active = 0;
  }

  get current(): number {
    return this.active;
  }

  /** Scrolls a row into view and makes it the one that Tab reaches. */
  show(index: number, focus: boolean): void {
    const place = Math.max(0, Math.min(this.rows.total() - 1, index));
    const top = place * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    this.draw();
    this.setActive(place);
    if (focus) this.target(place)?.focus({ preventScroll: true });
  }

  private target(index: number): HTMLElement | null {
    return this.shown.get(index)?.querySelector<HTMLElement>("a, button") ?? null;
  }

  private setActive(index: number): void {
    this.target(this.active)?.setAttribute("tabindex", "-1");
    this.active = index;
    this.target(index)?.setAttribute("tabindex", "0");
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).matches("input, select")) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const steps: Record<string, number> = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: this.rows.total() - 1,
    };
    const next = steps[event.key];
    if (next === undefined || this.rows.total() === 0) return;
    event.preventDefault();
    this.show(next, true);
  }

  private later(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private make(index: number): HTMLElement {
    const row = this.rows.render(index);
    row.dataset["index"] = String(index);
    row.setAttribute("role", "listitem");
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-setsize", String(this.rows.total()));
    row.style.transform = `translateY(${index * this.height}px)`;
    row.querySelector("a, button")?.setAttribute("tabindex", index === this.active ? "0" : "-1");
    this.shown.set(index, row);
    return row;
  }

  private replace(index: number, row: HTMLElement): void {
    if (index >= this.rows.total()) {
      row.remove();
      this.shown.delete(index);
      return;
    }
    const focused = row.contains(document.activeElement);
    row.replaceWith(this.make(index));
    if (focused) this.target(index)?.focus({ preventScroll: true });
  }

  draw(): void {
    const total = this.rows.total();
    this.canvas.style.height = `${total * this.height}px`;
    if (this.element.clientHeight === 0) return;
    const from = Math.max(0, Math.floor(this.element.scrollTop / this.height) - spare);
    const to = Math.min(total, Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.height) + spare);
    for (const [index, row] of this.shown) {
      if ((index >= from && index < to) || index === this.active) continue;
      row.remove();
      this.shown.delete(index);
    }
    for (let index = from; index < to; index++) this.place(index);
    if (this.active < total) this.place(this.active);
    if (to > from) this.rows.seen(from, to);
  }

  // Inserts rows in the order of the list, so that the reading order is right.
  private place(index: number): void {
    if (this.shown.has(index)) return;
    let after: HTMLElement | null = null;
    let nearest = Infinity;
    for (const [other, row] of this.shown) {
      if (other > index && other < nearest) {
        nearest = other;
        after = row;
      }
    }
    this.canvas.insertBefore(this.make(index), after);
  }
}
