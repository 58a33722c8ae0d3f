// Announces something to screen readers and shows it for a moment.
import { h } from "./dom";

const region = h("div", { className: "toast", role: "status", "aria-live": "polite" });
let timer: number | undefined;

export function liveRegion(): HTMLElement {
  return region;
}

export function say(text: string): void {
  region.textContent = text;
  region.classList.add("shown");
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    region.classList.remove("shown");
    region.textContent = "";
  }, 2500);
}
