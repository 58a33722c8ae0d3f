// Whether secrets are shown as they are. The server masks them; the page asks for more only after a click, for one
// session, and forgets that with it.

const placeholder = "[redacted: ";

let shown = false;
let met: (() => void) | null = null;

export function secretsShown(): boolean {
  return shown;
}

export function showSecrets(on: boolean): void {
  shown = on;
}

/** Tells the first time that something was masked in what comes from now on. */
export function watchSecrets(listener: () => void): void {
  met = listener;
}

/** Looks at what came. */
export function noteSecrets(text: string): void {
  if (!met || !text.includes(placeholder)) return;
  const listener = met;
  met = null;
  listener();
}

/** For addresses, which carry no headers. */
export function revealQuery(): string {
  return shown ? "&reveal=1" : "";
}
