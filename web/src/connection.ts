// Tracks whether the server responds. Views that could not load retry when the state is "there" again.

type State = "there" | "gone" | "signed-out";
type Listener = (state: State) => void;

let state: State = "there";
let timer: number | undefined;
const listeners = new Set<Listener>();

export function connection(): State {
  return state;
}

export function onConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setConnection(next: State): void {
  if (next === state) return;
  state = next;
  if (next === "gone") scheduleLook();
  for (const listener of [...listeners]) listener(next);
}

function scheduleLook(): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void lookAgain(), 2000);
}

/** Asks whether the server is back. */
export async function lookAgain(): Promise<void> {
  try {
    const answer = await fetch("/api/api.version", { method: "POST", headers: { "X-Holdfast": "1", "Content-Type": "application/json" }, body: "{}" });
    setConnection(answer.status === 401 || answer.status === 403 ? "signed-out" : "there");
  } catch {
    scheduleLook();
  }
}
