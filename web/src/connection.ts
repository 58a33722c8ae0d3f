// Tracks whether the server responds. Views that could not load retry when the state is "there" again.

type State = "there" | "gone" | "signed-out";
type Listener = (state: State, reason: string) => void;

let state: State = "there";
let reason = ""; // why the page is signed out, if that is known
let timer: number | undefined;
const listeners = new Set<Listener>();

export function onConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the listener the state now, and each change of it. */
export function watchConnection(listener: Listener): void {
  listener(state, reason);
  listeners.add(listener);
}

export function setConnection(next: State, why = ""): void {
  if (next === state) return;
  state = next;
  reason = why;
  if (next === "gone") scheduleLook();
  for (const listener of [...listeners]) listener(next, reason);
}

function scheduleLook(): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void lookAgain(), 2000);
}

/** Asks whether the server is back, and this page signed in; `why` it may not be, if that is known. */
export async function lookAgain(why = ""): Promise<void> {
  try {
    const answer = await fetch("/api/api.version", { method: "POST", headers: { "X-Holdfast": "1", "Content-Type": "application/json" }, body: "{}" });
    setConnection(answer.status === 401 || answer.status === 403 ? "signed-out" : "there", why);
  } catch {
    setConnection("gone");
    scheduleLook();
  }
}
