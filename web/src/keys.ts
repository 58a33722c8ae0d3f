// Keyboard shortcuts. Single-letter keys are off while typing and when switched off in the settings.
import { keysOn } from "./settings";

export interface Actions {
  step(by: 1 | -1): void;
  prompt(by: 1 | -1): void;
  session(by: 1 | -1): void;
  end(first: boolean): void;
  find(): void;
  search(): void;
  layout(): void;
  order(): void;
  fold(): void;
  star(): void;
  exportIt(): void;
  prompts(): void;
  help(): void;
  back(): void;
}

function typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

export function listenToKeys(actions: Actions): void {
  let lastG = 0;
  document.addEventListener("keydown", (event) => {
    const dialog = document.querySelector("dialog[open]") !== null;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return actions.search();
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog) return;
    if (event.key === "Escape") return typing(event.target) ? (event.target as HTMLElement).blur() : actions.back();
    if (typing(event.target) || !keysOn()) return;
    const table: Record<string, () => void> = {
      j: () => actions.step(1), k: () => actions.step(-1), J: () => actions.prompt(1), K: () => actions.prompt(-1),
      "]": () => actions.session(1), "[": () => actions.session(-1), "/": actions.find, l: actions.layout, o: actions.order, t: actions.fold,
      s: actions.star, e: actions.exportIt, p: actions.prompts, "?": actions.help, G: () => actions.end(false),
      g: () => {
        if (event.timeStamp - lastG < 800) actions.end(true);
        lastG = event.timeStamp;
      },
    };
    const action = table[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
