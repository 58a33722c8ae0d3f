// The settings that a person chose in this browser.

export type Theme = "system" | "light" | "dark";

function read(name: string): string | null {
  try {
    return localStorage.getItem(`holdfast-${name}`);
  } catch {
    return null; // storage is not available
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`holdfast-${name}`, value);
  } catch {
    // The setting still applies to this page.
  }
}

let keys = read("keys") !== "off";

export function keysOn(): boolean {
  return keys;
}

export function setKeys(on: boolean): void {
  keys = on;
  write("keys", on ? "on" : "off");
}

/** The keys of dismissed notes. */
export function putAway(): Set<string> {
  return new Set((read("put-away") ?? "").split("\n").filter(Boolean));
}

export function setPutAway(keys: Iterable<string>): void {
  write("put-away", [...keys].slice(-200).join("\n"));
}

export function theme(): Theme {
  const kept = read("theme");
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function setTheme(chosen: Theme): void {
  write("theme", chosen);
  applyTheme(chosen);
}

export function applyTheme(chosen = theme()): void {
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}
