// Whether secrets are shown. The server masks them by default. The page requests them unmasked only after a click, for
// one session, until it is closed.

const placeholder = "[redacted: ";

let shown = false;
let met: (() => void) | null = null;

export function secretsShown(): boolean {
  return shown;
}

export function showSecrets(on: boolean): void {
  shown = on;
}

/** Calls `listener` once, when something masked arrives from now on. */
export function watchSecrets(listener: () => void): void {
  met = listener;
}

/** Checks an answer for masked secrets. */
export function noteSecrets(text: string): void {
  if (!met || !text.includes(placeholder)) return;
  const listener = met;
  met = null;
  listener();
}

/** The query part for requests that cannot have headers. */
export function revealQuery(): string {
  return shown ? "&reveal=1" : "";
}
