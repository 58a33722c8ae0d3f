// Draws charts as SVG. Each has a text label; a table beside it has the numbers.
import { h, svg } from "./dom";

export interface Bar {
  label: string;
  value: number;
  words: string; // "14 Nov: $1.20"
}

const width = 720;
const height = 160;
const left = 44;
const bottom = 20;

function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

export function barChart(name: string, bars: Bar[], tick: (value: number) => string): SVGElement {
  const top = niceTop(Math.max(...bars.map((bar) => bar.value), 0));
  const plot = { width: width - left, height: height - bottom - 8 };
  const each = plot.width / Math.max(1, bars.length);
  const y = (value: number): number => 8 + plot.height * (1 - value / top);
  const grid = [0, top / 2, top].map((value) => [
    svg("line", { class: "grid", x1: left, x2: width, y1: y(value), y2: y(value) }),
    svg("text", { class: "tick", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, tick(value)),
  ]);
  const every = Math.ceil(bars.length / 8);
  const marks = bars.map((bar, at) => {
    const size = bar.value > 0 ? Math.max(1.5, (plot.height * bar.value) / top) : 0;
    const gap = Math.min(4, each * 0.2);
    const x = left + at * each + Math.max(0, (each - 40) / 2);
    return [
      svg("rect", { class: "bar-mark", x: x + gap / 2, y: 8 + plot.height - size, width: Math.min(40, Math.max(1, each - gap)), height: size, rx: 1.5 }, svg("title", {}, bar.words)),
      at % every === 0 && x < width - 30 && svg("text", { class: "tick", x: x + gap / 2, y: height - 4 }, bar.label),
    ];
  });
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, grid.flat(), marks.flat());
}

const cell = 11;
const step = 13;

/** Draws a year of days, one column per week. The keys of `values` are local days, YYYY-MM-DD. */
export function heatmap(name: string, values: Map<string, number>, words: (day: string, value: number) => string, today = new Date()): SVGElement {
  const most = Math.max(1, ...values.values());
  const end = new Date(today.getFullYear(), today.getMonth(), today.getDate());
  const begin = new Date(end);
  begin.setDate(begin.getDate() - 7 * 52 - ((end.getDay() + 6) % 7));
  const marks: SVGElement[] = [];
  let month = -1;
  for (let day = new Date(begin), at = 0; day <= end; day.setDate(day.getDate() + 1), at++) {
    const key = dayKey(day);
    const value = values.get(key) ?? 0;
    const level = value === 0 ? 0 : Math.min(4, 1 + Math.floor((3.999 * Math.log1p(value)) / Math.log1p(most)));
    const x = 28 + Math.floor(at / 7) * step;
    if (day.getMonth() !== month && at % 7 === 0) {
      month = day.getMonth();
      if (day.getDate() <= 7) marks.push(svg("text", { class: "tick", x, y: 10 }, day.toLocaleDateString("en", { month: "short" })));
    }
    marks.push(svg("rect", { class: `heat level${level}`, x, y: 16 + (at % 7) * step, width: cell, height: cell, rx: 2 }, svg("title", {}, words(key, value))));
  }
  const days = ["Mon", "Wed", "Fri"].map((word, at) => svg("text", { class: "tick", x: 0, y: 16 + at * 2 * step + 9 }, word));
  return svg("svg", { class: "chart", viewBox: `0 0 ${28 + 53 * step} ${16 + 7 * step}`, role: "img", "aria-label": name }, days, marks);
}

export function dayKey(day: Date): string {
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
}

/** A bar for tables that shows `value` relative to the largest. Hidden from screen readers, which get the number. */
export function share(value: number, most: number): HTMLElement {
  const inside = h("span", { className: "share-inside" });
  inside.style.width = `${most > 0 ? Math.max(1, (100 * value) / most) : 0}%`;
  return h("span", { className: "share", "aria-hidden": "true" }, inside);
}
