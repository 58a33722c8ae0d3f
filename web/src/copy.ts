// A button that copies text and announces it.
import { button, icon } from "./dom";
import { say } from "./live";

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or not a secure context
  }
}

export function copyButton(text: () => string, label: string, words = ""): HTMLButtonElement {
  const made = button([icon("copy"), words], () => void copied(), { className: words ? "button" : "button quiet small", "aria-label": words ? null : label, title: label });
  const copied = async (): Promise<void> => {
    const done = await write(text());
    say(done ? "Copied" : "The browser blocked copying");
    if (!done) return;
    made.classList.add("done");
    made.firstElementChild?.replaceWith(icon("check"));
    window.setTimeout(() => {
      made.classList.remove("done");
      made.firstElementChild?.replaceWith(icon("copy"));
    }, 1500);
  };
  return made;
}
